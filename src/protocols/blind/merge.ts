// Brings the verified tests and each implementation together in a fresh place, by cherry-pick onto the skeleton.
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { conflict, halted } from "./halt.ts";
import { present } from "../present.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

export async function merge(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "validate" | "cross_check" | "halt" }> {
  const base = present(state.skeleton, "skeleton");
  const tests = state.suites.flatMap(({ commits }) => commits);
  const merged: string[] = [];
  for (const { commits, number } of state.impls) {
    const together = await ports.merge(context, {
      base,
      commits: [...tests, ...commits, ...state.fixes],
      description: `tests and implementation ${number + 1} together`,
    });
    if (together.kind === "conflict") return halted(state, conflict(together.files));
    merged.push(together.commit);
  }
  const [first, ...rivals] = merged;
  return {
    update: { merged: present(first, "implementation"), rivals, afterFix: false },
    goto: rivals.length > 0 ? "cross_check" : "validate",
  };
}
