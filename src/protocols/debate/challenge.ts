// Lets the Challenger judge what was proposed, and the harness judge the challenge: a mild review does not count.
import type { z } from "zod";
import { contractFields } from "../../domain/contract/contract-draft.ts";
import { autoFail, checkCompliance } from "../../domain/debate/challenge-compliance.ts";
import type { Citable } from "../../domain/debate/citation.ts";
import type { Challenge } from "../../domain/debate/debate-records.ts";
import { challengeAgain, route } from "../../domain/debate/retry-policy.ts";
import type { ChallengerOutput } from "../../domain/agent/debate-roles.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { Ask, ProtocolPorts } from "../port.ts";
import { halted } from "./halt.ts";
import { type DebateState, type DebateUpdate, nextAsked, present } from "./state.ts";

export type Challenged = { update: DebateUpdate; goto: "again" | "revise" | "adjudicate" | "halt" };

export async function challengeWith<Input extends z.ZodType>(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
  request: Omit<Ask<Input, typeof ChallengerOutput>, "attempt">,
): Promise<Challenged> {
  const asked = nextAsked(state, "challenger");
  const answer = await ports.ask(context, { ...request, attempt: state.asked.challenger + 1 });
  if (answer.kind === "stopped") {
    const { update, goto } = halted(state, stoppedBy(answer.stop));
    return { update: { ...update, ...asked }, goto };
  }
  const proposal = present(state.proposal, "proposal");
  const { pack, output } = answer;
  const judged = checkCompliance({ ...IDS, ...output }, citable(state, ports));
  let words: Omit<Challenge, "challenge_id" | "target_artifact_id"> = output;
  if (judged.kind === "non_compliant") {
    const violations = judged.violations.map(({ message }) => message);
    const again = challengeAgain(state.complianceRetries);
    if (again.goto === "challenge")
      return { update: { ...asked, complianceRetries: again.retriesUsed, violations }, goto: "again" };
    const { challenge_id: _, target_artifact_id: __, ...failed } = autoFail(IDS, judged.violations);
    words = failed;
  }
  const challenge = await ports.records.challenge(context, proposal, words, { role: "challenger", pack });
  const next = route({ kind: "challenged", verdict: challenge.verdict }, state);
  const update = { ...asked, challenge, complianceRetries: 0, violations: [] };
  if (next.goto === "adjudicate") return { update, goto: "adjudicate" };
  return {
    update: {
      ...update,
      revisionsUsed: next.revisionsUsed,
      failures: challenge.failures,
      findings: [],
      rounds: [...state.rounds, { proposal, challenge, adjudication: null }],
      challenge: null,
    },
    goto: "revise",
  };
}

/** In both rounds; each adds what only it has. */
export function seenByChallengers(state: DebateState, { assignment }: ProtocolPorts) {
  return {
    contract: present(state.contract, "contract"),
    dependencies: [...assignment.dependencies],
    proposal: present(state.proposal, "proposal"),
    acceptance_criteria: assignment.task.acceptance_criteria,
    debate_trail: state.rounds.map(({ proposal, challenge }) => ({ proposal, challenge })),
    violations: [...state.violations],
  };
}

/** Stand-ins while it is judged whether there is a challenge at all. */
const IDS = { challenge_id: "CHAL-00000000", target_artifact_id: "PROP-00000000" };

function citable({ contract, evidence }: DebateState, { assignment }: ProtocolPorts): Citable {
  return {
    tests: evidence?.tests.map(({ name }) => name) ?? [],
    contractFields: [...contractFields(present(contract, "contract")).keys()],
    acceptanceCriteria: assignment.task.acceptance_criteria,
  };
}
