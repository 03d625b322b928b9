// Brings the module to the one door, and lets a person's fix or override in where everybody else is done.
import type { NodeContext } from "../../graph/port.ts";
import { barred, refused } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { nodeOf } from "../../domain/gatekeeper/work-graph.ts";
import { attemptsOf } from "../../domain/gatekeeper/work-graph.ts";
import { candidateOf } from "./candidate.ts";
import { nothingToFix } from "./halt.ts";
import { move, moved } from "./move.ts";
import type { GatekeeperState, GatekeeperUpdate } from "./state.ts";

const TO = { builder: "build" } as const;

export async function ship(
  before: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate; goto: "exit" | "build" | "halt" }> {
  if (before.contract === null || before.merged === null || before.contractRef === null)
    return halted(
      before,
      refused(0, ["there is no module yet that could ship: the halt came before any code"]),
    );
  const state = { ...before, work: overridden(before) };
  const answer = await ports.ship(context, candidateOf(state));
  switch (answer.kind) {
    case "shipped": {
      const work = moved(state.work, "REQ", { door: "shipped" });
      return { update: { work, outcome: { kind: "shipped", shipped: answer.shipped } }, goto: "exit" };
    }
    case "barred": {
      const facts = { door: "barred" as const };
      return move(state, { node: "CODE", facts, to: TO, reason: () => barred(answer.why) });
    }
    case "refused":
    default: {
      const { kind: _, findings, ...more } = answer;
      const reason = () => refused(attemptsOf(state.work, "CODE") - 1, findings, more);
      const facts = { door: "refused" as const };
      return move(state, { node: "CODE", facts, to: TO, reason }, { findings, feedback: [] });
    }
  }
}

/** A person's word takes the place of what is missing of the debate, never of the door. */
function overridden({ work, override }: GatekeeperState): GatekeeperState["work"] {
  return override === null || nodeOf(work, "CODE")?.status !== "FAILED"
    ? work
    : moved(work, "CODE", { person: "overrode" });
}

/** A person's fix stands where everybody's work would; it is judged like any other. */
export function acceptFix(state: GatekeeperState): { update: GatekeeperUpdate; goto: "judge" | "halt" } {
  if (state.contractRef === null || nodeOf(state.work, "CODE") === undefined)
    return halted(state, nothingToFix());
  const suite = nodeOf(state.work, "TEST_SUITE");
  const work = suite?.status === "FAILED" ? moved(state.work, "TEST_SUITE", { person: "fixed" }) : state.work;
  return move(
    { ...state, work },
    { node: "CODE", facts: { person: "fixed" }, to: { harness: "judge" } as const, reason: nothingToFix },
    { findings: [], feedback: [] },
  );
}

function halted(
  { trail }: GatekeeperState,
  reason: ReturnType<typeof nothingToFix>,
): { update: GatekeeperUpdate; goto: "halt" } {
  return { update: { outcome: { kind: "halted", halt: { trail, ...reason } } }, goto: "halt" };
}
