// Runs inside a site: tells what hangs on the functions that a module exports without a word of it in their signatures.

/** Taken before foreign code can put others in their place. */
const { get, ownKeys } = Reflect;
const OF_EVERY_FUNCTION: readonly PropertyKey[] = ["length", "name", "prototype", "arguments", "caller"];

/** `promised` are signatures by the names of entry points; classes have members that their own entry points tell. */
export function hiddenMembers(loaded: unknown, promised: Readonly<Record<string, string>>): string[] {
  if (typeof loaded !== "object" || loaded === null) return [];
  return Object.entries(promised).flatMap(([name, signature]) => {
    const exported: unknown = get(loaded, name);
    if (typeof exported !== "function" || /^\(?\s*(?:abstract\s+)?new\b/.test(signature)) return [];
    return ownKeys(exported)
      .filter((key) => !OF_EVERY_FUNCTION.includes(key) && !signature.includes(String(key)))
      .map((key) => `what callers can reach: ${name}.${String(key)}, which no contract names`);
  });
}
