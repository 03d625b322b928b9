// Between two steps: whatever a sibling has brought comes first. What the step before made is committed by now, and nothing
// goes on until the node stands on its parent's new head.
import { rebaser } from "../../agents/roles/rebaser.ts";
import type { NodeContext } from "../../graph/port.ts";
import { workProblems } from "../work-problems.ts";
import { type Halted, halted } from "./halt.ts";
import { stoppedBy } from "../halt-reasons.ts";
import { CODE_PATHS } from "./implement.ts";
import { planAgain } from "./plan.ts";
import type { NodePorts } from "./port.ts";
import type { FractalState, FractalUpdate } from "./state.ts";
import { present } from "../present.ts";

type Turned =
  | { update: FractalUpdate; goto: "impl" | "review" | "author" | "turn" | "rebase" | "scaffold" }
  | Halted;
type Rebased = { update: FractalUpdate; goto: "turn" | "scaffold" } | Halted;

export async function turn(state: FractalState, ports: NodePorts, context: NodeContext): Promise<Turned> {
  const shifted = await ports.tree.shift(context, present(state.commit, "commit"));
  switch (shifted.kind) {
    case "still":
      return { update: {}, goto: state.next };
    case "quiet": {
      // Nothing that it uses looks different; whether it behaves differently only its own suite can say.
      const { commit } = shifted;
      const failures = (await failuresAt(state, ports, context, commit)) ?? [];
      const woke = failures.length > 0;
      await ports.tree.post(context, { kind: "rebased", node: ports.node.spec.id, woke });
      return { update: { commit, ...(woke ? { failures, next: "impl" } : {}) }, goto: "turn" };
    }
    case "woken":
      await ports.tree.post(context, { kind: "rebased", node: ports.node.spec.id, woke: true });
      return {
        update: {
          commit: shifted.commit,
          shift: { event: shifted.event, touched: shifted.touched, base: shifted.commit },
        },
        goto: "rebase",
      };
    case "conflict":
      return planAgain(state, ports, [
        `${shifted.event.author} was merged and changed ${shifted.file} where this node did: ${quoted(shifted.theirs)} stands, ${quoted(shifted.ours)} does not fit`,
      ]);
  }
}

/** Undefined while there is no code yet whose tests could pass. */
async function failuresAt(state: FractalState, ports: NodePorts, context: NodeContext, commit: string) {
  if (state.next !== "review") return undefined;
  const tested = await ports.test(context, { contract: present(state.contract, "contract"), commit });
  switch (tested.kind) {
    case "ran":
      return tested.failures.map(({ failure }) => failure);
    case "broken":
      return tested.errors.map(asFailure);
    case "no-report":
      return [asFailure(tested.why)];
  }
}

function asFailure(message: string) {
  return {
    propertyName: "the module after a sibling was merged",
    failureType: "ExceptionThrown" as const,
    message,
  };
}

/** Somebody follows what a sibling changed; more than mechanical is not taken. */
export async function rebase(state: FractalState, ports: NodePorts, context: NodeContext): Promise<Rebased> {
  const { event, touched, base } = present(state.shift, "shift");
  const asked = state.asked + 1;
  const tested = await failuresAt({ ...state, next: "review" }, ports, context, base);
  const answer = await ports.write(context, {
    role: rebaser,
    attempt: asked,
    base,
    input: {
      event,
      touched: [...touched],
      hunks: [],
      structured_failures: tested ?? [],
      dependencies: [...ports.assignment.dependencies],
      write_in: [...CODE_PATHS],
    },
    situation: { protocol: "fractal" },
  });
  const update = { asked, shift: null };
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), update);
  const { exit } = answer.output;
  const conflict = (why: string) => planAgain({ ...state, asked }, ports, [why], update);
  if (exit.kind === "RebaseConflict")
    return conflict(
      `${exit.conflictFile}: ${exit.whyUnresolvable} (${event.author} was merged and is canon)`,
    );
  if (answer.work.kind !== "taken")
    return conflict(workProblems(answer.work, { todo: "follow the change" }).join("; "));
  const { commit } = answer.work;
  const beyond = await ports.tree.beyondMechanical(context, { base, commit, event });
  if (beyond.length > 0)
    return conflict(`following ${event.author} takes more than a mechanical change: ${beyond.join("; ")}`);
  const adopted = await ports.tree.adopt(context, { base, commit, paths: [...CODE_PATHS, "test/"] });
  if (adopted.kind === "refused") return conflict(adopted.problems.join("; "));
  const failures = await failuresAt(state, ports, context, adopted.commit);
  const ended = { ...update, commit: adopted.commit };
  if (failures === undefined || failures.length === 0) return { update: ended, goto: "turn" };
  return { update: { ...ended, failures, next: "impl" }, goto: "turn" };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
