// Every way through the gatekeeper protocol, on real graphs with played roles; and no edge of the graph that none of them walks.
import { describe, expect, test } from "vitest";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import { TestSuiteRecord } from "../../domain/gatekeeper/test-suite-record.ts";
import { nodeOf } from "../../domain/gatekeeper/work-graph.ts";
import { COMMITS, HELD, MERGES, type Noted, watchedGraphs } from "../played-ports.suite.ts";
import type { ProtocolOutcome } from "../port.ts";
import { edgesOf, everyEdge } from "../walked-edges.suite.ts";
import {
  BUILT,
  failing,
  type GatekeeperPlay,
  gatekeeperPorts,
  HONEST,
  OBJECTED,
  refusedBy,
  stop,
  TESTS,
} from "./gatekeeper.suite.ts";
import { gatekeeperGraph } from "./graph.ts";
import { gatekeeper } from "./protocol.ts";
import { SCENARIOS } from "./scenarios.suite.ts";

const walks: (() => string[])[] = [];

async function go(play: GatekeeperPlay) {
  const { graphs, way, updates } = watchedGraphs();
  const { ports, noted } = gatekeeperPorts(play);
  const going = { thread: "t", runId: "r-1", ports };
  const outcome = await gatekeeper.go(graphs, going);
  const nodes = await way();
  // Observers hear of an update in a turn of their own.
  await expect.poll(() => updates.length, { timeout: 5000 }).toBeGreaterThanOrEqual(nodes.length);
  walks.push(() => updates.flatMap((update) => edgesOf(gatekeeperGraph, update)));
  return { outcome, nodes, noted, graphs, going, since: async () => (await way()).slice(nodes.length) };
}

