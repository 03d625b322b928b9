// What of some bytes is new against other bytes: the part between the first and the last bytes that both share.

export interface Delta {
  /** How many bytes both begin with. */
  first: number;
  /** How many bytes both end with, not counting those again. */
  last: number;
  middle: Uint8Array;
}

/** Compared a block at a time by native code, and byte by byte only within the block that differs. */
const BLOCK = 4096;

export function deltaBetween(base: Buffer, bytes: Buffer): Delta {
  const shorter = Math.min(base.length, bytes.length);
  let first = 0;
  while (first + BLOCK <= shorter && equal(base, first, bytes, first)) first += BLOCK;
  while (first < shorter && base[first] === bytes[first]) first++;
  const rest = shorter - first;
  let last = 0;
  while (
    last + BLOCK <= rest &&
    equal(base, base.length - last - BLOCK, bytes, bytes.length - last - BLOCK)
  ) {
    last += BLOCK;
  }
  while (last < rest && base[base.length - last - 1] === bytes[bytes.length - last - 1]) last++;
  return { first, last, middle: bytes.subarray(first, bytes.length - last) };
}

export function applyDelta(base: Buffer, { first, last, middle }: Delta): Buffer {
  if (first + last > base.length) throw new Error("the base is shorter than what was kept of it");
  return Buffer.concat([base.subarray(0, first), middle, base.subarray(base.length - last)]);
}

function equal(a: Buffer, atA: number, b: Buffer, atB: number): boolean {
  return a.compare(b, atB, atB + BLOCK, atA, atA + BLOCK) === 0;
}
