// What the roles of the gatekeeper protocol are given and what they hand over: words about their work, never results.
import { z } from "zod";
import { MicroModuleContract } from "../contract/contract.ts";
import { StructuredFailure } from "../evidence/structured-failure.ts";
import { TestLayer } from "../evidence/test-layer.ts";
import { ModuleResearch } from "../gatekeeper/module-research.ts";
import { RevisionFeedback } from "../gatekeeper/revision-feedback.ts";
import { TesterVerdict } from "../gatekeeper/tester-verdict.ts";
import { PlannedModule } from "../plan/micro-plan.ts";
import { Text } from "../refs.ts";
import { DependencyView } from "./debate-roles.ts";

const phase = z.enum(["propose", "revise"]);
/** Why the work came back, in the words of the harness. */
const findings = z.array(Text);

export const ResearcherInput = z.strictObject({
  phase,
  task_file: Text,
  /** What the plan says of the module. */
  module: PlannedModule,
  dependencies: z.array(DependencyView),
  /** What this role gave the last time. */
  earlier: ModuleResearch.nullable(),
  findings,
});
export type ResearcherInput = z.infer<typeof ResearcherInput>;

export const ArchitectInput = z.strictObject({
  phase,
  task_file: Text,
  module: PlannedModule,
  dependencies: z.array(DependencyView),
  research: ModuleResearch,
  /** What was agreed upon elsewhere and is not to change, or what this role gave the last time. */
  contract: MicroModuleContract.nullable(),
  /** As the module is imported by its users. */
  import_name: Text,
  findings,
});
export type ArchitectInput = z.infer<typeof ArchitectInput>;

export const GatedBuilderInput = z.strictObject({
  phase,
  contract: MicroModuleContract,
  dependencies: z.array(DependencyView),
  /** Tests that failed on the code, without their source. */
  feedback: z.array(RevisionFeedback),
  findings,
  /** The paths that it may change; whatever else it changes is thrown away with the rest. */
  write_in: z.array(Text).min(1),
});
export type GatedBuilderInput = z.infer<typeof GatedBuilderInput>;

export const TesterInput = z.strictObject({
  phase,
  contract: MicroModuleContract,
  research: ModuleResearch,
  dependencies: z.array(DependencyView),
  /** Of earlier code: these tests stay as they are. */
  structured_failures: z.array(StructuredFailure),
  /** Layers that the suite must have, as the rigor says. */
  layers: z.array(TestLayer).min(1),
  findings,
  write_in: z.array(Text).min(1),
});
export type TesterInput = z.infer<typeof TesterInput>;

export const TesterOutput = z.strictObject({
  tests: z
    .array(z.strictObject({ name: Text, layer: TestLayer, targets: z.array(Text) }))
    .min(1)
    .describe("One for each test that was written; the harness looks for itself."),
  strategy: Text.describe("How the code was attacked."),
  expected: TesterVerdict.describe("What you think the harness will find; it decides nothing."),
});
export type TesterOutput = z.infer<typeof TesterOutput>;
