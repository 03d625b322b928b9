// What the harness itself saw of a module on its way: results that move a thread on, whatever an agent says about them.
import { z } from "zod";
import type { EvidenceReport } from "../domain/debate/debate-records.ts";
import type { ClaimCheck } from "../domain/evidence/claim.ts";
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import type { GateName } from "../domain/evidence/gate.ts";
import type { Mutant } from "../domain/evidence/mutant.ts";
import type { LayeredResults } from "../domain/gatekeeper/test-suite-record.ts";
import { StructuredFailure } from "../domain/evidence/structured-failure.ts";
import { Text } from "../domain/refs.ts";
import { GitId } from "../domain/run/workspace-record.ts";

/** Commits of one base brought together; `files` are those that two of them changed in ways that do not fit. */
export const Merged = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("merged"), commit: GitId }),
  z.strictObject({ kind: z.literal("conflict"), files: z.array(Text).min(1) }),
]);
export type Merged = z.infer<typeof Merged>;

/** A test that failed, with the functions of the module that it reaches. */
export const FailedTest = z.strictObject({ failure: StructuredFailure, functions: z.array(Text) });
export type FailedTest = z.infer<typeof FailedTest>;

export const Tested = z.discriminatedUnion("kind", [
  /** Green exactly when there is no failure and something passed; what is skipped or focused is told as a failure. */
  z.strictObject({ kind: z.literal("ran"), passed: z.int().min(0), failures: z.array(FailedTest) }),
  /** It does not build, is no module, or a test file cannot be loaded; in words. */
  z.strictObject({ kind: z.literal("broken"), errors: z.array(Text).min(1) }),
  /** The runner gave no report that can be believed. */
  z.strictObject({ kind: z.literal("no-report"), why: Text, timedOut: z.boolean() }),
]);
export type Tested = z.infer<typeof Tested>;

/** Only these gates look; `examine` without a look asks every gate of the protocol that can. */
export interface Look {
  gates: readonly GateName[];
}

export interface Examination {
  /** What stands in the way of shipping, in words that say what to change. */
  findings: string[];
  /** What the Challenger may see; undefined where not a single test ran. */
  evidence: EvidenceReport | undefined;
  /** Of every gate that was asked, in the order of gates; one that another stopped is NOT_RUN. */
  verdicts: SeenVerdict[];
  /** Mutants that no test noticed; empty where mutation did not run. */
  survivors: Mutant[];
  /** Each claim that was checked; empty where the gate claims did not run. */
  claims: ClaimCheck[];
  /** What each layer of the tests showed; left out where no test ran. */
  layered?: LayeredResults;
}

export interface SeenVerdict {
  gate: GateName;
  verdict: GateVerdict["verdict"];
  findings: string[];
}

/** What a compiler sees of one name: for roles that judge types without being shown how things are done. */
export const SymbolView = z.strictObject({
  name: Text,
  kind: z.enum(["function", "class", "constant", "type"]),
  signature: z.string(),
  async: z.boolean(),
  /** Classes of errors that can leave it. */
  throws: z.array(Text),
  isStub: z.boolean(),
  /** From the module's folder. */
  file: Text,
  line: z.int().min(1),
});
export type SymbolView = z.infer<typeof SymbolView>;

/** Whether two implementations of a contract can be told apart by calling them. */
export const Differs = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("same"), tried: z.int().min(1) }),
  /** The smallest input that could be found, and what each gives for it. */
  z.strictObject({
    kind: z.literal("differ"),
    entry: Text,
    args: z.string(),
    left: z.string(),
    right: z.string(),
    /** Predicates of the contract that each was seen to break for it. */
    breaks: z.strictObject({ left: z.array(Text), right: z.array(Text) }),
  }),
  /** Nothing could be compared; that is no sameness. */
  z.strictObject({ kind: z.literal("impossible"), why: Text }),
]);
export type Differs = z.infer<typeof Differs>;
