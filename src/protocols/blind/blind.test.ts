// Every way through the blind protocol, on real graphs with played roles; and no edge of the graph that none of them walks.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import { HybridResult, workItems } from "../../domain/blind/hybrid-result.ts";
import type { RunEvent } from "../../domain/run/run-event.ts";
import { MERGES, type Noted } from "../played-ports.suite.ts";
import type { ProtocolOutcome } from "../port.ts";
import {
  type BlindPlay,
  blindGraphs,
  blindPorts,
  commitBy,
  HONEST,
  IMPL,
  type Setting,
  SOUND,
  TESTS,
  TYPES,
} from "./blind.suite.ts";
import { everyEdge } from "../walked-edges.suite.ts";
import { blindGraph } from "./graph.ts";
import { blind } from "./protocol.ts";
import { ATTACKING, GAPS, SHIPPING } from "./attacking.suite.ts";
import { MENDING } from "./mending.suite.ts";
import { CROSSING, FORKING, hole, type Scenario, SHAPING, SHIP, stop } from "./scenarios.suite.ts";

const walks: (() => string[])[] = [];

async function go(play: BlindPlay, setting: Setting = {}) {
  const { graphs, way, edges } = blindGraphs();
  const { ports, noted } = blindPorts(play, setting);
  const going = { thread: "t", runId: "r-1", ports };
  const outcome = await blind.go(graphs, going);
  const nodes = await way();
  // Observers hear of an update in a turn of their own.
  await expect.poll(() => edges().length, { timeout: 5000 }).toBeGreaterThanOrEqual(nodes.length);
  walks.push(edges);
  return { outcome, nodes, noted, graphs, going, since: async () => (await way()).slice(nodes.length) };
}

function told(outcome: ProtocolOutcome): string {
  return outcome.kind === "halted" ? outcome.halt.context : JSON.stringify(outcome);
}

const SCENARIOS: Scenario[] = [...SHAPING, ...FORKING, ...CROSSING, ...MENDING, ...ATTACKING, ...SHIPPING];

