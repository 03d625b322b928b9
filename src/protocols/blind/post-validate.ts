// Every gate on code whose tests pass, real mutants included; what they find goes to whoever can do something about it.
import { mutationResult } from "../../domain/blind/suite-verdict.ts";
import { isCritical } from "../../domain/evidence/mutant.ts";
import type { NodeContext } from "../../graph/port.ts";
import { isAboutTests } from "../about-tests.ts";
import type { ProtocolPorts } from "../port.ts";
import type { Examination } from "../seen.ts";
import { adviseOn } from "./advice.ts";
import { examined } from "./candidate.ts";
import { fixesExhausted, halted, survivorsLeft } from "./halt.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

type Judged = {
  update: BlindUpdate;
  goto: "fix" | "mutation_adversary" | "mutation_fix" | "certify" | "halt";
};

/** How often tests may be added for what gates and mutants show. */
export const MAX_MUTATION_ROUNDS = 2;

export async function postValidate(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Judged> {
  const seen = await ports.examine(context, examined(state));
  const mutation = mutationResult(seen.survivors, seen.evidence?.mutation);
  const update = { evidence: seen.evidence ?? null, mutation, gateFindings: [] };
  const { code, tests } = sorted(seen);
  if (code.length > 0) return toFix({ ...state, ...update }, ports, code, update);
  const survive = survivorsBlock(seen, ports);
  if (tests.length > 0 || survive) {
    const findings = tests.length > 0 ? tests : ["mutation: mutants survive that no test notices"];
    if (state.mutationRounds >= MAX_MUTATION_ROUNDS)
      return halted(
        state,
        survivorsLeft(state.mutationRounds, mutation.survivors, findings.join("; ")),
        update,
      );
    const goto = survive && mutation.survivors.length > 0 ? "mutation_adversary" : "mutation_fix";
    return { update: { ...update, gateFindings: findings }, goto };
  }
  if (mutation.survivors.length === 0) return { update, goto: "certify" };
  const { contract, commit } = examined(state);
  const functions = [...state.functions];
  await adviseOn(context, { contract, commit, functions, survivors: mutation.survivors });
  return { update: { ...update, advised: true }, goto: "certify" };
}

function sorted({ findings, evidence }: Examination): { code: string[]; tests: string[] } {
  const code = findings.filter((finding) => !isAboutTests(finding));
  if (code.length === 0 && findings.length === 0 && evidence === undefined)
    return { code: ["green: no test ran"], tests: [] };
  return { code, tests: findings.filter(isAboutTests) };
}

/** Critical survivors block whatever the rigor says; others where it says so. */
function survivorsBlock({ survivors, verdicts }: Examination, { assignment }: ProtocolPorts): boolean {
  if (survivors.some(isCritical)) return true;
  const verdict = verdicts.find(({ gate }) => gate === "mutation")?.verdict;
  return assignment.rigor.mutation.blocking && (verdict === "FAIL" || verdict === "ERROR");
}

function toFix(
  state: BlindState,
  { assignment }: ProtocolPorts,
  findings: string[],
  update: BlindUpdate,
): { update: BlindUpdate; goto: "fix" | "halt" } {
  const found = { ...update, gateFindings: findings };
  if (state.fixAttempts >= assignment.rigor.maxFixAttempts)
    return halted(state, fixesExhausted(state.fixAttempts, { ...state, gateFindings: findings }), found);
  return { update: found, goto: "fix" };
}
