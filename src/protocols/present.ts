// For what an earlier node of a protocol must have left.
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`the protocol has no ${what}`);
  return value;
}
