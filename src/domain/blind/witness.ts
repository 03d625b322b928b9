// What a witness tells about one thread: every sentence stands on events of the journal that exist, or it is not told.
import { z } from "zod";
import { Text } from "../refs.ts";

/** A sentence and the events it tells of, by their place in the journal. */
export const Sentence = z.strictObject({ text: Text, events: z.array(z.int().nonnegative()).min(1) });
export type Sentence = z.infer<typeof Sentence>;

export const NodeObservation = z.strictObject({
  node: Text,
  starts: z.int().min(1),
  seconds: z.number().min(0),
  failures: z.int().min(0),
  events: z.array(z.int().nonnegative()).min(1),
});
export type NodeObservation = z.infer<typeof NodeObservation>;

export const WitnessReport = z.strictObject({
  observations: z.array(NodeObservation),
  narrative: z.array(Sentence),
  concerns: z.array(Sentence),
  suggestions: z.array(Sentence),
  /** Whether an agent worded it; otherwise the harness did. */
  wordedBy: z.enum(["harness", "witness"]),
});
export type WitnessReport = z.infer<typeof WitnessReport>;

type Words = Pick<WitnessReport, "narrative" | "concerns" | "suggestions">;

/** An agent's words count only where every sentence cites events that were there; one invention spoils all of them. */
export function worded(derived: WitnessReport, words: Words, known: ReadonlySet<number>): WitnessReport {
  const sentences = [...words.narrative, ...words.concerns, ...words.suggestions];
  const honest = sentences.every(({ events }) => events.every((seq) => known.has(seq)));
  if (!honest || words.narrative.length === 0) return derived;
  return { ...derived, ...words, wordedBy: "witness" };
}
