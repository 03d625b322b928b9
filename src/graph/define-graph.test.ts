import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineGraph, stateKey } from "./define-graph.ts";
import { embed } from "./embed.ts";
import type { Graph, StateShape } from "./port.ts";

const state = {
  count: stateKey({ schema: z.int(), initial: () => 0 }),
  said: stateKey({ schema: z.array(z.string()), initial: () => [], merge: (a, b) => [...a, ...b] }),
};
const plain = { run: async () => ({ update: {} }), timeoutMs: 1000, lane: "harness", does: "nothing" };

interface Wires {
  to?: readonly string[];
  routes?: readonly string[];
  after?: readonly string[];
}

function define(wires: Record<string, Wires>, entries: Record<string, string> = {}) {
  const nodes = Object.fromEntries(
    Object.entries(wires).map(([name, wire]) => [name, { ...plain, ...wire }]),
  );
  return defineGraph({ name: "sample", version: 1, state, nodes, entries: { start: "a", ...entries } });
}

describe("defineGraph", () => {
  it("takes ways side by side, a join, a loop and several entries", () => {
    const graph = define(
      {
        a: { to: ["b", "c"] },
        b: { to: ["join"] },
        c: { routes: ["c", "d"] },
        d: { to: ["join"] },
        join: { routes: ["a", "end"], after: ["b", "d"] },
        late: { to: ["end"] },
      },
      { late: "late" },
    );
    expect([...graph.nodes.keys()]).toEqual(["a", "b", "c", "d", "join", "late"]);
    expect(graph.endsOnce).toBe(true);
  });

  it("knows whether a graph may come to several ends", () => {
    expect(define({ a: { to: ["b", "c"] }, b: { to: ["end"] }, c: { to: ["end"] } }).endsOnce).toBe(false);
  });

  it.each<[string, Record<string, Wires>, RegExp]>([
    ["without nodes", {}, /it has no nodes/],
    ["with a target that is no node", { a: { to: ["b"] } }, /a names "b", which is no node/],
    ["with a route that is no node", { a: { routes: ["end", "zz"] } }, /a names "zz"/],
    ["waiting for a node that is none", { a: { to: ["end"], after: ["x", "y"] } }, /names "x"/],
    ["with both kinds of edges", { a: { to: ["end"], routes: ["end"] } }, /both to and routes/],
    ["with neither kind of edges", { a: {} }, /neither to and routes/],
    ["with a node that leads nowhere", { a: { to: [] } }, /leads nowhere/],
    ["naming a target twice", { a: { to: ["b", "b"] }, b: { to: ["end"] } }, /twice/],
    ["ending and going on", { a: { to: ["b", "end"] }, b: { to: ["end"] } }, /goes to b and end/],
    ["with a node nobody comes to", { a: { to: ["end"] }, b: { to: ["end"] } }, /nothing leads to b/],
    ["with a loop without a way out", { a: { to: ["b"] }, b: { to: ["a"] } }, /no way leads to the end/],
    ["with a node named end", { a: { to: ["end"] }, end: { to: ["a"] } }, /"end" is no name for a node/],
    ["with a strange name", { a: { to: ["A b"] }, "A b": { to: ["end"] } }, /"A b" is no name/],
    ["with a join of one", { a: { to: ["b"] }, b: { to: ["end"], after: ["a"] } }, /waits for 1 node/],
    [
      "with a join that one only sometimes goes to",
      {
        a: { to: ["b", "c"] },
        b: { to: ["j"] },
        c: { routes: ["j", "end"] },
        j: { to: ["end"], after: ["b", "c"] },
      },
      /c only sometimes goes there/,
    ],
    [
      "with a join that somebody comes to unasked",
      {
        a: { to: ["b", "c", "j"] },
        b: { to: ["j"] },
        c: { to: ["j"] },
        j: { to: ["end"], after: ["b", "c"] },
      },
      /j and a disagree/,
    ],
    [
      "with a join that could wait for ever",
      {
        a: { to: ["b", "c"] },
        b: { to: ["j"] },
        c: { routes: ["d", "end"] },
        d: { to: ["j"] },
        j: { to: ["end"], after: ["b", "d"] },
      },
      /j would wait for ever: only b comes when the way is a → b \+ c/,
    ],
    [
      "with a loop that comes to a join twice",
      {
        a: { to: ["b", "c"] },
        b: { to: ["j", "b2"] },
        b2: { to: ["b"] },
        c: { routes: ["c", "d"] },
        d: { to: ["j"] },
        j: { to: ["end"], after: ["b", "d"] },
      },
      /b comes to j twice/,
    ],
  ])("refuses a graph %s", (_, wires, message) => {
    expect(() => define(wires)).toThrow(message);
  });

  it.each([
    [{ challenge: "zz" }, /its entry challenge leads to "zz"/],
    [{ "no name": "a" }, /"no name" is no name for an entry/],
    [{ start: "gone" }, /its entry start leads to "gone"/],
  ])("refuses the entries %j", (entries, message) => {
    expect(() => define({ a: { to: ["end"] } }, entries)).toThrow(message);
  });

  it("refuses an entry from which a join would wait for ever", () => {
    const wires = {
      a: { to: ["b", "c"] },
      b: { to: ["j"] },
      c: { to: ["j"] },
      j: { to: ["end"], after: ["b", "c"] },
    };
    expect(() => define(wires, { half: "b" })).toThrow(/j would wait for ever: only b comes/);
  });

  it.each([
    [{ timeoutMs: 0 }, /may take 0 ms/],
    [{ timeoutMs: 3e9 }, /may take 3000000000 ms/],
    [{ timeoutMs: Number.NaN }, /may take NaN ms/],
    [{ retries: -1 }, /tried again -1 times/],
    [{ lane: " " }, /no lane/],
  ])("refuses a node with %j", (change, message) => {
    const nodes = { a: { ...plain, to: ["end"] as const, ...change } };
    expect(() => defineGraph({ name: "sample", version: 1, state, nodes, entries: { start: "a" } })).toThrow(
      message,
    );
  });

  it.each<[{ name?: string; version?: number; state?: StateShape }, RegExp]>([
    [{ name: "No" }, /its name is "No"/],
    [{ version: 0 }, /its version is 0/],
    [{ state: { "a b": state.count } }, /"a b" is no name for a value/],
  ])("refuses %j", (change, message) => {
    const nodes = { a: { ...plain, to: ["end"] as const } };
    const { name = "sample", version = 1, state: shape = state } = change;
    expect(() => defineGraph({ name, version, state: shape, nodes, entries: { start: "a" } })).toThrow(
      message,
    );
  });

  it("lets the compiler find unknown keys, targets and entries", () => {
    const graph = defineGraph({
      name: "typed",
      version: 1,
      state,
      nodes: {
        a: {
          ...plain,
          run: async ({ count }, ports: { say(text: string): string }) =>
            count > 1 ? { update: { said: [ports.say("x")] }, goto: "b" } : { update: {}, goto: "end" },
          routes: ["b", "end"],
        },
        b: { ...plain, to: ["end"] },
      },
      entries: { start: "a", again: "b" },
    });
    expectTypeOf(graph).toExtend<
      Graph<typeof state, { say(text: string): string }, "start" | "again", "a" | "b">
    >();
    const wrong = () =>
      defineGraph({
        name: "typed",
        version: 1,
        state,
        nodes: {
          // @ts-expect-error no such key
          a: { ...plain, run: async () => ({ update: { cuont: 1 } }), to: ["b"] },
          // @ts-expect-error no such node
          b: { ...plain, run: async () => ({ update: {}, goto: "nowhere" }), routes: ["c"] },
          // @ts-expect-error no such node
          c: { ...plain, to: ["nowhere"] },
          // @ts-expect-error no lane
          d: { run: plain.run, to: ["a"], timeoutMs: 1, does: "nothing" },
        },
        // @ts-expect-error no such node
        entries: { start: "e" },
      });
    expect(wrong).toThrow(/b names "c", which is no node|c names "nowhere"|its entry start/);
  });
});

