// Vectors rounded to a byte a dimension, and upper bounds of their products with one vector: a quarter of the bytes tells
// which rows deserve an exact look, and misses none that does.
import { CupelError } from "../domain/error.ts";
import { startScan, TAIL_BYTES, TURN } from "./coarse-kernel.ts";
import type { WasmCall } from "./wasm-module.ts";

const PAGE = 65_536;
const MOST_PAGES = 65_536;
const PAGES_AT_ONCE = 256;
/** Rows are named and answered a block at a time, so that both lists stay in the cache. */
const BLOCK = 4096;
const QUERY_AT = 0;
const LIST_AT = 8192;
const ANSWERS_AT = LIST_AT + BLOCK * 4;
const ROWS_AT = PAGE;

const BYTE = 127;
const SHORT = 32_767;
/** More than sums of whole numbers lose when they become floats, and than the floats of a tail lose. */
const LOST_TO_FLOATS = 2e-6;

type Visit = (from: number, bounds: Float32Array) => void;

export class CoarseRows {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES });
  readonly #scan: WasmCall;
  readonly #dimensions: number;
  readonly #rowBytes: number;
  #count = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#rowBytes = Math.ceil(dimensions / TURN) * TURN + TAIL_BYTES;
    this.#scan = startScan(this.#memory);
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Its number is how many there were before. */
  push(vector: Float32Array): void {
    this.#makeRoom(this.#count + 1);
    const at = this.#rowAt(this.#count);
    const rounded = new Int8Array(this.#memory.buffer, at, this.#dimensions);
    new Float32Array(this.#memory.buffer, this.#tailAt(at), 3).set(this.#round(vector, BYTE, rounded));
    this.#count += 1;
  }

  /**
   * `rows` in ascending order, none twice. `visit` gets a place in `rows` and, for the rows from there on, what their product
   * with the vector is at most; what it gets is overwritten later.
   */
  bounds(vector: Float32Array, rows: Uint32Array, visit: Visit): void {
    const rounded = new Int16Array(this.#memory.buffer, QUERY_AT, this.#dimensions);
    const [scale, lost, length] = this.#round(vector, SHORT, rounded);
    const list = new Uint32Array(this.#memory.buffer, LIST_AT, BLOCK);
    const answers = new Float32Array(this.#memory.buffer, ANSWERS_AT, BLOCK);
    const tails = new Float32Array(this.#memory.buffer);
    for (let from = 0; from < rows.length; from += BLOCK) {
      const block = rows.subarray(from, from + BLOCK);
      list.set(block);
      this.#scan(QUERY_AT, ROWS_AT, this.#rowBytes, LIST_AT, LIST_AT + block.length * 4, ANSWERS_AT);
      for (let index = 0; index < block.length; index++) {
        const tail = this.#tailAt(this.#rowAt(block[index] ?? 0)) >> 2;
        const rowLost = tails[tail + 1] ?? 0;
        const rowLength = tails[tail + 2] ?? 0;
        // v·q = v̂·q̂ + (v - v̂)·q + v̂·(q - q̂), and no product is more than that of the lengths.
        answers[index] =
          (answers[index] ?? 0) * scale * (tails[tail] ?? 0) +
          rowLost * length +
          (rowLength + rowLost) * lost +
          rowLength * length * LOST_TO_FLOATS;
      }
      visit(from, answers.subarray(0, block.length));
    }
  }

  #rowAt(row: number): number {
    return ROWS_AT + row * this.#rowBytes;
  }

  #tailAt(row: number): number {
    return row + this.#rowBytes - TAIL_BYTES;
  }

  /** Whole numbers up to `highest`; given back are their scale, the length of what they miss, and the vector's own. */
  #round(
    vector: Float32Array,
    highest: number,
    into: Int8Array | Int16Array,
  ): [scale: number, lost: number, length: number] {
    if (vector.length !== this.#dimensions) {
      throw new RangeError(`a vector of ${vector.length} dimensions among those of ${this.#dimensions}`);
    }
    let largest = 0;
    for (let index = 0; index < vector.length; index++) {
      const size = Math.abs(vector[index] ?? 0);
      if (size > largest) largest = size;
    }
    // As a float, since that is what the tail of a row keeps; a little more than needed, so that nothing overflows.
    const scale = Math.fround((largest / highest) * (1 + 1e-6));
    const perUnit = scale === 0 ? 0 : 1 / scale;
    let lost = 0;
    let length = 0;
    // Millions of values pass here before the first search.
    for (let index = 0; index < vector.length; index++) {
      const value = vector[index] ?? 0;
      const whole = Math.trunc(value * perUnit + (value < 0 ? -0.5 : 0.5));
      into[index] = whole;
      lost += (value - whole * scale) ** 2;
      length += value ** 2;
    }
    return [scale, Math.sqrt(lost), Math.sqrt(length)];
  }

  /** Far ahead, because a page that nobody touched yet takes no memory, and large pieces are faster to read. */
  #makeRoom(rows: number): void {
    const missing = this.#rowAt(rows) - this.bytes;
    if (missing <= 0) return;
    const pages = Math.ceil(missing / PAGE / PAGES_AT_ONCE) * PAGES_AT_ONCE;
    if (this.bytes / PAGE + pages > MOST_PAGES) {
      throw new CupelError(
        "usage",
        `the Code Index holds more vectors than can be searched (${this.#count})`,
        {
          expected: "at most 4 GiB of rounded vectors",
          hint: "choose an embedding model with fewer dimensions, then cupel index reindex",
        },
      );
    }
    this.#memory.grow(pages);
  }
}
