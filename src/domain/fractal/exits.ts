// Every way in which somebody who works on a node can end a turn. What a turn says about itself is metadata: commits, test
// results and impacts are filled in by the harness.
import { z } from "zod";
import { MergeEvent } from "../run/merge-event.ts";
import { GitId } from "../run/workspace-record.ts";
import { Text } from "../refs.ts";
import { ChildSpec, Criterion, PlannedTest } from "./node-spec.ts";

export const Critique = z.strictObject({
  file: Text,
  line: z.int().min(1),
  issue: Text,
  requiredFix: Text,
});
export type Critique = z.infer<typeof Critique>;

const CriterionId = Criterion.shape.id;

export const ScaffoldExit = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("InitWork"),
    scaffoldCommit: GitId,
    interfaceFile: Text,
    contractSuite: Text,
    testPlan: z.array(PlannedTest).min(1),
    /** None where the node makes everything itself. */
    children: z.array(ChildSpec),
  }),
  z.strictObject({
    kind: z.literal("ClarificationNeeded"),
    question: Text,
    ambiguityReference: Text,
    /** The exact words that can be read in two ways. */
    specSentence: Text,
  }),
]);
export type ScaffoldExit = z.infer<typeof ScaffoldExit>;

const InvalidScaffold = z.strictObject({
  kind: z.literal("InvalidScaffold"),
  missingType: Text,
  expectedLocation: Text,
});

export const CriteriaCoverage = z.strictObject({
  criteriaWithTests: z.array(z.strictObject({ criterion: CriterionId, test: Text })),
  criteriaMissing: z.array(CriterionId),
});
export type CriteriaCoverage = z.infer<typeof CriteriaCoverage>;

/** In batch rhythm one role writes all tests first and reviews at the end. */
export const TddExit = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("TestsReady"),
    testsCommit: GitId,
    testFiles: z.array(Text).min(1),
    pendingCriteria: z.array(CriterionId).min(1),
  }),
  InvalidScaffold,
  z.strictObject({ kind: z.literal("Approved"), signOff: Text, coverageReport: CriteriaCoverage }),
  z.strictObject({
    kind: z.literal("MoreTests"),
    critiques: z.array(Critique),
    additionalTests: z.array(PlannedTest).min(1),
  }),
  z.strictObject({ kind: z.literal("Reject"), reason: Text, missingCriteria: z.array(CriterionId) }),
]);
export type TddExit = z.infer<typeof TddExit>;

/** In ping-pong rhythm tests come one at a time. */
export const TestAuthorExit = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("EmitChallenge"),
    testsCommit: GitId,
    test: Text,
    criterion: CriterionId,
  }),
  z.strictObject({ kind: z.literal("ConcludeSuite"), coverageReport: CriteriaCoverage }),
  InvalidScaffold,
]);
export type TestAuthorExit = z.infer<typeof TestAuthorExit>;

export const StuckKind = z.enum(["SkillCeiling", "InfiniteLoop", "SpecImpossible", "ResourceExhausted"]);
export type StuckKind = z.infer<typeof StuckKind>;

export const ImplExit = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("TestsPassed"),
    commitHash: GitId,
    iterations: z.int().min(1),
    passedTests: z.array(Text).min(1),
  }),
  z.strictObject({
    kind: z.literal("RequestRetry"),
    diagnosis: Text,
    strategyFrom: Text,
    strategyTo: Text,
    failingTests: z.array(Text).min(1),
  }),
  z.strictObject({ kind: z.literal("BlockedDependency"), missingSymbol: Text, expectedImportPath: Text }),
  z.strictObject({
    kind: z.literal("SpecAmbiguity"),
    specSentence: Text,
    contradictionTrace: Text,
    question: Text,
  }),
  z.strictObject({
    kind: z.literal("Stuck"),
    subtype: StuckKind,
    diagnosis: Text,
    recommendation: Text,
    attempts: z.int().min(1),
  }),
]);
export type ImplExit = z.infer<typeof ImplExit>;

export const ReviewerExit = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("Approve"), signOff: Text, coverageReport: CriteriaCoverage }),
  z.strictObject({ kind: z.literal("RequestChanges"), critiques: z.array(Critique).min(1) }),
  z.strictObject({ kind: z.literal("Reject"), reason: Text, missingCriteria: z.array(CriterionId) }),
]);
export type ReviewerExit = z.infer<typeof ReviewerExit>;

export const MergerExit = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("MergeComplete"), mergeCommit: GitId, event: MergeEvent }),
  z.strictObject({
    kind: z.literal("MergeRejected"),
    reason: z.enum(["ContractViolation", "BuildFailure", "IntegrationFailure"]),
    details: Text,
    failingTests: z.array(Text),
  }),
]);
export type MergerExit = z.infer<typeof MergerExit>;

export const Adaptation = z.strictObject({ symbol: Text, change: Text, reason: Text });
export type Adaptation = z.infer<typeof Adaptation>;

export const RebaserExit = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("RebaseClean"), newBase: GitId }),
  z.strictObject({
    kind: z.literal("RebaseAdapted"),
    newBase: GitId,
    adaptations: z.array(Adaptation).min(1),
  }),
  z.strictObject({
    kind: z.literal("RebaseConflict"),
    conflictFile: Text,
    ourChange: z.string(),
    theirChange: z.string(),
    whyUnresolvable: Text,
  }),
]);
export type RebaserExit = z.infer<typeof RebaserExit>;

/** By who ends the turn. */
export interface Exits {
  scaffold: ScaffoldExit;
  tdd: TddExit;
  test_author: TestAuthorExit;
  impl: ImplExit;
  reviewer: ReviewerExit;
  merger: MergerExit;
  rebaser: RebaserExit;
}
export type Actor = keyof Exits;
