// The routes of a debate, on real graphs with played roles: exactly two revisions, no mild reviews, nothing believed.
import { describe, expect, test } from "vitest";
import type { ProtocolOutcome } from "../port.ts";
import {
  AMEND,
  APPLIED,
  APPROVE,
  BUILT,
  challengeOf,
  COMMITS,
  draft,
  MILD,
  PASSING,
  playedPorts,
  REJECT,
  SHIPS,
  watchedGraphs,
  type Play,
} from "../played-ports.suite.ts";
import { debate } from "./protocol.ts";

const PASS = challengeOf("PASS");
const FAIL = challengeOf("FAIL");
/** A contract round that goes through at once. */
const SHAPED = { proposer_contract: [draft()], challenger_contract: [PASS] };

async function go(play: Play, rigor?: "lite") {
  const { graphs, way } = watchedGraphs();
  const { ports, noted } = playedPorts(play, rigor);
  const outcome = await debate.go(graphs, { thread: "t", runId: "r-1", ports });
  const nodes = await way();
  return { outcome, nodes, noted, graphs, ports, since: async () => (await way()).slice(nodes.length) };
}

const SHAPE = ["propose_contract", "challenge_contract", "adjudicate_contract", "lock_contract"];

function haltOf(outcome: ProtocolOutcome) {
  if (outcome.kind !== "halted") throw new Error(`not halted but ${JSON.stringify(outcome)}`);
  return outcome.halt;
}

test("a contract and a module that nobody can fault ship after five calls", async () => {
  const { outcome, nodes, noted } = await go({
    answers: { ...SHAPED, proposer: [BUILT], challenger: [PASS], arbiter: [APPROVE, APPROVE] },
  });
  expect(outcome).toEqual({
    kind: "shipped",
    module: "MM-slugify@1.0.0",
    shipped: SHIPS.kind === "shipped" && SHIPS.shipped,
  });
  expect(nodes).toEqual([...SHAPE, "propose", "examine", "challenge", "adjudicate", "ship"]);
  expect(noted.shipped).toMatchObject([
    {
      commit: COMMITS[1],
      contractRef: "CTR-00000001@1.0.0",
      proposal: { proposal_id: "PROP-00000002" },
      override: null,
    },
  ]);
  expect(noted.asked.map(({ role, attempt }) => `${role} ${attempt}`)).toEqual([
    "proposer_contract 1",
    "challenger_contract 1",
    "arbiter 1",
    "proposer 2",
    "challenger 2",
    "arbiter 2",
  ]);
});

test("lite locks the contract without a round about it", async () => {
  const { nodes, noted } = await go(
    { answers: { proposer_contract: [draft()], proposer: [BUILT], challenger: [PASS], arbiter: [APPROVE] } },
    "lite",
  );
  expect(nodes.slice(0, 3)).toEqual(["propose_contract", "lock_contract", "propose"]);
  expect(noted.locked).toHaveLength(1);
});

