// What the roles of the blind protocol are given and what they hand over: words about what was written, never code.
import { z } from "zod";
import { Echoes } from "../blind/echoes.ts";
import { FunctionSpec, FunctionSpecs } from "../blind/function-spec.ts";
import { HardeningHint } from "../blind/hints.ts";
import { PropertyWritten } from "../blind/suite-coverage.ts";
import { EquivalenceClaim, SuiteGap, Survivor } from "../blind/suite-verdict.ts";
import { TypeHole } from "../blind/type-hole.ts";
import { FixApplied, Understanding } from "../blind/understanding.ts";
import { Sentence } from "../blind/witness.ts";
import { ContractDraft } from "../contract/contract-draft.ts";
import { MicroModuleContract } from "../contract/contract.ts";
import { Proposal } from "../debate/debate-records.ts";
import { StructuredFailure } from "../evidence/structured-failure.ts";
import { PlannedModule } from "../plan/micro-plan.ts";
import { Text } from "../refs.ts";
import { DependencyView } from "./debate-roles.ts";

const SourceFile = z.strictObject({ path: Text, text: z.string() });

export const TypesOutput = z.strictObject({
  contract: ContractDraft,
  claim: Proposal.shape.claim.describe("Why these types are what the task needs of the module."),
  acceptance_checks: Proposal.shape.acceptance_checks.describe(
    "For each acceptance criterion that this module serves: the field of the contract that promises it.",
  ),
  typeName: Text.describe("The central type, or the module's name where it has none."),
  typeKind: Text,
  description: Text,
  constructors: z.array(Text).describe("How values of it are made; empty where there is nothing to make."),
  imports: z.array(Text),
  functions: FunctionSpecs.describe("One for each entry point of the contract, and no other."),
  designNotes: Text,
});
export type TypesOutput = z.infer<typeof TypesOutput>;

export const TypesInput = z.strictObject({
  phase: z.enum(["propose", "revise"]),
  task_file: Text,
  module: PlannedModule,
  dependencies: z.array(DependencyView),
  /** What was agreed upon elsewhere and is not to change; null where the contract is still to be written. */
  contract: MicroModuleContract.nullable(),
  /** What this role gave the last time. */
  types: TypesOutput.nullable(),
  holes: z.array(TypeHole),
  findings: z.array(Text),
});
export type TypesInput = z.infer<typeof TypesInput>;

/** What a compiler sees of one name. */
const SeenSymbol = z.looseObject({ name: Text });

export const TypeAdversaryInput = z.strictObject({
  types: TypesOutput,
  skeleton: z.array(SourceFile),
  symbols: z.array(SeenSymbol),
});
export type TypeAdversaryInput = z.infer<typeof TypeAdversaryInput>;

export const TypeAdversaryOutput = z.strictObject({
  holes: z.array(TypeHole),
  analysis: Text.describe("What was looked at, and how."),
  confident: z.boolean().describe("Whether everything was gone through."),
});
export type TypeAdversaryOutput = z.infer<typeof TypeAdversaryOutput>;

export const TestFlavour = z.enum(["property", "example", "fuzz"]);
export type TestFlavour = z.infer<typeof TestFlavour>;

const blindInput = {
  phase: z.enum(["propose", "revise"]),
  type_name: Text,
  constructors: z.array(Text),
  functions: z.array(FunctionSpec).min(1),
  hints: z.array(HardeningHint),
  echoes: Echoes.nullable(),
  /** Why the work came back, in the words of the harness. */
  findings: z.array(Text),
  /** The paths that it may change; whatever else it changes sends all of it back. */
  write_in: z.array(Text).min(1),
};

export const TestsInput = z.strictObject({ ...blindInput, flavour: TestFlavour });
export type TestsInput = z.infer<typeof TestsInput>;

export const TestsOutput = z.strictObject({
  properties: z.array(PropertyWritten).min(1).describe("One for each test that was written."),
  selfVerified: z.boolean().describe("Whether the tests were run here and every one failed on the stubs."),
  strategy: Text,
});
export type TestsOutput = z.infer<typeof TestsOutput>;

export const ImplInput = z.strictObject(blindInput);
export type ImplInput = z.infer<typeof ImplInput>;

const FunctionImplemented = z.strictObject({
  name: Text,
  approach: Text,
  complexity: Text.nullable(),
  handlesEdges: z.array(Text),
});

export const ImplOutput = z.strictObject({
  functions: z.array(FunctionImplemented).min(1),
  dataRepresentation: Text,
  designNotes: Text,
  buildPassed: z.boolean().describe("Whether it was built here without an error."),
});
export type ImplOutput = z.infer<typeof ImplOutput>;

export const FixInput = z.strictObject({
  functions: z.array(FunctionSpec).min(1),
  structured_failures: z.array(StructuredFailure),
  /** What gates found that is no failing test. */
  gate_findings: z.array(Text),
  understanding: Understanding.omit({ runs: true }),
  write_in: z.array(Text).min(1),
});
export type FixInput = z.infer<typeof FixInput>;

export const FixOutput = z.strictObject({
  changes: z.array(FixApplied).min(1),
  buildPassed: z.boolean(),
});
export type FixOutput = z.infer<typeof FixOutput>;

export const MutationAdversaryInput = z.strictObject({
  functions: z.array(FunctionSpec).min(1),
  files: z.array(SourceFile).min(1),
  symbols: z.array(SeenSymbol),
  survivors: z.array(Survivor).min(1),
});
export type MutationAdversaryInput = z.infer<typeof MutationAdversaryInput>;

export const MutationAdversaryOutput = z.strictObject({
  equivalent: z.array(EquivalenceClaim),
  gaps: z.array(SuiteGap),
  analysis: Text,
});
export type MutationAdversaryOutput = z.infer<typeof MutationAdversaryOutput>;

export const WitnessInput = z.strictObject({
  events: z.array(z.strictObject({ seq: z.int().nonnegative(), text: Text })).min(1),
});
export type WitnessInput = z.infer<typeof WitnessInput>;

export const WitnessOutput = z.strictObject({
  narrative: z.array(Sentence).min(1),
  concerns: z.array(Sentence),
  suggestions: z.array(Sentence),
});
export type WitnessOutput = z.infer<typeof WitnessOutput>;
