// Vectors as they were given, in pieces of memory that never move, and their products with one vector.

/** So many rows a piece. */
const PIECE = 1024;

export class VectorRows {
  readonly #dimensions: number;
  readonly #pieces: Float32Array[] = [];
  #count = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  get count(): number {
    return this.#count;
  }

  /** Its number is how many there were before. */
  push(vector: Float32Array): void {
    this.#assertFits(vector);
    const place = this.#count % PIECE;
    if (place === 0) this.#pieces.push(new Float32Array(PIECE * this.#dimensions));
    this.#pieces.at(-1)?.set(vector, place * this.#dimensions);
    this.#count += 1;
  }

  /** Gives the product of any row with it. */
  productsWith(vector: Float32Array): (row: number) => number {
    this.#assertFits(vector);
    return (row) => {
      const piece = this.#pieces[Math.floor(row / PIECE)];
      if (row >= this.#count || piece === undefined) throw new RangeError(`there is no row ${row}`);
      const from = (row % PIECE) * this.#dimensions;
      let sum = 0;
      for (let index = 0; index < this.#dimensions; index++) {
        sum += (piece[from + index] ?? 0) * (vector[index] ?? 0);
      }
      return sum;
    };
  }

  #assertFits({ length }: Float32Array): void {
    if (length === this.#dimensions) return;
    throw new RangeError(`a vector of ${length} dimensions among those of ${this.#dimensions}`);
  }
}