describe("the contract round", () => {
  test("sends a contract back for what the harness finds, then for what the Challenger shows", async () => {
    const bare = draft({ predicates: [] });
    const { nodes, noted } = await go({
      answers: {
        proposer_contract: [bare, draft(), draft()],
        challenger_contract: [FAIL, PASS],
        proposer: [BUILT],
        challenger: [PASS],
        arbiter: [APPROVE, APPROVE],
      },
    });
    expect(nodes.slice(0, 6)).toEqual([
      "propose_contract",
      "revise_contract",
      "challenge_contract",
      "revise_contract",
      "challenge_contract",
      "adjudicate_contract",
    ]);
    expect(noted.asked[1]?.input["findings"]).toContainEqual(expect.stringContaining("has no predicate"));
    expect(noted.asked[3]?.input).toMatchObject({ failures: FAIL.failures, findings: [] });
  });

  test("halts when the third draft still cannot be built, with the findings", async () => {
    const { outcome, nodes } = await go({
      answers: { proposer_contract: [draft(), draft(), draft()] },
      inspections: [["line 1: stubs do not compile"], ["again"], ["still"]],
    });
    expect(nodes).toEqual(["propose_contract", "revise_contract", "revise_contract", "halt"]);
    expect(haltOf(outcome)).toMatchObject({ failed: [{ evidence: "still" }], recommended: "PROVIDE_FIX" });
  });

  test("a draft that is no contract says where", async () => {
    const { noted } = await go({
      answers: {
        ...SHAPED,
        proposer_contract: [
          draft({
            entry_points: draft().contract.entry_points.map((entry) => ({ ...entry, errors: ["Nowhere"] })),
          }),
          draft(),
        ],
        proposer: [BUILT],
        challenger: [PASS],
        arbiter: [APPROVE, APPROVE],
      },
    });
    expect(noted.asked[1]?.input["findings"]).toContainEqual(
      expect.stringContaining("entry_points[0].errors[0]"),
    );
  });

  test("amendments are seen in the contract itself, or halt", async () => {
    const amend = { ...AMEND, amendments: [{ ...AMEND.amendments[0], action: "ADD", target: "seo" }] };
    const tagged = draft({ tags: ["text", "seo"] });
    const answers = {
      proposer_contract: [draft({ tags: ["text"] }), { ...tagged, ...APPLIED, contract: tagged.contract }],
      challenger_contract: [PASS],
      arbiter: [amend],
    };
    const { outcome } = await go({ answers });
    // A tag is no field by that name: what the Arbiter asked for must be nameable.
    expect(haltOf(outcome).unapplied).toMatchObject([{ amendment_index: 0, reason: '"seo" was not added' }]);
    const nameable = { ...amend, amendments: [{ ...amend.amendments[0], target: "tags.1" }] };
    const second = await go({
      answers: { ...answers, arbiter: [nameable, APPROVE], proposer: [BUILT], challenger: [PASS] },
    });
    expect(second.outcome.kind).toBe("shipped");
    expect(second.nodes).toContain("validate_contract");
    expect(second.noted.locked[0]?.tags).toEqual(["text", "seo"]);
  });
});

describe("revisions", () => {
  test("at most two, then the Arbiter may not approve as it stands", async () => {
    const { outcome, nodes, noted } = await go({
      answers: {
        ...SHAPED,
        proposer: [BUILT, BUILT, BUILT],
        challenger: [FAIL, FAIL, FAIL],
        arbiter: [APPROVE, REJECT],
      },
    });
    expect(nodes.slice(4)).toEqual([
      "propose",
      "examine",
      "challenge",
      "revise",
      "examine",
      "challenge",
      "revise",
      "examine",
      "challenge",
      "adjudicate",
      "halt",
    ]);
    const halt = haltOf(outcome);
    expect(halt.failed).toEqual([{ invariant: "R2", evidence: "no test of a blank title" }]);
    expect(halt.trail.proposals.map(({ proposal_id }) => proposal_id.at(-1))).toEqual(["1", "2", "3", "4"]);
    expect([halt.trail.challenges.length, halt.trail.adjudications.length]).toEqual([4, 2]);
    expect(noted.asked.at(-1)?.input["decisions_open"]).toEqual(["APPROVE_WITH_AMENDMENTS", "REJECT"]);
  });

  test("each goes on from the work before it and carries what was shown", async () => {
    const { noted } = await go({
      answers: { ...SHAPED, proposer: [BUILT, BUILT], challenger: [FAIL, PASS], arbiter: [APPROVE, APPROVE] },
    });
    const [first, second] = noted.asked.filter(({ role }) => role === "proposer");
    expect([first?.base, second?.base]).toEqual([COMMITS[0], COMMITS[1]]);
    expect(second?.input).toMatchObject({ phase: "revise", failures: FAIL.failures });
    expect(noted.asked.at(-1)?.input["debate_trail"]).toHaveLength(2);
  });

  test("failing gates, a refused door and a rejection all count against the same two", async () => {
    const refused = { ...PASSING, findings: ["green: 1 of 3 tests fails"], evidence: undefined };
    const { outcome, nodes, noted } = await go({
      answers: {
        ...SHAPED,
        proposer: [BUILT, BUILT, BUILT],
        challenger: [PASS, PASS],
        arbiter: [APPROVE, APPROVE, APPROVE],
      },
      examinations: [refused, PASSING, PASSING],
      ships: [
        { kind: "refused", findings: ["surface: 1 difference"] },
        { kind: "refused", findings: ["surface: 1 difference"], executionLogRef: `sha256:${"0".repeat(64)}` },
      ],
    });
    expect(nodes.slice(4)).toEqual([
      "propose",
      "examine",
      "revise",
      "examine",
      "challenge",
      "adjudicate",
      "ship",
      "revise",
      "examine",
      "challenge",
      "adjudicate",
      "ship",
      "halt",
    ]);
    expect(noted.asked.filter(({ role }) => role === "proposer")[1]?.input["findings"]).toEqual(
      refused.findings,
    );
    expect(haltOf(outcome)).toMatchObject({
      failed: [{ invariant: "the gates of ship hold", evidence: "surface: 1 difference" }],
      executionLogRef: `sha256:${"0".repeat(64)}`,
    });
  });

  test("work that cannot be taken, and no work at all, come back without anybody judging it", async () => {
    const { outcome, noted } = await go({
      answers: { ...SHAPED, proposer: [BUILT, BUILT, BUILT], arbiter: [APPROVE] },
      work: [{ kind: "nothing" }, { kind: "refused", problems: ["src/x is a link"] }, { kind: "nothing" }],
    });
    expect(noted.examined).toEqual([]);
    expect(noted.asked.at(-1)?.input["findings"]).toEqual(["src/x is a link"]);
    const told = haltOf(outcome).failed.map(({ evidence }) => evidence);
    expect(told).toEqual(["src/x is a link", expect.stringContaining("no file")]);
  });

  test("a module in which no test ran is not shown to anybody", async () => {
    const { nodes } = await go({
      answers: { ...SHAPED, proposer: [BUILT, BUILT, BUILT], arbiter: [APPROVE] },
      examinations: [0, 1, 2].map(() => ({ ...PASSING, findings: [], evidence: undefined })),
    });
    expect(nodes).not.toContain("challenge");
    expect(nodes.at(-1)).toBe("halt");
  });
});