function scenario(name: string): Scenario {
  const found = SCENARIOS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${name}`);
  return found;
}

function run(name: string) {
  const { play, ...setting } = scenario(name);
  return go(play, setting);
}

function resultOf({ kept }: Noted): HybridResult {
  return HybridResult.parse(JSON.parse(kept.at(-1)?.["result.json"] ?? ""));
}

describe("a thread comes to its end when", () => {
  test.each(SCENARIOS)("$name", async ({ play, way, ends, ...setting }) => {
    const { outcome, nodes, noted } = await go(play, setting);
    expect(nodes.join(" ")).toBe(way);
    if (ends === "shipped") expect(outcome).toMatchObject({ kind: "shipped", module: "MM-slugify@1.0.0" });
    else expect(told(outcome)).toMatch(ends);
    // Whichever way it ended, there is one result, with a certificate.
    expect(noted.kept).toHaveLength(1);
    const result = HybridResult.parse(JSON.parse(noted.kept[0]?.["result.json"] ?? ""));
    expect(result.shipped === null).toBe(ends !== "shipped");
    expect(result.blindness).not.toBeNull();
    expect(noted.shipped.length > 0 || ends !== "shipped").toBe(true);
  });
});

describe("what each side is told", () => {
  test("only the tester hears why its tests came back, and the code is written once", async () => {
    const { noted } = await run("trivial tests go back to the tester alone");
    expect(noted.asked.map(({ role }) => role)).toEqual([
      "types",
      "type_adversary",
      "impl",
      "tests",
      "tests",
    ]);
    const again = noted.asked.at(-1);
    expect(again?.input).toMatchObject({ phase: "revise", echoes: { fromImpl: ["slugify"], fromTests: [] } });
    expect(again?.input["findings"]).toEqual([expect.stringContaining("has no spaces passes on stubs")]);
    expect(again?.base).toBe(commitBy("tests"));
    expect(noted.merged.at(-1)?.commits).toEqual([commitBy("tests"), commitBy("tests", 2), commitBy("impl")]);
  });

  test("holes teach both sides, also after they were closed", async () => {
    const { noted } = await run("a hole at Major goes back to the types, the skeleton and the adversary");
    expect(noted.asked[2]?.input).toMatchObject({ phase: "revise", holes: [{ severity: "Major" }] });
    for (const role of ["tests", "impl"])
      expect(noted.asked.find((each) => each.role === role)?.input["hints"]).toMatchObject([
        { context: "a blank title", source: "type_adversary" },
      ]);
    expect(noted.proposals).toHaveLength(3);
  });

  test("names that are not in the specification do not pass, and are counted", async () => {
    const [known] = IMPL.functions;
    const gossip = { ...IMPL, functions: [known, { ...known, name: "use replaceAll with a dash" }] };
    const { noted } = await go({
      ...scenario("trivial tests go back to the tester alone").play,
      answers: { ...HONEST, tests: [TESTS, TESTS], impl: [gossip] },
    });
    expect(noted.asked.at(-1)?.input["echoes"]).toEqual({ fromImpl: ["slugify"], fromTests: [] });
    expect(resultOf(noted)).toMatchObject({ echoesDropped: 1 });
  });

  test("a suggested property becomes part of the specification, and the tester hears no code", async () => {
    const { noted } = await run(
      "survivors block: tests are added first, verified, and then the code has to pass them",
    );
    const tester = noted.asked.findLast(({ role }) => role === "tests");
    expect(tester?.input["findings"]).toEqual([
      "no blank title; write the property blankThrows: blank titles throw",
    ]);
    expect(JSON.stringify(tester?.input)).not.toContain("a - b");
    expect(JSON.stringify(tester?.input["functions"])).toContain("blankThrows");
  });

  test("a fixer knows what was tried, and why an attempt was thrown away", async () => {
    const { noted } = await run("a fix that touches a test is thrown away, and counts");
    const last = noted.asked.findLast(({ role }) => role === "fix");
    expect(last?.input["understanding"]).toMatchObject({
      learnings: ["Attempt 1 was thrown away: it changed test/slugify.test.ts, which no fix may touch."],
    });
    expect(last?.base).not.toBe(commitBy("fix"));
  });
});

describe("what is brought to the door", () => {
  test("is held against the verified tests, the claims and the skeleton, and was challenged", async () => {
    const { noted } = await go({ answers: HONEST });
    expect(noted.shipped).toMatchObject([
      {
        proposal: { proposal_id: "PROP-00000002" },
        grounds: {
          tests: commitBy("tests"),
          skeleton: "a".repeat(40),
          claims: [{ kind: "calls", test: "has no spaces", targets: ["slugify"] }],
        },
      },
    ]);
  });

  test("a tester hears what an adversary misses, and no line of the code that it has read", async () => {
    const [gap] = GAPS.gaps;
    const quoting = { ...gap, missingTest: "no blank title; the code says: if (title === '') return 'none'" };
    const { play } = scenario(
      "survivors block: tests are added first, verified, and then the code has to pass them",
    );
    const { noted } = await go({
      ...play,
      answers: { ...play.answers, mutation_adversary: [{ ...GAPS, gaps: [quoting] }] },
      sources: {
        [MERGES[0] ?? ""]: "export function slugify(title) {\n  if (title === '') return 'none';\n}\n",
      },
    });
    const [, again] = noted.asked.filter(({ role }) => role === "tests");
    expect(again?.input["findings"]).toEqual([
      "no blank title; the code says: (a line of the code); write the property blankThrows: blank titles throw",
    ]);
  });

  test("an adviser's words are in the result, as work for the next time", async () => {
    const { noted } = await run(
      "other survivors advise: nobody waits, and the result has what the adversary said",
    );
    const result = resultOf(noted);
    expect(result.mutationAdversary).toMatchObject({ gaps: GAPS.gaps, analysis: "one gap" });
    expect(workItems(result)).toMatchObject([{ kind: "survivor", todo: "blank titles throw" }]);
  });
});

describe("several at once", () => {
  test("two suites and two implementations are four commits, and the one that the example refutes is dropped", async () => {
    const { noted } = await run("an example of the specification decides, and the loser is dropped");
    expect(noted.merged.map(({ commits }) => commits)).toEqual([
      [commitBy("tests"), commitBy("impl")],
      [commitBy("tests"), commitBy("impl", 2)],
    ]);
    expect(noted.tested.at(-1)).toBe("2".repeat(40));
    expect(resultOf(noted).matrix).toEqual([
      { suite: "property", implementation: 0, failing: [] },
      { suite: "property", implementation: 1, failing: [] },
    ]);
  });

  test("a tester that writes into another's file is sent back, the other is not", async () => {
    const example = {
      ...TESTS,
      properties: TESTS.properties.map((each) => ({ ...each, name: "shows two words" })),
    };
    const { noted, outcome } = await go(
      {
        answers: { ...HONEST, tests: [TESTS, example, TESTS] },
        changed: {
          tests: [
            ["test/example.test.ts"],
            ["test/example.test.ts"],
            ["test/a.test.ts"],
            ["test/example.test.ts"],
          ],
        },
      },
      { blind: { testers: 2 } },
    );
    expect(outcome.kind).toBe("shipped");
    const testers = noted.asked.filter(({ role }) => role === "tests");
    expect(testers.map(({ input }) => `${String(input["flavour"])} ${String(input["phase"])}`)).toEqual([
      "property propose",
      "example propose",
      "property revise",
    ]);
  });
});

function isWriter(role: string): boolean {
  return role === "tests" || role === "impl";
}

describe("speculation", () => {
  const answers = { ...HONEST, types: [TYPES, TYPES], type_adversary: [hole("Critical"), SOUND] };

  test("abort: a critical hole stops both writers, and nothing of theirs is kept", async () => {
    let [writers, aborted] = [0, 0];
    const { nodes, noted, outcome } = await go(
      {
        answers,
        async before(role, signal) {
          if (role === "type_adversary") await sleep(50);
          if (!isWriter(role) || ++writers > 2) return;
          await sleep(5000, undefined, { signal }).catch(() => (aborted += 1));
          signal.throwIfAborted();
        },
      },
      { blind: { speculation: "abort" } },
    );
    expect(outcome.kind).toBe("shipped");
    expect(aborted).toBe(2);
    expect(nodes.filter((node) => node === "early_gate")).toHaveLength(2);
    expect(noted.merged.at(-1)?.commits).toEqual([commitBy("tests"), commitBy("impl")]);
  });

  test("mail: whoever finds the hole in its mailbox is asked once more with it, and the types stand", async () => {
    let writers = 0;
    const { nodes, noted, outcome } = await go(
      {
        answers: { ...answers, tests: [TESTS, TESTS], impl: [IMPL, IMPL] },
        before: async (role) => void (isWriter(role) && ++writers <= 2 && (await sleep(100))),
      },
      { blind: { speculation: "mail" } },
    );
    expect(outcome.kind).toBe("shipped");
    expect(nodes.filter((node) => node === "types_fix")).toEqual([]);
    expect(noted.letters).toEqual([
      "early_tests: a blank title: declare BlankTitle",
      "early_impl: a blank title: declare BlankTitle",
    ]);
    for (const role of ["tests", "impl"]) {
      const [first, second] = noted.asked.filter((each) => each.role === role);
      expect(first?.input["hints"]).toEqual([]);
      expect(second?.input["hints"]).toMatchObject([{ context: "a blank title: declare BlankTitle" }]);
      expect(second?.base).toBe(commitBy(role));
    }
    expect(resultOf(noted).typeAdversary).toMatchObject({ verdict: "HasHoles" });
  });

  test("mail that comes too late changes nothing, so the types go back", async () => {
    let adversaries = 0;
    const { nodes } = await go(
      {
        answers: { ...answers, tests: [TESTS, TESTS], impl: [IMPL, IMPL] },
        before: async (role) => void (role === "type_adversary" && ++adversaries === 1 && (await sleep(200))),
      },
      { blind: { speculation: "mail" } },
    );
    expect(nodes.filter((node) => node === "types_fix")).toHaveLength(1);
  });
});

describe("a person", () => {
  test("gives a fix: it is tested, judged by every gate and shipped as it is", async () => {
    const { graphs, going, noted, since } = await run("the same failure for the third time");
    const fix = { commit: "9".repeat(40), description: "trims first" };
    const outcome = await blind.enter(graphs, going, { at: "challenge", fix });
    expect(outcome.kind).toBe("shipped");
    expect((await since()).join(" ")).toBe(`accept_fix validate post_validate ${SHIP}`);
    expect(noted.shipped).toMatchObject([{ commit: fix.commit, grounds: { tests: fix.commit } }]);
    expect(noted.proposals.at(-1)).toMatchObject({ claim: "trims first" });
  });

  test("overrides: the door still decides, and before there is code there is nothing to ship", async () => {
    const override = { escalation: "ESC-00000001", rationale: "good enough" };
    const survived = await run("survivors that stay after two rounds");
    expect((await blind.enter(survived.graphs, survived.going, { at: "ship", override })).kind).toBe(
      "shipped",
    );
    expect(survived.noted.shipped).toMatchObject([{ override: { rationale: "good enough" } }]);
    const early = await run("the types role is blocked");
    const outcome = await blind.enter(early.graphs, early.going, { at: "ship", override });
    expect(told(outcome)).toContain("there is no module yet that could ship");
  });
});

function says(events: number[]) {
  return { narrative: [{ text: "It shipped at last.", events }], concerns: [], suggestions: [] };
}

test("a witness that invents an event is not believed, one that keeps to the journal is", async () => {
  const history: RunEvent[] = [
    {
      kind: "module_shipped",
      seq: 5,
      at: "2026-01-01T00:00:00.000Z",
      runId: "r-1",
      task: "T-text-slug-make-001",
      module: "MM-slugify@1.0.0",
      shipRef: "SHIP-00000001",
    },
  ];
  const honest = await go({ answers: { ...HONEST, witness: [says([5])] }, history });
  expect(resultOf(honest.noted).witness).toMatchObject({ wordedBy: "witness", ...says([5]) });
  const liar = await go({ answers: { ...HONEST, witness: [says([5, 6])] }, history });
  expect(resultOf(liar.noted).witness).toMatchObject({
    wordedBy: "harness",
    narrative: [{ text: "MM-slugify@1.0.0 shipped.", events: [5] }],
  });
  const mute = await go({ answers: { ...HONEST, witness: [stop("witness")] }, history });
  expect(mute.outcome.kind).toBe("shipped");
});

test("a contract that was agreed upon elsewhere stands, holes or not", async () => {
  const { graphs } = blindGraphs();
  const { ports, noted } = blindPorts({ answers: { ...HONEST, type_adversary: [hole("Critical")] } });
  const contract = slugifyContract();
  const agreed = { ...ports, assignment: { ...ports.assignment, contract } };
  const outcome = await blind.go(graphs, { thread: "t", runId: "r-1", ports: agreed });
  expect(outcome.kind).toBe("shipped");
  expect(noted.locked).toEqual([contract]);
});

test("no edge of the graph is left that nobody walked", () => {
  const walked = new Set(walks.flatMap((edges) => edges()));
  expect(everyEdge(blindGraph).filter((edge) => !walked.has(edge))).toEqual([]);
  expect([...walked].filter((edge) => !everyEdge(blindGraph).includes(edge))).toEqual([]);
});
