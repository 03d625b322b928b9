// Runs inside a site: what keeps a process alive, and what of it was not there before.

/** Kinds of things, and how many there are. */
export function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Without those that end by themselves. */
export function openedSince(before: ReadonlyMap<string, number>): string[] {
  const more = [...openResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
  return more.flatMap(([kind]) => (/^FS|Immediate|Wrap$/.test(kind) ? [] : [kind]));
}
