// Brings the candidate to the one door; a refusal is mended like any other finding, as long as the budget lasts.
import type { NodeContext } from "../../graph/port.ts";
import { barred, refused } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { candidateOf } from "./candidate.ts";
import { halted } from "./halt.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

export async function ship(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "witness" | "fix" | "halt" }> {
  if (state.contract === null || state.merged === null || state.contractRef === null)
    return halted(
      state,
      refused(0, ["there is no module yet that could ship: the halt came before any code"]),
    );
  const answer = await ports.ship(context, candidateOf(state));
  if (answer.kind === "shipped")
    return { update: { outcome: { kind: "shipped", shipped: answer.shipped } }, goto: "witness" };
  if (answer.kind === "barred") return halted(state, barred(answer.why));
  const { kind: _, findings, ...more } = answer;
  if (state.fixAttempts < ports.assignment.rigor.maxFixAttempts)
    return { update: { gateFindings: findings, failures: [] }, goto: "fix" };
  return halted(state, refused(state.fixAttempts, findings, more));
}