describe("embed", () => {
  const child = defineGraph({
    name: "child",
    version: 1,
    state,
    nodes: {
      a: { ...plain, to: ["b", "c"] },
      b: { ...plain, to: ["j"] },
      c: { ...plain, to: ["j"] },
      j: { ...plain, routes: ["a", "end"], after: ["b", "c"] },
    },
    entries: { start: "a" },
  });

  it("puts the nodes under a prefix and leads their end on", () => {
    const nodes = embed(child, state, { as: "inner", to: "after" });
    const graph = defineGraph({
      name: "parent",
      version: 1,
      state: { ...state, more: state.count },
      nodes: { ...nodes, before: { ...plain, to: ["inner/a"] }, after: { ...plain, to: ["end"] } },
      entries: { start: "before" },
    });
    expect(graph.nodes.get("inner/j")).toMatchObject({
      routes: ["inner/a", "after"],
      after: ["inner/b", "inner/c"],
    });
    expect([...graph.nodes.keys()]).toEqual(["inner/a", "inner/b", "inner/c", "inner/j", "before", "after"]);
  });

  it("refuses a graph whose state the parent does not have", () => {
    expect(() => embed(child, { count: state.count }, { as: "inner", to: "x" })).toThrow(
      /its state has said/,
    );
    const other = { ...state, count: stateKey({ schema: z.int(), initial: () => 0 }) };
    expect(() => embed(child, other, { as: "inner", to: "x" })).toThrow(/its state has count/);
  });

  it("refuses a graph that may come to more than one end", () => {
    const twice = define({ a: { to: ["b", "c"] }, b: { to: ["end"] }, c: { to: ["end"] } });
    expect(() => embed(twice, state, { as: "inner", to: "x" })).toThrow(/more than one end/);
  });
});
