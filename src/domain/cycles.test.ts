import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycles, renderCycle } from "./cycles.ts";

describe("findCycles", () => {
  it.each<[string, Record<string, string[]>, string[]]>([
    ["an empty graph", {}, []],
    ["a diamond", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, []],
    ["edges that lead nowhere", { a: ["x", "constructor", "__proto__"] }, []],
    ["something that waits for itself", { a: ["a"] }, ["a → a"]],
    ["a ring, told from its earliest member", { x: ["c"], a: ["b"], b: ["c"], c: ["a"] }, ["a → b → c → a"]],
    ["two rings apart", { a: ["b"], b: ["a"], c: ["d"], d: ["c"] }, ["a → b → a", "c → d → c"]],
    ["two rings with a common member", { a: ["b"], b: ["a", "c"], c: ["b"] }, ["a → b → a"]],
    ["an edge that is declared twice", { a: ["b", "b"], b: ["a", "a"] }, ["a → b → a"]],
  ])("handles %s", (_, graph, cycles) => {
    expect(findCycles(new Map(Object.entries(graph))).map(renderCycle)).toEqual(cycles);
  });

  /** Up to eight nodes with up to fourteen edges, some of them leading out of the graph. */
  const graphs = fc
    .tuple(fc.integer({ min: 0, max: 8 }), fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 14 }))
    .map(([size, edges]) => {
      const graph = new Map<string, string[]>();
      for (let node = 0; node < size; node++) graph.set(`n${node}`, []);
      for (const [from, to] of edges) graph.get(`n${from}`)?.push(`n${to}`);
      return graph;
    });

  it("finds a cycle exactly when a naive search does", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const reaches = (from: string, to: string, seen: string[]): boolean =>
          (graph.get(from) ?? []).some(
            (next) => next === to || (!seen.includes(next) && reaches(next, to, [...seen, next])),
          );
        const cyclic = [...graph.keys()].some((node) => reaches(node, node, []));
        expect(findCycles(graph).length > 0).toBe(cyclic);
      }),
      { numRuns: 500 },
    );
  });

  it("names only real cycles, each from its earliest member, none sharing a member with another", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const cycles = findCycles(graph);
        for (const cycle of cycles) {
          cycle.forEach((id, index) => expect(graph.get(id)).toContain(cycle[(index + 1) % cycle.length]));
          expect(cycle[0]).toBe(cycle.toSorted()[0]);
        }
        expect(new Set(cycles.flat()).size).toBe(cycles.flat().length);
      }),
      { numRuns: 500 },
    );
  });

  it("walks a chain longer than the call stack is deep", () => {
    const length = 100_000;
    const chain = new Map(Array.from({ length }, (_, index) => [`${index}`, [`${index + 1}`]]));
    expect(findCycles(chain)).toEqual([]);
    chain.set(`${length - 1}`, ["0"]);
    expect(findCycles(chain)[0]).toHaveLength(length);
  });
});
