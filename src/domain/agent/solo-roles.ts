// What the builder and the verifier of the solo protocol are given and what they hand over.
import { z } from "zod";
import { MicroModuleContract } from "../contract/contract.ts";
import { EvidenceReport, Proposal, Verdict } from "../debate/debate-records.ts";
import { refuse } from "../parse.ts";
import { Text } from "../refs.ts";
import { DependencyView } from "./debate-roles.ts";

export const BuilderInput = z
  .strictObject({
    phase: z.enum(["build", "repair"]),
    task_file: Text,
    contract: MicroModuleContract,
    dependencies: z.array(DependencyView),
    /** What the harness or the verifier found wrong. */
    findings: z.array(Text),
  })
  .superRefine(({ phase, findings }, context) => {
    if ((phase === "repair") === findings.length > 0) return;
    const expected = phase === "repair" ? "what sent the work back" : "no findings before anything was built";
    refuse(context, ["findings"], expected, `${findings.length} listed`);
  });
export type BuilderInput = z.infer<typeof BuilderInput>;

export const BuilderOutput = z.strictObject({
  claim: Proposal.shape.claim.describe("What was built, and why it keeps the contract."),
});
export type BuilderOutput = z.infer<typeof BuilderOutput>;

export const VerifierInput = z.strictObject({
  contract: MicroModuleContract,
  acceptance_criteria: z.array(Text).min(1),
  files: z.array(z.strictObject({ path: Text, text: z.string() })).min(1),
  evidence: EvidenceReport,
});
export type VerifierInput = z.infer<typeof VerifierInput>;

export const VerifierOutput = z
  .strictObject({
    rationale: Text.describe("What was looked at, and what follows from it."),
    verdict: Verdict,
    findings: z
      .array(Text)
      .describe("With FAIL: each thing that must change, where and why. With PASS: none."),
  })
  .superRefine(({ verdict, findings }, context) => {
    if ((verdict === "FAIL") === findings.length > 0) return;
    const expected = verdict === "FAIL" ? "at least one finding with FAIL" : "no findings with PASS";
    refuse(context, ["findings"], expected, `${findings.length} listed`);
  });
export type VerifierOutput = z.infer<typeof VerifierOutput>;
