// A growing list of integers in one flat piece of memory: a large project stays within reach of the processor's caches.

export class IntList {
  #values = new Int32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Zero where nothing was set. */
  get(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#reserve(index + 1);
    this.#values[index] = value;
    if (index >= this.#length) this.#length = index + 1;
  }

  #reserve(size: number): void {
    if (size <= this.#values.length) return;
    const larger = new Int32Array(Math.max(size, this.#values.length * 2));
    larger.set(this.#values);
    this.#values = larger;
  }
}
