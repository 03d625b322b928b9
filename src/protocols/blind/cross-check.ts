// Holds several implementations of one specification against each other: where they differ, an example, a predicate or
// the verified tests decide, or a person is asked exactly that.
import {
  contradictsSpec,
  decideBySpec,
  type Disagreement,
  matrixOf,
} from "../../domain/blind/cross-check.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import type { Tested } from "../seen.ts";
import { contested, halted, undecided } from "./halt.ts";
import { present } from "../present.ts";
import type { BlindState, BlindUpdate, Implementation } from "./state.ts";

interface Rival {
  impl: Implementation;
  commit: string;
  tested: Tested;
}

export async function crossCheck(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "validate" | "halt" }> {
  const contract = present(state.contract, "contract");
  const rivals: Rival[] = [];
  for (const [index, commit] of [present(state.merged, "merged commit"), ...state.rivals].entries()) {
    const impl = present(state.impls[index], "implementation of a merge");
    rivals.push({ impl, commit, tested: await ports.test(context, { contract, commit }) });
  }
  const matrix = matrixOf(
    suitesOf(state),
    rivals.map(({ tested }) => failing(tested)),
  );
  const runnable = rivals.filter(({ tested }) => tested.kind === "ran");
  let best = present(runnable[0] ?? rivals[0], "implementation");
  for (const rival of runnable.slice(1)) {
    const judged = await compare(state, ports, context, best, rival);
    if ("reason" in judged) return halted(state, judged.reason, { matrix });
    best = judged.winner;
  }
  return {
    update: { matrix, merged: best.commit, impls: [best.impl], rivals: [] },
    goto: "validate",
  };
}

async function compare(
  { functions, contract }: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
  left: Rival,
  right: Rival,
): Promise<{ winner: Rival } | { reason: ReturnType<typeof undecided> }> {
  const found = await ports.differ(context, {
    contract: present(contract, "contract"),
    left: left.commit,
    right: right.commit,
  });
  if (found.kind !== "differ") return { winner: fewerFailures(left, right) };
  switch (decideBySpec(functions, found)) {
    case "left":
      return settled(left, found, found.right, found.left);
    case "right":
      return settled(right, found, found.left, found.right);
    case "neither":
      return { winner: fewerFailures(left, right) };
    default:
      return greenAlone(left, right) ?? { reason: undecided(found) };
  }
}

/** A verified test that asks for the refuted result stands against the specification; only a person may say who is right. */
function settled(winner: Rival, found: Disagreement, wrong: string, right: string) {
  const failures = winner.tested.kind === "ran" ? winner.tested.failures : [];
  const against = failures.find(({ failure }) => contradictsSpec(failure, found, wrong));
  if (against === undefined) return { winner };
  return { reason: contested(against.failure.propertyName, found, right) };
}

/** Verified tests are the law where the specification is silent. */
function greenAlone(left: Rival, right: Rival): { winner: Rival } | undefined {
  const green = [left, right].filter(({ tested }) => failing(tested).length === 0);
  const [winner] = green;
  return winner !== undefined && green.length === 1 ? { winner } : undefined;
}

function fewerFailures(left: Rival, right: Rival): Rival {
  return failing(right.tested).length < failing(left.tested).length ? right : left;
}

function failing(tested: Tested): string[] {
  if (tested.kind === "ran") return tested.failures.map(({ failure }) => failure.propertyName);
  return tested.kind === "broken" ? tested.errors : [tested.why];
}

function suitesOf({ suites }: BlindState) {
  return suites.map(({ flavour, properties }) => ({
    suite: flavour,
    tests: properties.map(({ name }) => name),
  }));
}
