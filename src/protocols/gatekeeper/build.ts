// The builder at work: from the skeleton or from its own last commit, never with tests; what leaves `src/` is thrown away.
import { gatedBuilder } from "../../agents/roles/builder-gated.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import { revisionsExhausted } from "./halt.ts";
import { gaveUp, move } from "./move.ts";
import { counted, type GatekeeperState, type GatekeeperUpdate } from "./state.ts";
import { workFindings } from "./work-findings.ts";

const WRITE_IN = ["src/"];

export async function build(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate; goto: "build" | "test" | "judge" | "halt" }> {
  const { attempt, asked } = counted(state, "builder");
  const { feedback, findings, code } = state;
  const base = code?.commits.at(-1) ?? present(state.skeleton, "skeleton");
  const phase = feedback.length + findings.length > 0 ? ("revise" as const) : ("propose" as const);
  const answer = await ports.write(context, {
    role: gatedBuilder,
    attempt,
    base,
    input: {
      phase,
      contract: present(state.contract, "contract"),
      dependencies: [...ports.assignment.dependencies],
      feedback: [...feedback],
      findings: [...findings],
      write_in: [...WRITE_IN],
    },
    ...(phase === "revise" ? { situation: { phase } } : {}),
  });
  const to = { builder: "build", tester: "test", harness: "judge" } as const;
  if (answer.kind === "stopped") return gaveUp(state, { node: "CODE", to, stop: answer.stop }, { asked });
  const { output, pack } = answer;
  const found = await workFindings(ports, context, {
    base,
    work: answer.work,
    places: WRITE_IN,
    todo: "write the code",
    standing: findings,
  });
  if (found.kind === "refused") {
    const refused = { feedback: [...feedback], findings: found.findings };
    const reason = () => revisionsExhausted(refused);
    return move(state, { node: "CODE", facts: { code: "refused" }, to, reason }, { asked, ...refused });
  }
  const commits = [...(code?.commits ?? []), found.commit];
  return move(
    state,
    { node: "CODE", facts: { code: "delivered" }, to, reason: () => revisionsExhausted(state) },
    { asked, code: { commits, claim: output.claim, pack }, feedback: [], findings: [] },
  );
}
