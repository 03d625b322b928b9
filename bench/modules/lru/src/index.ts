// A map that forgets what was used longest ago.

interface Entry<K, V> {
  key: K;
  value: V;
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}

export interface Statistics {
  hits: number;
  misses: number;
  forgotten: number;
}

export class Lru<K, V> {
  readonly capacity: number;
  readonly #entries = new Map<K, Entry<K, V>>();
  readonly #statistics: Statistics = { hits: 0, misses: 0, forgotten: 0 };
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity <= 0)
      throw new RangeError("the capacity is a positive whole number");
    this.capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  get statistics(): Statistics {
    return { ...this.#statistics };
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#statistics.misses++;
      return undefined;
    }
    this.#statistics.hits++;
    this.#touch(entry);
    return entry.value;
  }

  /** Looks without counting as a use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** The key that had to make room, if any. */
  set(key: K, value: V): K | undefined {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.value = value;
      this.#touch(known);
      return undefined;
    }
    const entry: Entry<K, V> = { key, value, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
    if (this.#entries.size <= this.capacity || this.#oldest === undefined) return undefined;
    const { key: forgotten } = this.#oldest;
    this.delete(forgotten);
    this.#statistics.forgotten++;
    return forgotten;
  }

  delete(key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#unlink(entry);
    this.#entries.delete(key);
    return true;
  }

  /** From the one used last to the one used longest ago. */
  keys(): K[] {
    const keys: K[] = [];
    for (let entry = this.#newest; entry !== undefined; entry = entry.older) keys.push(entry.key);
    return keys;
  }

  #touch(entry: Entry<K, V>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#append(entry);
  }

  #append(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry<K, V>): void {
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
  }
}
