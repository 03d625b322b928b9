// Asks what the module must do, and lets nobody build on it before the harness has looked.
import { researcher } from "../../agents/roles/researcher.ts";
import { researchProblems } from "../../domain/gatekeeper/research-check.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { researchExhausted } from "./halt.ts";
import { gaveUp, move } from "./move.ts";
import { counted, type GatekeeperState, type GatekeeperUpdate } from "./state.ts";

export async function research(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate; goto: "research" | "architect" | "halt" }> {
  const { taskText, module, dependencies } = ports.assignment;
  const { attempt, asked } = counted(state, "researcher");
  const phase = state.findings.length > 0 ? ("revise" as const) : ("propose" as const);
  const answer = await ports.ask(context, {
    role: researcher,
    attempt,
    input: {
      phase,
      task_file: taskText,
      module,
      dependencies: [...dependencies],
      earlier: state.research,
      findings: [...state.findings],
    },
    ...(phase === "revise" ? { situation: { phase } } : {}),
  });
  const to = { researcher: "research", architect: "architect" } as const;
  if (answer.kind === "stopped") return gaveUp(state, { node: "RESEARCH", to, stop: answer.stop }, { asked });
  const { output } = answer;
  const findings = researchProblems(output, module);
  const update = { asked, research: output, findings };
  if (findings.length > 0)
    return move(
      state,
      { node: "RESEARCH", facts: { research: "unsound" }, to, reason: () => researchExhausted(findings) },
      update,
    );
  const researchRef = await ports.records.keep(context, "RESEARCH", {
    "research.json": `${JSON.stringify(output, null, 2)}\n`,
  });
  return move(
    state,
    { node: "RESEARCH", facts: { research: "sound" }, to, reason: () => researchExhausted([]) },
    { ...update, researchRef },
  );
}
