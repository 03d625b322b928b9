// Holes that an adversary found in the types, and what follows from them by rule: no agent gives the verdict.
import { z } from "zod";
import { Text } from "../refs.ts";

export const HoleType = z.enum([
  "RepresentableInvalid",
  "LeakyAbstraction",
  "PartialFunction",
  "TypeConfusion",
]);
export type HoleType = z.infer<typeof HoleType>;

export const Severity = z.enum(["Critical", "Major", "Minor", "Informational"]);
export type Severity = z.infer<typeof Severity>;

export const TypeHole = z.strictObject({
  holeType: HoleType,
  description: Text,
  invariantBroken: Text,
  exploitSketch: Text.describe("How one would get there, in words or pseudocode."),
  severity: Severity,
  suggestedFix: Text,
});
export type TypeHole = z.infer<typeof TypeHole>;

export const TypeVerdict = z.enum(["Sound", "MinorHoles", "HasHoles"]);
export type TypeVerdict = z.infer<typeof TypeVerdict>;

/** The worst hole decides; Critical and Major go back to the types. */
export function deriveTypeVerdict(holes: readonly Pick<TypeHole, "severity">[]): TypeVerdict {
  if (blockingHoles(holes).length > 0) return "HasHoles";
  return holes.length > 0 ? "MinorHoles" : "Sound";
}

export function blockingHoles<Hole extends Pick<TypeHole, "severity">>(holes: readonly Hole[]): Hole[] {
  return holes.filter(({ severity }) => severity === "Critical" || severity === "Major");
}

export function hasCritical(holes: readonly Pick<TypeHole, "severity">[]): boolean {
  return holes.some(({ severity }) => severity === "Critical");
}
