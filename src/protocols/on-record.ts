// A round of a debate whose arbiter is a rule: proposal, challenge and adjudication, kept in this order and in the trail.
import type { Proposal } from "../domain/debate/debate-records.ts";
import type { NodeContext } from "../graph/port.ts";
import type { Trail } from "./outcome.ts";
import type { NewProposal, ProtocolPorts, Provenance, Records } from "./port.ts";

export interface Round {
  proposal: NewProposal;
  challenge: Parameters<Records["challenge"]>[2];
  challenger: Provenance;
  adjudication: Parameters<Records["adjudicate"]>[2];
}

export async function onRecord(
  { trail }: { trail: Trail },
  { records }: Pick<ProtocolPorts, "records">,
  context: NodeContext,
  round: Round,
): Promise<{ proposal: Proposal; trail: Trail }> {
  const proposal = await records.propose(context, round.proposal);
  const challenge = await records.challenge(context, proposal, round.challenge, round.challenger);
  const adjudication = await records.adjudicate(context, proposal, round.adjudication, { role: "harness" });
  return {
    proposal,
    trail: {
      proposals: [...trail.proposals, proposal],
      challenges: [...trail.challenges, challenge],
      adjudications: [...trail.adjudications, adjudication],
    },
  };
}