describe("mild reviews", () => {
  test("are asked for again twice, with the reasons, and do not cost a revision", async () => {
    const { outcome, noted } = await go({
      answers: { ...SHAPED, proposer: [BUILT], challenger: [MILD, MILD, PASS], arbiter: [APPROVE, APPROVE] },
    });
    expect(outcome.kind).toBe("shipped");
    const challenges = noted.asked.filter(({ role }) => role === "challenger");
    expect(challenges.map(({ attempt }) => attempt)).toEqual([2, 3, 4]);
    expect(challenges[1]?.input["violations"]).toContainEqual(expect.stringContaining("looks good"));
  });

  test("then become a FAIL of their own", async () => {
    const { outcome, noted } = await go({
      answers: {
        ...SHAPED,
        proposer: [BUILT, BUILT],
        challenger: [MILD, MILD, MILD, PASS],
        arbiter: [APPROVE, APPROVE],
      },
    });
    expect(outcome.kind).toBe("shipped");
    const revision = noted.asked.filter(({ role }) => role === "proposer")[1];
    expect(revision?.input["failures"]).toMatchObject([{ invariant: "mild_review_violation" }]);
  });
});

describe("amendments", () => {
  const answers = { ...SHAPED, proposer: [BUILT, APPLIED], challenger: [PASS], arbiter: [APPROVE, AMEND] };
  const before = new Map([["makes a slug", "1"]]);
  const after = new Map([...before, ["rejects a blank title", "2"]]);

  test("that were applied ship without another debate", async () => {
    const { outcome, nodes, noted } = await go({ answers, contents: [before, after] });
    expect(outcome.kind).toBe("shipped");
    expect(nodes.slice(-4)).toEqual(["adjudicate", "apply_amendments", "validate_amendments", "ship"]);
    expect(noted.shipped[0]).toMatchObject({
      commit: COMMITS[2],
      proposal: { proposal_id: "PROP-00000002" },
    });
  });

  test("that are only claimed halt, with the Proposer's word", async () => {
    const { outcome } = await go({ answers, contents: [before, before] });
    expect(haltOf(outcome).unapplied).toMatchObject([{ reason: '"rejects a blank title" was not added' }]);
  });
});

