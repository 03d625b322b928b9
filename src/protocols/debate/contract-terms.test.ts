// What was planned and debated is still in the contract when it is locked.
import { expect, test } from "vitest";
import {
  AMEND,
  APPLIED,
  APPROVE,
  BUILT,
  challengeOf,
  draft,
  playedPorts,
  watchedGraphs,
  type Play,
} from "../played-ports.suite.ts";
import { debate } from "./protocol.ts";

const PASS = challengeOf("PASS");

async function go(play: Play) {
  const { graphs } = watchedGraphs();
  const { ports, noted } = playedPorts(play);
  const outcome = await debate.go(graphs, { thread: "t", runId: "r-1", ports });
  return { outcome, noted };
}

test("amendments that also take a promise away halt, although each of them was applied", async () => {
  const amend = { ...AMEND, amendments: [{ ...AMEND.amendments[0], action: "ADD", target: "tags.1" }] };
  const { contract } = draft({ tags: ["text", "seo"] });
  const silent = {
    ...contract,
    outputs: contract.outputs.map((output) => ({ ...output, invariants: ["is a text"] })),
    predicates: contract.predicates.map((each) =>
      each.kind === "ensures" ? { ...each, expr: 'typeof result === "string"' } : each,
    ),
  };
  const { outcome, noted } = await go({
    answers: {
      proposer_contract: [draft({ tags: ["text"] }), { ...draft(), ...APPLIED, contract: silent }],
      challenger_contract: [PASS],
      arbiter: [amend],
    },
  });
  if (outcome.kind !== "halted") throw new Error(JSON.stringify(outcome));
  expect(outcome.halt.failed).toContainEqual({
    invariant: "amendments change what they name and nothing else",
    evidence: '"matches [a-z0-9-]+" of the output slug is gone',
  });
  expect(noted.locked).toEqual([]);
});

test("a contract that leaves out what the plan declares, or promises nothing, is drafted again", async () => {
  const { contract } = draft();
  const less = draft({
    error_surfaces: [],
    outputs: contract.outputs.map((output) => ({ ...output, invariants: [] })),
    entry_points: contract.entry_points.map((entry) => ({ ...entry, errors: [] })),
    predicates: contract.predicates.filter(({ kind }) => kind === "requires"),
  });
  const { outcome, noted } = await go({
    answers: {
      proposer_contract: [less, draft()],
      challenger_contract: [PASS],
      arbiter: [APPROVE, APPROVE],
      proposer: [BUILT],
      challenger: [PASS],
    },
  });
  expect(outcome.kind).toBe("shipped");
  expect(noted.asked[1]?.input["findings"]).toEqual([
    expect.stringContaining("the plan declares EmptyTitle"),
    expect.stringContaining("outputs.0.invariants promises nothing"),
  ]);
});
