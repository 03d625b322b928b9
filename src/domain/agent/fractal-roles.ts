// What the roles of the fractal protocol are given and what they hand over. They say what they did; commits, results and
// impacts are seen by the harness.
import { z } from "zod";
import { ContractDraft } from "../contract/contract-draft.ts";
import { MicroModuleContract } from "../contract/contract.ts";
import { EvidenceReport } from "../debate/debate-records.ts";
import { StructuredFailure } from "../evidence/structured-failure.ts";
import {
  Adaptation,
  Critique,
  ImplExit,
  RebaserExit,
  ReviewerExit,
  ScaffoldExit,
  TddExit,
} from "../fractal/exits.ts";
import {
  AnnouncedExport,
  ChildSpec,
  Criterion,
  NodeSpec,
  PlannedTest,
  TreeLimits,
} from "../fractal/node-spec.ts";
import { MergeEvent } from "../run/merge-event.ts";
import { Text } from "../refs.ts";
import { DependencyView } from "./debate-roles.ts";

const SourceFile = z.strictObject({ path: Text, text: z.string() });
const [, Clarification] = ScaffoldExit.options;
const [, InvalidScaffold, Approved, MoreTests, Reject] = TddExit.options;
const [, , BlockedDependency, SpecAmbiguity, Stuck] = ImplExit.options;
const [Approve, RequestChanges, ReviewReject] = ReviewerExit.options;
const [, , RebaseConflict] = RebaserExit.options;

/** What the harness adds itself is not asked for: which criteria have tests is counted, not claimed. */
const signOff = { coverageReport: true } as const;

export const ScaffoldInput = z.strictObject({
  phase: z.enum(["plan", "repair"]),
  task_file: Text,
  spec: NodeSpec,
  /** What its parent has announced it to be, and what it answers for; null at the root. */
  parent: z
    .strictObject({ exports: z.array(AnnouncedExport).min(1), assigned: z.array(Criterion).min(1) })
    .nullable(),
  dependencies: z.array(DependencyView),
  /** Of its own: at the deepest level nothing may be divided further. */
  level: z.int().min(1),
  limits: TreeLimits,
  /** What it planned before. */
  contract: MicroModuleContract.nullable(),
  children: z.array(ChildSpec),
  /** Answers to its own questions, the newest last. */
  answers: z.array(z.strictObject({ question: Text, answer: Text })),
  findings: z.array(Text),
});
export type ScaffoldInput = z.infer<typeof ScaffoldInput>;

export const ScaffoldPlan = z.strictObject({
  kind: z.literal("InitWork"),
  contract: ContractDraft,
  test_plan: z.array(PlannedTest).min(1).describe("At least one test for each criterion."),
  children: z.array(ChildSpec).describe("Empty where this node makes everything itself."),
});
export const ScaffoldOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [ScaffoldPlan, Clarification]),
});
export type ScaffoldOutput = z.infer<typeof ScaffoldOutput>;

/** A child asks its parent, who wrote what it was given. */
export const AnswerChildInput = z.strictObject({
  spec: NodeSpec,
  contract: MicroModuleContract,
  child: ChildSpec,
  question: Clarification.omit({ kind: true }),
});
export const AnswerChildOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("Answer"),
      answer: Text,
      because: Text.describe("The words of the specification that decide it."),
    }),
    Clarification,
  ]),
});
export type AnswerChildOutput = z.infer<typeof AnswerChildOutput>;

export const TestAuthorInput = z.strictObject({
  phase: z.enum(["write", "repair"]),
  spec: NodeSpec,
  contract: MicroModuleContract,
  test_plan: z.array(PlannedTest).min(1),
  /** Criteria whose tests are there already. */
  covered: z.array(Criterion.shape.id),
  critiques: z.array(Critique),
  findings: z.array(Text),
  write_in: z.array(Text).min(1),
});
export type TestAuthorInput = z.infer<typeof TestAuthorInput>;

const ShownBy = z.strictObject({
  test: Text.describe("As the runner names it, with the names of the groups around it separated by ' > '."),
  criterion: Criterion.shape.id,
});

/** All tests at once. */
export const TestsWrittenOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("TestsReady"),
      shows: z.array(ShownBy).min(1).describe("Each test once."),
    }),
    InvalidScaffold,
  ]),
});
export type TestsWrittenOutput = z.infer<typeof TestsWrittenOutput>;

/** One test, or none because all criteria have theirs. */
export const ChallengeOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("EmitChallenge"), test: Text, criterion: Criterion.shape.id }),
    z.strictObject({ kind: z.literal("ConcludeSuite") }),
    InvalidScaffold,
  ]),
});
export type ChallengeOutput = z.infer<typeof ChallengeOutput>;

export const FractalImplInput = z.strictObject({
  phase: z.enum(["build", "repair"]),
  spec: NodeSpec,
  contract: MicroModuleContract,
  /** Where tests come one at a time: the one to pass now. */
  test_challenge: z.strictObject({ test: Text, criterion: Criterion.shape.id }).nullable(),
  dependencies: z.array(DependencyView),
  structured_failures: z.array(StructuredFailure),
  critiques: z.array(Critique),
  findings: z.array(Text),
  /** What earlier attempts did and where they failed. */
  history: z.array(z.strictObject({ strategy: Text, outcome: Text })),
  write_in: z.array(Text).min(1),
});
export type FractalImplInput = z.infer<typeof FractalImplInput>;

export const FractalImplOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("TestsPassed"),
      strategy: Text.describe("How it was done, in a sentence."),
    }),
    BlockedDependency,
    SpecAmbiguity,
    Stuck.omit({ attempts: true }),
  ]),
});
export type FractalImplOutput = z.infer<typeof FractalImplOutput>;

const judged = {
  spec: NodeSpec,
  contract: MicroModuleContract,
  files: z.array(SourceFile).min(1),
  evidence: EvidenceReport,
  /** Which test shows which criterion, as the harness saw it. */
  coverage: Approved.shape.coverageReport,
};

export const ReviewInput = z.strictObject(judged);
export type ReviewInput = z.infer<typeof ReviewInput>;

/** In batch rhythm, where all tests came first. */
export const TddReviewOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [Approved.omit(signOff), MoreTests, Reject]),
});
export type TddReviewOutput = z.infer<typeof TddReviewOutput>;

export const ReviewerOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [Approve.omit(signOff), RequestChanges, ReviewReject]),
});
export type ReviewerOutput = z.infer<typeof ReviewerOutput>;

/** A parent looks at what came of a child. */
export const JudgeChildInput = z.strictObject({ ...judged, child: ChildSpec });
export const JudgeChildOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("Satisfied"), rationale: Text }),
    z.strictObject({
      kind: z.literal("SendBack"),
      missingCriteria: z.array(Criterion.shape.id).min(1),
      critiques: z.array(Critique).min(1),
    }),
  ]),
});
export type JudgeChildOutput = z.infer<typeof JudgeChildOutput>;

export const RebaserInput = z.strictObject({
  event: MergeEvent,
  /** What of it this node uses, as `node.export`. */
  touched: z.array(Text).min(1),
  hunks: z.array(z.strictObject({ file: Text, ours: z.string(), theirs: z.string() })),
  structured_failures: z.array(StructuredFailure),
  dependencies: z.array(DependencyView),
  write_in: z.array(Text).min(1),
});
export type RebaserInput = z.infer<typeof RebaserInput>;

export const RebaserOutput = z.strictObject({
  exit: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("RebaseAdapted"), adaptations: z.array(Adaptation).min(1) }),
    RebaseConflict,
  ]),
});
export type RebaserOutput = z.infer<typeof RebaserOutput>;
