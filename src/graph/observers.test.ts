import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { graph, idle, open, twice } from "./graphs-sample.suite.ts";
import { queued, show } from "./observers.ts";
import type { Update } from "./port.ts";

const update = (attempt: number): Update => ({
  thread: "t-1",
  graph: "sample",
  node: "a",
  at: "2026-11-15T12:00:00.000Z",
  attempt,
  update: { said: ["x"] },
  goto: undefined,
});

describe("an observer", () => {
  it("sees every update in order, with node and time, as a copy that it cannot change", async () => {
    const seen: Update[] = [];
    const { graphs } = open({ observers: [(one) => void seen.push(one)], now: () => 0 });
    await graphs.run(graph, { thread: "t-1", ports: idle });
    while (seen.length < 10) await sleep(1);
    expect(seen.map(({ node }) => node).toSorted()).toEqual(twice.toSorted());
    expect(seen[0]).toEqual({
      thread: "t-1",
      graph: "sample",
      node: "a",
      at: "1970-01-01T00:00:00.000Z",
      attempt: 1,
      update: { said: ["a"] },
      goto: undefined,
    });
    expect(() => Object(seen[0]?.update).said.push("y")).toThrow(TypeError);
  });

  it("gets its own copy, so that bytes changed in one are not changed in another", () => {
    const seen: Update[] = [];
    const bytes = new Uint8Array([1]);
    const keep = (one: Update): void => void seen.push(one);
    show([keep, keep], { ...update(1), update: { bytes } });
    Object(seen[0]?.update).bytes[0] = 9;
    expect([Object(seen[1]?.update).bytes[0], bytes[0]]).toEqual([1, 1]);
  });

  it("that throws what has no words, or cannot be shown an update, ends nobody's process", async () => {
    const told: string[] = [];
    const observer = queued(() => Promise.reject(Object.create(null)), { tell: (what) => told.push(what) });
    void observer(update(1));
    while (told.length === 0) await sleep(1);
    expect(told).toEqual([expect.stringContaining("cannot be put into words")]);
    const strange = { ...update(1), update: { said: new Proxy({}, {}) } };
    expect(() => show([observer], strange)).not.toThrow();
  });

  it("that throws is told of once and still sees the rest", async () => {
    const told: string[] = [];
    const seen: number[] = [];
    const observer = queued(
      ({ attempt }) => {
        seen.push(attempt);
        if (attempt < 3) throw new Error("mine");
      },
      {
        tell(what) {
          told.push(what);
          throw new Error("deaf");
        },
      },
    );
    for (const attempt of [1, 2, 3]) void observer(update(attempt));
    expect(seen).toEqual([]);
    while (seen.length < 3) await sleep(1);
    expect(seen).toEqual([1, 2, 3]);
    expect(told).toEqual(["an observer failed, and the graph went on: mine"]);
  });

  it("that never ends holds up nothing, and its queue is bounded", async () => {
    const told: string[] = [];
    let started = 0;
    const stuck = queued(
      () => {
        started++;
        return new Promise(() => undefined);
      },
      { most: 3, tell: (what) => told.push(what) },
    );
    const { graphs } = open({ observers: [stuck] });
    expect(await graphs.run(graph, { thread: "t-1", ports: idle })).toMatchObject({ kind: "finished" });
    expect(started).toBe(1);
    expect(told).toEqual([expect.stringContaining("3 updates behind")]);
  });
});
