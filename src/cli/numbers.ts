// Numbers that a person typed behind an option, and what is taken where nobody did.
import { availableParallelism } from "node:os";
import { CupelError } from "../domain/error.ts";

export function whole<T>(text: string | undefined, flag: string, least: number, unless: T): number | T {
  if (text === undefined) return unless;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least && text.trim() !== "") return value;
  throw new CupelError("usage", `${flag} is ${JSON.stringify(text)}`, {
    expected: `a whole number from ${least} on`,
  });
}

export function amount(text: string | undefined, flag: string, expected: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new CupelError("usage", `${flag} is ${JSON.stringify(text)}`, { expected });
}

/** From 0 to 1. */
export function share(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new CupelError("usage", `${flag} is ${JSON.stringify(text)}`, { expected: "a number from 0 to 1" });
}

/** How many simulated runs are under way at a time unless told: each keeps a core busy most of the time. */
export function usualJobs(): number {
  return Math.min(3, availableParallelism() + 1);
}
