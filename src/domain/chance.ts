// Chance that can be repeated: the same seed and the same words give the same numbers on every machine.
import { sha256Hex } from "./canonical.ts";

const DIGITS = 13;

/** Numbers from 0 up to 1. */
export function chance(seed: number, words: string): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    const hash = sha256Hex(`${seed} ${words} ${drawn}`);
    return Number.parseInt(hash.slice(0, DIGITS), 16) / 16 ** DIGITS;
  };
}

/** One of a list that is not empty. */
export function pick<T>(random: () => number, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0];
}
