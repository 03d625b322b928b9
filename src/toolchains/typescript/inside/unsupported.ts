// Remembers what a suite used that only the runner of record can do; an error alone could be caught by the suite.

const seen = new Set<string>();

export function unsupported(what: string): never {
  seen.add(what);
  throw new Error(`${what} is not supported by the inner runner`);
}

export function unsupportedSoFar(): string | undefined {
  return seen.size === 0 ? undefined : [...seen].join(", ");
}
