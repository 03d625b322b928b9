// A list of numbers below 2^32 that grows and takes no more than half as much again as it holds.

export class PostingList {
  #numbers = new Uint32Array(4);
  #count = 0;

  push(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = new Uint32Array(Math.ceil(this.#count * 1.5));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#count] = number;
    this.#count += 1;
  }

  get length(): number {
    return this.#count;
  }

  /** Only until the next push. */
  view(): Uint32Array {
    return this.#numbers.subarray(0, this.#count);
  }
}

/** The list under a key, made when there is none yet. */
export function listAt(lists: Map<string, PostingList>, key: string): PostingList {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made = new PostingList();
  lists.set(key, made);
  return made;
}
