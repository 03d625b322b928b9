// A verifier with fresh eyes reads the code and the evidence; what it says is put on record as the challenge, and a rule decides.
import { verifier } from "../../agents/roles/verifier.ts";
import type { VerifierOutput } from "../../domain/agent/solo-roles.ts";
import { adjudicateByRule, challengeByRule } from "../../domain/debate/by-rule.ts";
import type { NodeContext } from "../../graph/port.ts";
import { onRecord } from "../on-record.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import { proposalOf } from "./candidate.ts";
import { revisionsExhausted } from "./halt.ts";
import { gaveUp, move } from "./move.ts";
import { counted, type GatekeeperState, type GatekeeperUpdate } from "./state.ts";

export async function verify(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate; goto: "challenge" | "halt" }> {
  const text = await ports.read(context, present(state.merged, "code together with its tests"));
  if (text.kind === "too-large") {
    const output = { rationale: "Nobody can read it.", verdict: "FAIL" as const, findings: [text.problem] };
    return { update: { verified: { output, pack: null } }, goto: "challenge" };
  }
  const { attempt, asked } = counted(state, "verifier");
  const answer = await ports.ask(context, {
    role: verifier,
    attempt,
    input: {
      contract: present(state.contract, "contract"),
      acceptance_criteria: ports.assignment.task.acceptance_criteria,
      files: Object.entries(text.files).map(([path, content]) => ({ path, text: content })),
      evidence: present(state.evidence, "evidence"),
    },
  });
  if (answer.kind === "stopped") return gaveUp(state, { node: "CODE", to: {}, stop: answer.stop }, { asked });
  const { output, pack } = answer;
  return { update: { asked, verified: { output, pack } }, goto: "challenge" };
}

export async function challenge(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate; goto: "ship" | "build" | "halt" }> {
  const { output, pack } = present(state.verified, "verifier's answer");
  const approves = output.verdict === "PASS";
  const { proposal, trail } = await onRecord(state, ports, context, {
    proposal: proposalOf(state),
    challenge: challengeOf(output),
    challenger: pack === null ? { role: "harness" } : { role: "verifier", pack },
    adjudication: adjudicateByRule(
      approves,
      approves
        ? "By rule: the tests pass in every layer, every gate holds, and the verifier has no finding."
        : "By rule: the verifier has findings, so it goes back.",
    ),
  });
  const after = { feedback: [], findings: output.findings };
  return move(
    state,
    {
      node: "CODE",
      facts: { verifier: approves ? "approved" : "refused" },
      to: { door: "ship", builder: "build" } as const,
      reason: () => revisionsExhausted(after),
    },
    { proposal, trail, ...after },
  );
}

function challengeOf({ findings, rationale }: VerifierOutput) {
  return challengeByRule(
    findings.map((evidence) => ({
      invariant: "the module keeps its contract",
      evidence,
      required_change: "Change what the finding says.",
    })),
    (criterion) => (criterion === "R1" ? findings[0] : undefined),
    rationale,
  );
}
