// What a model costs, since when that is known, and who said so.
import { z } from "zod";
import { form } from "../refs.ts";

export const ModelName = form(
  /^[a-z][a-z0-9-]*:\S+$/,
  "a provider and a model such as anthropic:claude-opus-5",
);
export type ModelName = z.infer<typeof ModelName>;

/** US dollars for a million tokens. */
const PerMillion = z.number().nonnegative();

export const ModelPrice = z.strictObject({
  model: ModelName,
  input: PerMillion,
  output: PerMillion,
  /** Input that the provider had kept from an earlier call. */
  cachedInput: PerMillion,
  /** Input that the provider keeps for later, at the dearest of its rates. */
  cacheWrite: PerMillion,
  /** The day on which somebody looked. */
  checked: z.iso.date(),
  source: z.url(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;
