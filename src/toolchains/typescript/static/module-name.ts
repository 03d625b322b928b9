// Names of modules as rules and imports spell them; programs inside a site need this too, so it stands on nothing.

/** `node:fs`, `fs` and `fs/` are one module. */
export function moduleName(specifier: string): string {
  return specifier.replace(/^node:/, "").replace(/\/+$/, "");
}

/** Whether a name in a rule means this import: itself or anything below it, with or without `node:`. */
export function covers(name: string, specifier: string): boolean {
  const [rule, found] = [moduleName(name), moduleName(specifier)];
  return found === rule || found.startsWith(`${rule}/`);
}
