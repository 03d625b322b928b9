// How many work on one module side by side in the blind protocol, and whether they wait for the type adversary.
import { z } from "zod";

export const Speculation = z.enum(["off", "abort", "mail"]);
export type Speculation = z.infer<typeof Speculation>;

export const BlindSettings = z.strictObject({
  testers: z
    .int()
    .min(1)
    .max(3)
    .describe("How many suites are written: 1 property, 2 also example, 3 also fuzz; 1 by default."),
  implementers: z
    .int()
    .min(1)
    .max(3)
    .describe("How many implementations are written and held against each other; 1 by default."),
  speculation: Speculation.describe(
    "Whether tests and code begin before the type adversary has answered: off (the default), abort them on a critical hole, or mail the hole to them.",
  ),
});
export type BlindSettings = z.infer<typeof BlindSettings>;

export const DEFAULT_BLIND: BlindSettings = { testers: 1, implementers: 1, speculation: "off" };
