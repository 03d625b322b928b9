// What a trial is to show and how, written down before the first run; whatever differs afterwards is another trial.
import { z } from "zod";
import { canonicalJson, sha256Hex } from "../canonical.ts";
import { Config } from "../config.ts";
import { ProtocolName, RigorName } from "../evidence/rigor.ts";
import { Text } from "../refs.ts";

const Share = z.number().min(0).max(1);

/** How good the simulated workers are; the same draw holds for every arm. */
export const WorkerParameters = z.strictObject({
  defect: Share.describe("How likely an implementer's first solution has a defect."),
  coverage: Share.describe("How likely a test author's tests show each constraint."),
  wrongTest: Share.describe("How likely each test that is written is wrong."),
  sensitivity: Share.describe("How likely a reviewer sees that something is wrong."),
  specificity: Share.describe("How likely a reviewer lets pass what is right."),
});
export type WorkerParameters = z.infer<typeof WorkerParameters>;

/** Those of the published table. */
export const USUAL_WORKERS: WorkerParameters = {
  defect: 0.4,
  coverage: 0.7,
  wrongTest: 0.05,
  sensitivity: 0.6,
  specificity: 0.9,
};

export const TrialArm = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "use lower-case words with hyphens"),
  protocol: ProtocolName,
  rigor: RigorName,
  gates: z
    .enum(["on", "off"])
    .describe("Where gates are off they advise only: the negative control, which must show no effect."),
});
export type TrialArm = z.infer<typeof TrialArm>;

/** What of a project's settings says who its agents are. */
export const AgentSettings = Config.pick({ models: true, roles: true, acp: true, budget: true });
export type AgentSettings = z.infer<typeof AgentSettings>;

const Simulated = z.strictObject({ kind: z.literal("simulated"), parameters: WorkerParameters });
const Real = z.strictObject({
  kind: z.literal("runtime"),
  runtime: Text.describe("As for `cupel run --runtime`."),
  model: Text.optional().describe("As for `cupel run --model`."),
  settings: AgentSettings.optional().describe("Those of cupel.config.json where the trial was registered."),
});

export const PrimaryOutcome = z.enum(["escaped", "correctness", "falseRejections", "crashRate"]);

export const TrialProtocol = z.strictObject({
  name: Text,
  corpus: Text.describe("`builtin`, `exercism:PATH` or `polyglot:PATH`."),
  tasks: z.array(Text).describe("By id, in the order of the corpus; fixed before the first run."),
  seeds: z.array(z.int().nonnegative()).min(1),
  arms: z.array(TrialArm).min(1),
  /** The arm that the others are compared with. */
  control: Text,
  workers: z.discriminatedUnion("kind", [Simulated, Real]),
  primary: PrimaryOutcome,
  stop: z.strictObject({
    maxRuns: z.int().positive().optional(),
    maxTokens: z.int().positive().optional(),
    maxCostUsd: z.number().positive().optional(),
  }),
});
export type TrialProtocol = z.infer<typeof TrialProtocol>;

/** Beside the protocol from the first run on. */
export const TrialLock = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export function protocolHash(protocol: TrialProtocol): string {
  return sha256Hex(canonicalJson(protocol));
}
