// The proof that a module works, and the log of the tests behind it; what does not add up is not evidence.
import { z } from "zod";
import { idOfType } from "../artifact/artifact-type.ts";
import { refuse } from "../parse.ts";
import { Fingerprint, IsoTime, ModuleId, PayloadRef, Semver, Text } from "../refs.ts";

const Result = z.enum(["PASS", "FAIL"]);

/** A person's word that took the place of the factory's, with the escalation it was given in. */
export const PersonsWord = z.strictObject({ escalation_ref: idOfType("ESCALATION"), rationale: Text });
export type PersonsWord = z.infer<typeof PersonsWord>;

export const ShipEvidence = z.strictObject({
  module_id: ModuleId,
  module_version: Semver,
  ship_id: idOfType("SHIP_EVIDENCE"),
  verified_at: IsoTime,
  verification: z.strictObject({
    result: Result,
    /** The contract's fingerprint, computed again at ship. */
    interface_fingerprint: Fingerprint,
    /** The execution log. */
    evidence_ref: PayloadRef,
  }),
  environment: z.strictObject({ repo_revision: Text, dependency_lock_ref: Text, runner_id: Text }),
  /** Only ever `true`: shipped without a debate, which stays visible for ever. */
  undebated: z.literal(true).optional(),
  /** A person approved what the debate had not. */
  override: PersonsWord.optional(),
  /** A person vouched that it is done. */
  attestation: PersonsWord.optional(),
});
export type ShipEvidence = z.infer<typeof ShipEvidence>;

/** Written by whoever ran the tests, which is never the agent that wrote them. */
export const ExecutionLog = z
  .strictObject({
    module_id: ModuleId,
    module_version: Semver,
    executed_at: IsoTime,
    tests: z
      .array(z.strictObject({ name: Text, result: Result, duration_ms: z.number().nonnegative().optional() }))
      .min(1),
    summary: z.strictObject({
      total: z.int().positive(),
      passed: z.int().nonnegative(),
      failed: z.int().nonnegative(),
    }),
  })
  .superRefine((log, context) => {
    const seen = new Map<string, number>();
    log.tests.forEach(({ name }, index) => {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, index);
      else
        refuse(
          context,
          ["tests", index, "name"],
          `a name that tests[${first}] does not have`,
          `"${name}" again`,
        );
    });
    const passed = log.tests.filter(({ result }) => result === "PASS").length;
    const counted = { total: log.tests.length, passed, failed: log.tests.length - passed };
    for (const key of ["total", "passed", "failed"] as const) {
      if (log.summary[key] !== counted[key]) {
        refuse(context, ["summary", key], `${counted[key]}, as the tests show`, String(log.summary[key]));
      }
    }
  });
export type ExecutionLog = z.infer<typeof ExecutionLog>;
