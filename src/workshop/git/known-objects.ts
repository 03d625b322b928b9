// Listings, contents and commits that were read before: whatever is named by its hash never changes, so nobody has to start git for it again.
/** Also a folder below one. */
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?::[^\0]*)?$/;

/** By size; the oldest go first. */
export function remembered<T>(sizeOf: (value: T) => number, most: { each: number; all: number }) {
  const known = new Map<string, T>();
  let size = 0;
  return {
    read: (key: string): T | undefined => known.get(key),
    write(key: string, value: T): void {
      const more = sizeOf(value);
      if (more > most.each || known.has(key)) return;
      known.set(key, value);
      size += more;
      for (const [oldest, gone] of known) {
        if (size <= most.all) return;
        known.delete(oldest);
        size -= sizeOf(gone);
      }
    },
  };
}

/** Names of branches and tags move. */
export function isHash(treeish: string): boolean {
  return HASH.test(treeish);
}