describe("a role that cannot go on", () => {
  const blocked = { role: "challenger", kind: "blocked", why: "no way", interfaceChange: null } as const;

  test("halts, with its words", async () => {
    const { outcome } = await go({
      answers: { ...SHAPED, proposer: [BUILT], challenger: [blocked], arbiter: [APPROVE] },
    });
    expect(haltOf(outcome).failed).toEqual([
      { invariant: "the challenger can do its work", evidence: "blocked: no way" },
    ]);
  });

  test("and asked for another contract of a dependency, names the request", async () => {
    const stop = { ...blocked, role: "proposer", interfaceChange: "ICE-0a1b2c3d" };
    const { outcome } = await go({ answers: { ...SHAPED, proposer: [stop], arbiter: [APPROVE] } });
    expect(haltOf(outcome)).toMatchObject({ interfaceChange: "ICE-0a1b2c3d" });
  });
});

describe("a person", () => {
  const rejected = { ...SHAPED, proposer: [BUILT, BUILT, BUILT], challenger: [FAIL, FAIL, FAIL] };

  test("provides a fix, which is examined and challenged like any proposal", async () => {
    const { graphs, ports, noted, since } = await go({
      answers: {
        ...rejected,
        challenger: [...rejected.challenger, PASS],
        arbiter: [APPROVE, REJECT, APPROVE],
      },
    });
    const fix = { commit: COMMITS[5] ?? "", description: "The blank title is tested." };
    const outcome = await debate.enter(
      graphs,
      { thread: "t", runId: "r-1", ports },
      { at: "challenge", fix },
    );
    expect(outcome.kind).toBe("shipped");
    expect(await since()).toEqual(["accept_fix", "examine", "challenge", "adjudicate", "ship"]);
    expect(noted.proposals.at(-1)?.claim).toBe(fix.description);
    expect(noted.shipped[0]).toMatchObject({ commit: fix.commit });
  });

  test("provides a fix that fails: halts again, nobody revises it", async () => {
    const { graphs, ports, since } = await go({
      answers: {
        ...rejected,
        challenger: [...rejected.challenger, FAIL],
        arbiter: [APPROVE, REJECT, REJECT],
      },
    });
    const fix = { commit: COMMITS[5] ?? "", description: "The blank title is tested." };
    const outcome = await debate.enter(
      graphs,
      { thread: "t", runId: "r-1", ports },
      { at: "challenge", fix },
    );
    expect(haltOf(outcome).trail.challenges).toHaveLength(5);
    expect((await since()).at(-1)).toBe("halt");
  });

  test("overrides the debate, never the door", async () => {
    const { graphs, ports, noted, since } = await go({
      answers: { ...rejected, arbiter: [APPROVE, REJECT] },
    });
    const override = { escalation: "ESC-0a1b2c3d", rationale: "I looked at it." };
    const outcome = await debate.enter(
      graphs,
      { thread: "t", runId: "r-1", ports },
      { at: "ship", override },
    );
    expect(outcome.kind).toBe("shipped");
    expect(await since()).toEqual(["ship"]);
    expect(noted.shipped[0]?.override).toEqual({
      escalation_ref: "ESC-0a1b2c3d",
      rationale: "I looked at it.",
    });
  });
});

test("a thread that has ended tells what it came to, and asks nobody again", async () => {
  const { graphs, ports, noted, outcome } = await go({
    answers: { ...SHAPED, proposer: [BUILT], challenger: [PASS], arbiter: [APPROVE, APPROVE] },
  });
  const calls = noted.asked.length;
  expect(await debate.go(graphs, { thread: "t", runId: "r-1", ports })).toEqual(outcome);
  expect(noted.asked).toHaveLength(calls);
});

test("a failure of the factory stops the thread, which goes on at the same node", async () => {
  const played = { ...SHAPED, proposer: [BUILT], challenger: [PASS], arbiter: [APPROVE, APPROVE] };
  const { graphs, way } = watchedGraphs();
  const { ports, noted } = playedPorts({ answers: played });
  const broken = { ...ports, examine: () => Promise.reject(new Error("no disk")) };
  expect(await debate.go(graphs, { thread: "t", runId: "r-1", ports: broken })).toEqual({
    kind: "stopped",
    why: "examine failed: no disk",
  });
  expect((await debate.go(graphs, { thread: "t", runId: "r-1", ports })).kind).toBe("shipped");
  expect(noted.asked).toHaveLength(6);
  expect((await way()).filter((node) => node === "propose")).toHaveLength(1);
});
