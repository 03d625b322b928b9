// Reads a bound such as `O(n log n)` as the power of the size that time may grow with.

/** Undefined for what grows faster than any power, and for what cannot be read. */
export function exponentOf(bound: string): number | undefined {
  const inner = /^[oθΘ]\((.+)\)$/i.exec(bound.trim().toLowerCase())?.[1];
  if (inner === undefined) return undefined;
  // All inputs grow together, so a sum is as steep as its steepest part.
  const terms = inner.split("+").map(powerOfProduct);
  return terms.some(Number.isNaN) ? undefined : Math.max(...terms);
}

function powerOfProduct(product: string): number {
  const spaced = product.replaceAll("²", "^2").replaceAll("³", "^3").replaceAll("**", "^");
  const factors = spaced
    .replaceAll(/\s*\^\s*/g, "^")
    .replaceAll(/log\s*\(?\s*[a-z]\s*\)?/g, " 1 ")
    .split(/[\s*·×]+/)
    .filter((factor) => factor !== "");
  if (factors.length === 0) return Number.NaN;
  return factors.map(powerOf).reduce((sum, power) => sum + power, 0);
}

function powerOf(factor: string): number {
  if (/^\d+$/.test(factor)) return 0;
  const [, power] = /^[a-z](?:\^(\d(?:\.\d+)?))?$/.exec(factor) ?? [undefined, "none"];
  if (power !== "none") return power === undefined ? 1 : Number(power);
  return /^sqrt\(?[a-z]\)?$/.test(factor) ? 0.5 : Number.NaN;
}
