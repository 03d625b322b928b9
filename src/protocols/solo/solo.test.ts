// The routes of the solo protocol, on real graphs with played roles.
import { expect, test } from "vitest";
import { COMMITS, draft, PASSING, playedPorts, watchedGraphs, type Play } from "../played-ports.suite.ts";
import { solo } from "./protocol.ts";

const BUILT = { claim: "done" };
const PASS = { rationale: "Every boundary was followed.", verdict: "PASS", findings: [] };
const FAIL = {
  rationale: "A blank title is not handled.",
  verdict: "FAIL",
  findings: ["src/index.ts, line 1: blank"],
};

async function go(play: Play, rigor: "lite" | "standard" = "lite") {
  const { graphs, way } = watchedGraphs();
  const { ports, noted } = playedPorts(play, rigor);
  const outcome = await solo.go(graphs, { thread: "t", runId: "r-1", ports });
  return { outcome, nodes: await way(), noted, graphs, ports };
}

test("three calls, and what ships has no proposal that anybody debated", async () => {
  const { outcome, nodes, noted } = await go({
    answers: { proposer_contract: [draft()], builder: [BUILT], verifier: [PASS] },
  });
  expect(outcome.kind).toBe("shipped");
  expect(nodes).toEqual(["draft", "lock", "build", "examine", "verify", "ship"]);
  expect(noted.shipped).toMatchObject([{ commit: COMMITS[1], proposal: null, override: null }]);
  expect(noted.asked.map(({ role, attempt }) => `${role} ${attempt}`)).toEqual([
    "proposer_contract 1",
    "builder 2",
    "verifier 3",
  ]);
  expect(solo.debated).toBe(false);
});

test("the harness, the verifier and the door send back, three times in all, then it halts", async () => {
  const { outcome, nodes, noted } = await go({
    answers: {
      proposer_contract: [draft()],
      builder: [BUILT, BUILT, BUILT, BUILT],
      verifier: [FAIL, PASS, PASS],
    },
    examinations: [{ ...PASSING, findings: ["green: red"], evidence: undefined }, PASSING, PASSING, PASSING],
    ships: [
      { kind: "refused", findings: ["surface: 1 difference"] },
      { kind: "refused", findings: ["surface: the same"] },
    ],
  });
  expect(nodes.slice(2)).toEqual([
    "build",
    "examine",
    "build",
    "examine",
    "verify",
    "build",
    "examine",
    "verify",
    "ship",
    "build",
    "examine",
    "verify",
    "ship",
    "halt",
  ]);
  const findings = noted.asked.filter(({ role }) => role === "builder").map(({ input }) => input["findings"]);
  expect(findings).toEqual([[], ["green: red"], FAIL.findings, ["surface: 1 difference"]]);
  expect(outcome).toMatchObject({ kind: "halted", halt: { failed: [{ evidence: "surface: the same" }] } });
});

test("a module that nobody could read goes back to its builder, and no verifier is asked", async () => {
  const { outcome, noted } = await go({
    answers: { proposer_contract: [draft()], builder: [BUILT, BUILT], verifier: [PASS] },
    reads: ["make it smaller"],
  });
  expect(outcome.kind).toBe("shipped");
  expect(noted.asked.map(({ role, attempt }) => `${role} ${attempt}`)).toEqual([
    "proposer_contract 1",
    "builder 2",
    "builder 3",
    "verifier 4",
  ]);
  expect(noted.asked[2]?.input).toMatchObject({ phase: "repair", findings: ["make it smaller"] });
});

test("a contract that cannot be built is drafted again", async () => {
  const { nodes, noted } = await go({
    answers: { proposer_contract: [draft(), draft()], builder: [BUILT], verifier: [PASS] },
    inspections: [["stubs do not compile"], []],
  });
  expect(nodes.slice(0, 3)).toEqual(["draft", "draft", "lock"]);
  expect(noted.asked[1]?.input).toMatchObject({ phase: "revise", findings: ["stubs do not compile"] });
});

test("a person overrides the verifier, never the door", async () => {
  const refuse = { kind: "refused" as const, findings: ["green: red"] };
  const { graphs, ports, noted } = await go({
    answers: {
      proposer_contract: [draft()],
      builder: [BUILT, BUILT, BUILT, BUILT],
      verifier: [FAIL, FAIL, FAIL, FAIL],
    },
    ships: [refuse],
  });
  const override = { escalation: "ESC-0a1b2c3d", rationale: "I looked." };
  const again = await solo.enter(graphs, { thread: "t", runId: "r-1", ports }, { at: "ship", override });
  expect(noted.shipped).toMatchObject([{ override: { rationale: "I looked." } }]);
  expect(again).toMatchObject({ kind: "halted", halt: { failed: [{ evidence: "green: red" }] } });
});

test("what is barred is put before a person at once", async () => {
  const { outcome, nodes } = await go({
    answers: { proposer_contract: [draft()], builder: [BUILT], verifier: [PASS] },
    ships: [{ kind: "barred", why: "MM-slugify@1.0.0 has shipped with other content" }],
  });
  expect(nodes.slice(-2)).toEqual(["ship", "halt"]);
  expect(outcome).toMatchObject({
    kind: "halted",
    halt: { recommended: "AMEND_SPEC", failed: [{ evidence: expect.stringContaining("other content") }] },
  });
});
