// Lets the Arbiter end the round with a decision, which is carried out as it is written.
import { arbiter } from "../../agents/roles/arbiter.ts";
import { decisionsOpen, route } from "../../domain/debate/retry-policy.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { halted, rejected } from "./halt.ts";
import { type DebateState, type DebateUpdate, nextAsked, present } from "./state.ts";

export type Adjudicated = {
  update: DebateUpdate;
  goto: "approved" | "apply_amendments" | "revise" | "halt";
};

export async function adjudicate(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Adjudicated> {
  const { assignment } = ports;
  const contract = present(state.contract, "contract");
  const proposal = present(state.proposal, "proposal");
  const challenge = present(state.challenge, "challenge");
  const asked = nextAsked(state, "arbiter");
  const answer = await ports.ask(context, {
    role: arbiter,
    attempt: state.asked.arbiter + 1,
    input: {
      task_file: assignment.taskText,
      contract,
      proposal,
      challenge,
      debate_trail: [...state.rounds],
      decisions_open: [...decisionsOpen(challenge.verdict)],
    },
  });
  if (answer.kind === "stopped") {
    const { update, goto } = halted(state, stoppedBy(answer.stop));
    return { update: { ...update, ...asked }, goto };
  }
  const by = { role: "arbiter" as const, pack: answer.pack };
  const adjudication = await ports.records.adjudicate(context, proposal, answer.output, by);
  const { decision } = adjudication;
  const next = route({ kind: "adjudicated", decision, standing: challenge.verdict }, state);
  const update = { ...asked, adjudication };
  switch (next.goto) {
    case "ship":
      return { update, goto: "approved" };
    case "apply_amendments":
      return { update, goto: "apply_amendments" };
    case "revise":
      return {
        update: {
          ...update,
          revisionsUsed: next.revisionsUsed,
          failures: challenge.failures,
          findings: [adjudication.rationale],
          rounds: [...state.rounds, { proposal, challenge, adjudication }],
          challenge: null,
          adjudication: null,
        },
        goto: "revise",
      };
    default: {
      const standing = { ...state, adjudication };
      const { update: halt, goto } = halted(standing, rejected(standing));
      return { update: { ...update, ...halt }, goto };
    }
  }
}
