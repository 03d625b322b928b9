// The verdict on code and tests, by rule: weak tests go back to the tester, wrong code to the builder, and what is critical to
// a person. What the tester thinks of it is not asked.
import { adjudicateByRule, challengeByRule } from "../../domain/debate/by-rule.ts";
import { feedbackLine, revisionFeedback } from "../../domain/gatekeeper/revision-feedback.ts";
import { type TesterVerdict, verdictOf } from "../../domain/gatekeeper/tester-verdict.ts";
import type { NodeContext } from "../../graph/port.ts";
import { onRecord } from "../on-record.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import { bringTogether } from "./bring-together.ts";
import { examined, proposalOf } from "./candidate.ts";
import { critical, revisionsExhausted, suiteExhausted } from "./halt.ts";
import { lookAt, type Seen } from "./look.ts";
import { move } from "./move.ts";
import type { GatekeeperState, GatekeeperUpdate } from "./state.ts";
import { lawAfter, weaknessesOf } from "./suite-strength.ts";

type Judged = { update: GatekeeperUpdate; goto: "verify" | "build" | "test" | "halt" };
const TO = { verifier: "verify", builder: "build", tester: "test" } as const;

export async function judge(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Judged> {
  const together = await bringTogether(state, ports, context);
  if (together.kind === "conflict") {
    const why = [`tests-untouched: code and tests both changed ${together.files.join(", ")}`];
    const facts = { verdict: "FAIL" as const };
    return move(state, { node: "CODE", facts, to: TO, reason: () => critical(why) }, { verdict: "FAIL" });
  }
  const { merged, suiteCommit } = together;
  const weak = await weaknessesOf(state, ports, context, suiteCommit);
  if (weak.length > 0) return toTester(state, weak, { merged, suiteCommit });
  const now = { ...state, merged, suiteCommit };
  const seen = await lookAt(examined(now), ports, context);
  const update = {
    merged,
    suiteCommit,
    believed: suiteCommit,
    evidence: seen.examination?.evidence ?? null,
    ...(seen.examination?.layered === undefined ? {} : { results: seen.examination.layered }),
  };
  const verdict = verdictOf(seen.sorted);
  switch (verdict) {
    case "weak":
      return toTester(now, seen.sorted.tests, update);
    case "PASS":
      return move(
        state,
        { node: "CODE", facts: { verdict }, to: TO, reason: () => critical([]) },
        { ...update, verdict, feedback: [], findings: [] },
      );
    default:
      return refused(now, ports, context, verdict, seen, update);
  }
}

function toTester(state: GatekeeperState, weak: readonly string[], more: GatekeeperUpdate): Judged {
  return move(
    state,
    { node: "TEST_SUITE", facts: { suite: "refused" }, to: TO, reason: () => suiteExhausted(weak) },
    { ...more, findings: [...weak], weaknesses: [...state.weaknesses, ...weak] },
  );
}

/** Each refused attempt is on record, so that a person's fix goes on from it. */
async function refused(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
  verdict: Exclude<TesterVerdict, "PASS">,
  { sorted, failures }: Seen,
  more: GatekeeperUpdate,
): Promise<Judged> {
  const feedback = revisionFeedback(failures);
  const told = feedback.map(feedbackLine);
  const found =
    verdict === "FAIL" ? sorted.critical : sorted.code.filter((finding) => !isFailure(finding, failures));
  const evidence = [...found, ...told];
  const { proposal, trail } = await onRecord(state, ports, context, {
    // What was seen to pass before was other code.
    proposal: proposalOf({ ...state, evidence: null }),
    challenge: challengeByRule(
      evidence.map((each) => ({
        invariant: verdict === "FAIL" ? "nothing critical is found" : "the code keeps its specification",
        evidence: each,
        required_change: "Remove the cause.",
      })),
      (criterion) => (criterion === "R1" ? evidence[0] : undefined),
      "Nothing that the harness saw speaks against it.",
    ),
    challenger: { role: "harness" },
    adjudication: adjudicateByRule(false, `By rule: the verdict of the tests is ${verdict}.`),
  });
  const law = await lawAfter(state, failures, ports, context, suiteCommitOf(state));
  const known = new Set(state.earlierFailures.map(({ propertyName }) => propertyName));
  const fresh = failures.map(({ failure }) => failure).filter(({ propertyName }) => !known.has(propertyName));
  const after = { feedback, findings: found };
  return move(
    state,
    {
      node: "CODE",
      facts: { verdict },
      to: TO,
      reason: () => (verdict === "FAIL" ? critical(evidence) : revisionsExhausted(after)),
    },
    {
      ...more,
      ...after,
      verdict,
      proposal,
      trail,
      law,
      earlierFailures: [...state.earlierFailures, ...fresh],
    },
  );
}

/** Where hashes do not depend on the code. */
function suiteCommitOf({ suiteCommit }: GatekeeperState): string {
  return present(suiteCommit, "tests on the skeleton");
}

function isFailure(finding: string, failures: Seen["failures"]): boolean {
  return failures.some(({ failure }) => finding === `green: ${failure.propertyName} fails`);
}
