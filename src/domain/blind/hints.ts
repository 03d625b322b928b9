// What adversaries teach those who build: holes found in any round, also those that were fixed, and gaps of the suite.
import { z } from "zod";
import { Text } from "../refs.ts";
import type { PropertySketch } from "./function-spec.ts";
import type { TypeHole } from "./type-hole.ts";

export const HardeningHint = z.strictObject({
  context: Text,
  guidance: Text,
  source: z.enum(["type_adversary", "mutation_adversary"]),
});
export type HardeningHint = z.infer<typeof HardeningHint>;

export interface Taught {
  holes: readonly Pick<TypeHole, "description" | "suggestedFix">[];
  gaps: readonly { missingTest: string; suggested: Pick<PropertySketch, "invariant"> }[];
}

/** Each once, in the order in which they were found. */
export function hardeningHints({ holes, gaps }: Taught): HardeningHint[] {
  const hints = [
    ...holes.map(({ description, suggestedFix }) => ({
      context: description,
      guidance: suggestedFix,
      source: "type_adversary" as const,
    })),
    ...gaps.map(({ missingTest, suggested }) => ({
      context: missingTest,
      guidance: suggested.invariant,
      source: "mutation_adversary" as const,
    })),
  ];
  return [...new Map(hints.map((hint) => [JSON.stringify(hint), hint])).values()];
}
