// What the product loop remembers between its steps: counts, ids and addresses; the texts are among the payloads.
import { z } from "zod";
import { ProductResearcherOutput } from "../domain/agent/product-roles.ts";
import { ArtifactRef, idOfType } from "../domain/artifact/artifact-type.ts";
import { AmendmentPoint } from "../domain/product/amendment-points.ts";
import { Fingerprint, IsoTime, PayloadRef, Semver, Text } from "../domain/refs.ts";
import { stateKey } from "../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../graph/port.ts";

/** So often the researcher is asked for one draft; after that a person looks at what is there. */
export const MOST_ITERATIONS = 5;

export const ProductEnd = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("waiting"), artifact: idOfType("PRODUCT_SPEC") }),
  z.strictObject({ kind: z.literal("approved"), artifact: idOfType("PRODUCT_SPEC") }),
  z.strictObject({ kind: z.literal("stopped"), why: Text, next: Text }),
]);
export type ProductEnd = z.infer<typeof ProductEnd>;

const Author = z.strictObject({ pack: idOfType("CONTEXT_PACK"), runId: Text });
/** The draft that was shown to a person last. */
const Shown = z.strictObject({ ref: ArtifactRef, spec: PayloadRef });

export const productState = {
  /** Each rejection and each amendment begins another. */
  round: stateKey({ schema: z.int().min(1), initial: () => 1 }),
  /** Of this round; also those before it was stopped and begun again. */
  calls: stateKey({ schema: z.int().nonnegative(), initial: () => 0 }),
  left: stateKey({ schema: z.int().nonnegative(), initial: () => MOST_ITERATIONS }),
  /** In a row. */
  amendments: stateKey({ schema: z.int().nonnegative(), initial: () => 0 }),
  rejections: stateKey({ schema: z.array(Text), initial: () => [] }),
  points: stateKey({ schema: z.array(AmendmentPoint), initial: () => [] }),
  /** What the draft is made from; null before the first. */
  source: stateKey({ schema: Fingerprint.nullable(), initial: () => null }),
  draft: stateKey({ schema: PayloadRef.nullable(), initial: () => null }),
  errors: stateKey({ schema: z.array(Text), initial: () => [] }),
  /** The list of what was looked up. */
  research: stateKey({ schema: PayloadRef.nullable(), initial: () => null }),
  createdAt: stateKey({ schema: IsoTime.nullable(), initial: () => null }),
  version: stateKey({ schema: Semver, initial: () => "1.0.0" }),
  /** What was handed over, under which id, by whom and with which words. */
  emitted: stateKey({ schema: PayloadRef.nullable(), initial: () => null }),
  artifact: stateKey({ schema: idOfType("PRODUCT_SPEC").nullable(), initial: () => null }),
  author: stateKey({ schema: Author.nullable(), initial: () => null }),
  said: stateKey({ schema: ProductResearcherOutput.nullable(), initial: () => null }),
  shown: stateKey({ schema: Shown.nullable(), initial: () => null }),
  /** Whether the draft amends the one that was shown, so that the difference counts. */
  amends: stateKey({ schema: z.boolean(), initial: () => false }),
  end: stateKey({ schema: ProductEnd.nullable(), initial: () => null }),
};
export type ProductState = StateOf<typeof productState>;
export type ProductUpdate = UpdateOf<typeof productState>;
