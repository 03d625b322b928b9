// What the rows of a trial say, arm by arm; a share of nothing is null and never a success.
import { z } from "zod";
import type { TrialProtocol } from "./trial-protocol.ts";
import type { TrialRow } from "./trial-row.ts";

/** The keys that `cupel trial run --json` prints for each arm. */
export const ArmFigures = z.strictObject({
  tasks: z.int(),
  escaped: z.int(),
  falseRejections: z.int(),
  crashRate: z.number().nullable(),
  correctness: z.number().nullable(),
  coverage: z.number().nullable(),
  staticPass: z.number().nullable(),
  calls: z.int(),
  tokens: z.int(),
});

export interface TrialSummary {
  arms: Readonly<Record<string, z.infer<typeof ArmFigures>>>;
}

export function summarize(_protocol: TrialProtocol, _rows: readonly TrialRow[]): TrialSummary {
  throw new Error("not counted yet");
}