function run(name: string) {
  const found = SCENARIOS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${name}`);
  return go(found.play);
}

function told(outcome: ProtocolOutcome): string {
  return outcome.kind === "halted" ? outcome.halt.context : JSON.stringify(outcome);
}

function recordOf({ kept }: Noted): TestSuiteRecord {
  return TestSuiteRecord.parse(JSON.parse(kept.at(-1)?.["suite.json"] ?? ""));
}

function asked({ asked: calls }: Noted, role: string) {
  return calls.filter((call) => call.role === role);
}

describe("a thread comes to its end when", () => {
  test.each(SCENARIOS)("$name", async ({ play, way, ends }) => {
    const { outcome, nodes, noted } = await go(play);
    expect(nodes.join(" ")).toBe(way);
    if (ends === "shipped") expect(outcome).toMatchObject({ kind: "shipped", module: "MM-slugify@1.0.0" });
    else expect(told(outcome)).toMatch(ends);
    const record = recordOf(noted);
    const [requirement] = record.graph.nodes;
    expect(requirement?.status).toBe(ends === "shipped" ? "VERIFIED" : "FAILED");
    if (ends === "shipped") expect(nodeOf(record.graph, "CODE")?.status).toBe("VERIFIED");
    expect(noted.kept.at(-1)?.["suite.md"]).toContain(`REQ ${requirement?.status}`);
  });
});

describe("what each role is told", () => {
  test("the builder hears the failing call and no more, and goes on from its own commit", async () => {
    const { noted } = await run("wrong twice, then right: the tests are there already");
    const [first, second, third] = asked(noted, "builder_gated");
    expect(first).toMatchObject({
      base: COMMITS[0],
      input: { phase: "propose", feedback: [], findings: [] },
    });
    expect(second).toMatchObject({
      base: COMMITS[1],
      attempt: 2,
      input: {
        phase: "revise",
        feedback: [{ test: "cuts words", calls: ["slugify"], expected: '"a-b"' }],
        findings: [],
      },
    });
    expect(third?.base).toBe(COMMITS[3]);
    expect(Object.keys(second?.input ?? {}).toSorted()).toEqual([
      "contract",
      "dependencies",
      "feedback",
      "findings",
      "phase",
      "write_in",
    ]);
    expect(asked(noted, "tester")).toHaveLength(1);
  });

  test("the tester reads the code, and hears why its tests came back", async () => {
    const { noted } = await run(
      "tests that pass on stubs go back to the tester, and the code is not built twice",
    );
    const [first, second] = asked(noted, "tester");
    expect(first).toMatchObject({ base: COMMITS[1], input: { phase: "propose", structured_failures: [] } });
    expect(second).toMatchObject({
      base: MERGES[1],
      input: { phase: "revise", findings: [expect.stringContaining("green-on-stubs")] },
    });
    expect(asked(noted, "builder_gated")).toHaveLength(1);
    expect(recordOf(noted).weaknesses).toHaveLength(1);
  });

  test("research and specification are mended with what was found in them", async () => {
    const { noted } = await run("research without an edge goes back, and is mended");
    expect(asked(noted, "researcher")[1]?.input).toMatchObject({
      phase: "revise",
      earlier: { examples: [{}, {}] },
      findings: [expect.stringContaining("there is no edge_case")],
    });
  });
});

describe("the verdict", () => {
  test("is not the tester's: one that expects PASS while tests fail is not believed", async () => {
    const { noted } = await run("wrong three times");
    expect(recordOf(noted)).toMatchObject({ verdict: "NEEDS_REVISION", expected: "PASS", shipped: null });
  });

  test("of tests that nobody ran is no PASS", async () => {
    const { nodes } = await go({
      answers: { ...HONEST, tester: [TESTS, TESTS, TESTS] },
      tests: [{ kind: "ran", passed: 0, failures: [] }],
      examined: [{ ...refusedBy("green", "x"), findings: [], evidence: undefined }],
    });
    expect(nodes.slice(5, 8)).toEqual(["judge", "test", "judge"]);
  });

  test("is FAIL where the barrier did not hold", async () => {
    const { outcome, noted } = await go({ answers: HONEST, certificates: [{ ...HELD, result: "broken" }] });
    expect(told(outcome)).toContain("the barrier between builder and tester did not hold");
    expect(recordOf(noted).verdict).toBe("FAIL");
  });
});

describe("a test that has failed", () => {
  const law = new Map([["cuts words", "before"]]);
  const play: GatekeeperPlay = {
    answers: { ...HONEST, builder_gated: [BUILT, BUILT], tester: [TESTS, TESTS, TESTS] },
    tests: [failing()],
    examined: [refusedBy("coverage", "lines: 20 % covered (coverage-lines)")],
  };

  test("cannot be dropped to make the code pass", async () => {
    const { noted, nodes } = await go({
      ...play,
      contents: [law, law, new Map([["cuts words", "after"]]), law],
    });
    expect(nodes.slice(5, 12)).toEqual(["judge", "build", "judge", "test", "judge", "test", "judge"]);
    const [, second, third] = asked(noted, "tester");
    expect(second?.input["structured_failures"]).toMatchObject([{ propertyName: "cuts words" }]);
    expect(third?.input["findings"]).toEqual([
      'the test "cuts words" failed on the code before, and it or what it uses was changed or dropped; put it back as it was',
    ]);
  });

  test("of a table makes every test file the law", async () => {
    const before = new Map([["test/a.test.ts", "1"]]);
    const { noted } = await go({
      ...play,
      contents: [before, before, new Map([["test/a.test.ts", "2"]]), before],
    });
    expect(asked(noted, "tester")[2]?.input["findings"]).toEqual([
      "test/a.test.ts holds a test that failed on the code before, and was changed; put it back and add tests in another file",
    ]);
  });

  test("may stand beside new ones", async () => {
    const { outcome, nodes } = await go({ ...play, contents: [law, law, law] });
    expect(outcome.kind).toBe("shipped");
    expect(nodes.filter((node) => node === "test")).toHaveLength(2);
  });
});

describe("what is brought to the door", () => {
  test("is held against the tests alone and the skeleton, and was challenged by the verifier", async () => {
    const { noted } = await go({ answers: HONEST });
    expect(noted.shipped).toMatchObject([
      {
        commit: MERGES[1],
        proposal: { proposal_id: "PROP-00000002", claim: "It cuts words." },
        grounds: { tests: MERGES[0], skeleton: COMMITS[0] },
      },
    ]);
    expect(noted.merged.map(({ base, commits }) => [base, ...commits])).toEqual([
      [COMMITS[0], COMMITS[2]],
      [COMMITS[0], COMMITS[1], COMMITS[2]],
    ]);
  });

  test("names the tests that were seen to pass, and none that only their author speaks of", async () => {
    const imagined = { ...TESTS, tests: [...TESTS.tests, { ...TESTS.tests[0], name: "holds for ever" }] };
    const { outcome, noted } = await go({ answers: { ...HONEST, tester: [imagined] } });
    expect(outcome.kind).toBe("shipped");
    expect(noted.proposals.at(-1)?.acceptance_checks).toEqual(['the test "makes a slug" passes']);
  });

  test("every refused attempt is a proposal on record, so that a person's fix goes on from the last", async () => {
    const { outcome } = await run("wrong three times");
    if (outcome.kind !== "halted") throw new Error("it did not halt");
    const { proposals, challenges, adjudications } = outcome.halt.trail;
    expect(proposals.map(({ target_artifact_id: id }) => id.slice(0, 4))).toEqual([
      "CTR-",
      "IMPL",
      "IMPL",
      "IMPL",
    ]);
    expect(challenges.map(({ verdict }) => verdict)).toEqual(["PASS", "FAIL", "FAIL", "FAIL"]);
    expect(adjudications.at(-1)?.decision).toBe("REJECT");
  });
});

describe("a person", () => {
  const fix = { commit: "7".repeat(40), description: "Tabs are spaces, too." };

  test("whose fix passes is judged, verified and shipped; nobody else is asked", async () => {
    const { graphs, going, noted, since } = await run("wrong three times");
    const before = noted.asked.length;
    const outcome = await gatekeeper.enter(graphs, going, { at: "challenge", fix });
    expect(outcome.kind).toBe("shipped");
    expect((await since()).join(" ")).toBe("accept_fix judge verify challenge ship exit");
    expect(noted.asked.slice(before).map(({ role }) => role)).toEqual(["verifier"]);
    expect(noted.shipped.at(-1)).toMatchObject({ commit: fix.commit, grounds: { tests: fix.commit } });
    expect(noted.shipped.at(-1)?.proposal?.claim).toBe(fix.description);
  });

  test.each([
    ["fails its tests", { tests: [failing(), failing(), failing(), failing()] }, /the code is still wrong/],
    [
      "has weak tests",
      { tests: [failing(), failing(), failing()], examined: [refusedBy("mutation", "x (survivor)")] },
      /its tests still do not count/,
    ],
    [
      "is refused at the door",
      {
        tests: [failing(), failing(), failing()],
        ships: [{ kind: "refused" as const, findings: ["surface: no"] }],
      },
      /surface: no/,
    ],
  ])("whose fix %s is told so, and nobody mends it", async (_, play, why) => {
    const { graphs, going, since } = await go({
      answers: { ...HONEST, builder_gated: [BUILT, BUILT, BUILT] },
      ...play,
    });
    const outcome = await gatekeeper.enter(graphs, going, { at: "challenge", fix });
    expect(told(outcome)).toMatch(why);
    expect((await since()).slice(-2)).toEqual(["halt", "exit"]);
  });

  test("can fix what weak tests or a builder that gave up left behind, too", async () => {
    for (const answers of [
      { ...HONEST, tester: [stop("tester")] },
      { ...HONEST, builder_gated: [stop("builder")] },
    ]) {
      const { graphs, going } = await go({ answers });
      expect((await gatekeeper.enter(graphs, going, { at: "challenge", fix })).kind).toBe("shipped");
    }
  });

  test("cannot fix what has no contract, and is told", async () => {
    const { graphs, going, since } = await run("the researcher gives up");
    const outcome = await gatekeeper.enter(graphs, going, { at: "challenge", fix });
    expect(told(outcome)).toContain("before the contract was locked");
    expect((await since()).join(" ")).toBe("accept_fix halt exit");
  });

  test("overrides the verdict, never the door", async () => {
    const override = { escalation: "ESC-0a1b2c3d", rationale: "I looked." };
    const refuse = { kind: "refused" as const, findings: ["green: red"] };
    const { graphs, going, noted, since } = await go({
      answers: { ...HONEST, builder_gated: [BUILT, BUILT, BUILT], verifier: [OBJECTED, OBJECTED, OBJECTED] },
      ships: [refuse],
    });
    const no = await gatekeeper.enter(graphs, going, { at: "ship", override });
    expect(told(no)).toContain("green: red");
    expect((await since()).join(" ")).toBe("ship halt exit");
    const yes = await gatekeeper.enter(graphs, going, { at: "ship", override });
    expect(yes.kind).toBe("shipped");
    expect(noted.shipped.at(-1)).toMatchObject({ override: { rationale: "I looked." } });
  });

  test("cannot override where there is no code", async () => {
    const { graphs, going } = await run("the architect gives up");
    const override = { escalation: "ESC-0a1b2c3d", rationale: "I looked." };
    expect(told(await gatekeeper.enter(graphs, going, { at: "ship", override }))).toContain(
      "before any code",
    );
  });
});

test("a contract that was agreed upon elsewhere stands, whatever the architect gives back", async () => {
  const { graphs } = watchedGraphs();
  const { ports, noted } = gatekeeperPorts({ answers: HONEST });
  const contract = { ...slugifyContract(), tags: ["agreed"] };
  const agreed = { ...ports, assignment: { ...ports.assignment, contract } };
  const outcome = await gatekeeper.go(graphs, { thread: "t", runId: "r-1", ports: agreed });
  expect(outcome.kind).toBe("shipped");
  expect(noted.locked).toEqual([contract]);
});

test("no edge of the graph is left that nobody walked", () => {
  const walked = new Set(walks.flatMap((edges) => edges()));
  expect(everyEdge(gatekeeperGraph).filter((edge) => !walked.has(edge))).toEqual([]);
  expect([...walked].filter((edge) => !everyEdge(gatekeeperGraph).includes(edge))).toEqual([]);
});
