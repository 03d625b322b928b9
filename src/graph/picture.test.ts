import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../domain/run/run-event.ts";
import { graph, open } from "./graphs-sample.suite.ts";
import { pictureOf } from "./picture.ts";
import { toMermaid } from "./picture-mermaid.ts";
import { paintOf } from "./picture-paint.ts";

const node = (lane: string) => ({ lane, does: "it", to: ["end"] });
const SIZE = 7;
const nameOf = (n: number): string => (n === SIZE ? "end" : `n-${n}`);

describe("the picture of a graph", () => {
  it("has every node, edge and entry, in the order of definition", () => {
    const picture = pictureOf(graph);
    expect(picture).toMatchObject({ name: "sample", version: 1, lanes: ["harness"] });
    expect(picture.nodes.map(({ name, column }) => [name, column])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 1],
      ["d", 2],
      ["e", 3],
    ]);
    expect(picture.edges).toEqual([
      { from: "a", to: "b", kind: "always", joins: false, back: false },
      { from: "a", to: "c", kind: "always", joins: false, back: false },
      { from: "b", to: "d", kind: "always", joins: true, back: false },
      { from: "c", to: "d", kind: "always", joins: true, back: false },
      { from: "d", to: "e", kind: "always", joins: false, back: false },
      { from: "e", to: "a", kind: "choice", joins: false, back: true },
      { from: "e", to: "end", kind: "choice", joins: false, back: false },
    ]);
    expect(picture.entries).toEqual([
      { name: "start", node: "a" },
      { name: "late", node: "e" },
    ]);
    expect(JSON.parse(JSON.stringify(picture))).toEqual(picture);
  });

  it("has its lanes as they are wished for, then as they appear", () => {
    const nodes = new Map(["impl", "tests", "harness", "impl"].map((lane, n) => [`n-${n}`, node(lane)]));
    const drawable = { name: "x", version: 1, nodes, entries: new Map([["start", "n-0"]]) };
    expect(pictureOf(drawable, ["harness", "nobody"]).lanes).toEqual(["harness", "impl", "tests"]);
  });

  it("comes to an end for graphs of any shape, with edges that go right unless they go back", () => {
    const targets = fc.uniqueArray(fc.nat({ max: SIZE }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(targets, { minLength: SIZE, maxLength: SIZE }), (all) => {
        const nodes = new Map(
          all.map((to, n) => [nameOf(n), { lane: "l", does: "it", routes: to.map(nameOf) }] as const),
        );
        const entries = new Map(all.map((_, n) => [nameOf(n), nameOf(n)] as const));
        const picture = pictureOf({ name: "x", version: 1, nodes, entries });
        const columns = new Map(picture.nodes.map(({ name, column }) => [name, column]));
        for (const { from, to, back } of picture.edges) {
          if (!back && to !== "end") expect(columns.get(to)).toBeGreaterThan(columns.get(from) ?? 0);
        }
        expect(picture.edges).toHaveLength(all.flat().length);
      }),
    );
  });
});

/** Every statement that a picture may consist of. */
const ID = "(n\\d+|e\\d+|finish)";
const TEXT = '"(?:[\\p{L}\\p{N} .,:/_()+-]|#\\d+;|<br/>)*"';
const STATEMENTS = [
  "flowchart LR",
  `  subgraph l\\d+\\[${TEXT}\\]`,
  `    n\\d+\\[${TEXT}\\]`,
  "  end",
  `  e\\d+\\(\\[${TEXT}\\]\\) --> n\\d+`,
  '  finish\\(\\(\\("end"\\)\\)\\)',
  `  n\\d+ (-->|-\\.->|==>) ${ID}`,
  "  classDef (done|running|failed|waiting) [\\w:#, -]+",
  "  class n\\d+(,n\\d+)* (done|running|failed|waiting)",
].map((statement) => new RegExp(`^${statement}$`, "u"));

function wrongLines(mermaid: string): string[] {
  expect(mermaid.endsWith("\n")).toBe(true);
  const lines = mermaid.split("\n").slice(0, -1);
  expect(lines.filter((line) => line.startsWith("  subgraph"))).toHaveLength(
    lines.filter((line) => line === "  end").length,
  );
  return lines.filter((line) => !STATEMENTS.some((statement) => statement.test(line)));
}

describe("Mermaid", () => {
  it("draws lanes, entries, choices, loops and the end", () => {
    expect(toMermaid(pictureOf(graph)).split("\n").slice(0, 12)).toEqual([
      "flowchart LR",
      '  subgraph l0["harness"]',
      '    n0["a<br/>something"]',
      '    n1["b<br/>something"]',
      '    n2["c<br/>something"]',
      '    n3["d<br/>something"]',
      '    n4["e<br/>something"]',
      "  end",
      '  e0(["start"]) --> n0',
      '  e1(["late"]) --> n4',
      '  finish((("end")))',
      "  n0 --> n1",
    ]);
    expect(toMermaid(pictureOf(graph))).toContain("  n4 ==> n0\n  n4 -.-> finish\n");
  });

  it("paints what a thread has done, and nothing else", () => {
    const mermaid = toMermaid(
      pictureOf(graph),
      new Map([
        ["a", "done"],
        ["b", "done"],
        ["c", "failed"],
      ]),
    );
    expect(mermaid).toContain("\n  class n0,n1 done\n");
    expect(mermaid).toContain("\n  class n2 failed\n");
    expect(mermaid).not.toContain("running");
    expect(wrongLines(mermaid)).toEqual([]);
  });

  it("stays valid whatever people write into labels", () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        '"]\nclick n0 "javascript:x"',
        "end",
        "%%{init: {}}%%",
        "a;b",
        "<script>",
        "`x`",
        "#quot;",
      ),
    );
    fc.assert(
      fc.property(nasty, nasty, (lane, does) => {
        const nodes = new Map([["end-of-it", { lane, does, to: ["end"] }]]);
        const picture = pictureOf({
          name: "x",
          version: 1,
          nodes,
          entries: new Map([["start", "end-of-it"]]),
        });
        expect(wrongLines(toMermaid(picture, new Map([["end-of-it", "waiting"]])))).toEqual([]);
      }),
    );
  });
});

describe("the paint of a thread", () => {
  it("is what its nodes came to last", async () => {
    const { graphs, journal } = open();
    const ports = {
      async work(name: string) {
        if (name === "d") throw new Error("no");
      },
    };
    await graphs.run(graph, { thread: "t-1", ports });
    await graphs.run(graph, { thread: "t-2", ports: { work: async () => undefined } });
    const events = await journal.read(0, 1000);
    expect([...paintOf(events, "t-1", false)]).toEqual([
      ["a", "done"],
      ["b", "done"],
      ["c", "done"],
      ["d", "failed"],
    ]);
  });

  it.each([
    [true, "running"],
    [false, "waiting"],
  ])("shows a node that has begun, with somebody at it: %j, as %s", (active, paint) => {
    const event: RunEvent = {
      kind: "node_started",
      seq: 1,
      at: "2026-11-15T12:00:00Z",
      runId: "r",
      thread: "t-1",
      graph: "sample",
      node: "a",
      attempt: 1,
    };
    expect(paintOf([event], "t-1", active).get("a")).toBe(paint);
    expect(paintOf([event], "t-2", active).size).toBe(0);
  });
});
