// An ordered set of small integers: membership changes and the smallest members in a handful of steps at any size.

const BITS = 32;

/** A tree of bit words: a bit on one level says that the word below it is not empty. */
export class ReadySet {
  readonly #levels: number[][] = [[]];

  add(member: number): void {
    this.#grow(member);
    let position = member;
    for (const level of this.#levels) {
      const word = Math.floor(position / BITS);
      level[word] = (level[word] ?? 0) | (1 << (position % BITS));
      position = word;
    }
  }

  delete(member: number): void {
    let position = member;
    for (const level of this.#levels) {
      const word = Math.floor(position / BITS);
      const rest = (level[word] ?? 0) & ~(1 << (position % BITS));
      level[word] = rest;
      if (rest !== 0) return;
      position = word;
    }
  }

  /** The `count` smallest members, ascending. */
  first(count: number): number[] {
    const members: number[] = [];
    let next = this.#atOrAfter(0);
    while (next !== undefined && members.length < count) {
      members.push(next);
      next = this.#atOrAfter(next + 1);
    }
    return members;
  }

  /** Climbs until a word holds a later bit, then descends along the lowest bits. */
  #atOrAfter(from: number): number | undefined {
    let position = from;
    for (let height = 0; height < this.#levels.length; height++) {
      const word = Math.floor(position / BITS);
      const later = (this.#levels[height]?.[word] ?? 0) & (-1 << (position % BITS));
      if (later !== 0) return this.#descend(height, word * BITS + lowestBit(later));
      position = word + 1;
    }
    return undefined;
  }

  #descend(height: number, position: number): number {
    let found = position;
    for (let level = height - 1; level >= 0; level--) {
      found = found * BITS + lowestBit(this.#levels[level]?.[found] ?? 0);
    }
    return found;
  }

  /** Adds levels until one word covers the top, carrying over what is already there. */
  #grow(member: number): void {
    while (member >= BITS ** this.#levels.length) {
      const top = this.#levels.at(-1) ?? [];
      this.#levels.push([top.some((word) => word !== 0) ? 1 : 0]);
    }
  }
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
