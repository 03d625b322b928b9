// Looks whether either side could see the other: a canary that turned up elsewhere makes everything that follows worthless.
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { halted, leaked } from "./halt.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

export async function certify(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "challenge" | "halt" }> {
  const certificate = await ports.certify(context);
  const update = { certificate };
  if (certificate.result === "broken") return halted(state, leaked(certificate.leaks), update);
  return { update, goto: "challenge" };
}
