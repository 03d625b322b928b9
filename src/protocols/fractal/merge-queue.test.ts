// The merge queue against a played parent: whatever the candidates do to each other, nothing red is ever published.
import fc from "fast-check";
import { expect, test } from "vitest";
import { drainQueue, type MergeGround } from "./merge-queue.ts";

const read = (commit: string): number[] => JSON.parse(commit);

/** A commit is the list of what was merged; what spoils it is a rule about that list. */
function ground(rules: { red: (merged: readonly number[]) => string[]; conflicts?: [number, number][] }) {
  const published: string[] = ["[]"];
  const judgements = new Map<string, number>();
  const port: MergeGround<number> = {
    stack: async (onto, candidate) => {
      const merged = read(onto);
      const clash = (rules.conflicts ?? []).some(([one, two]) => two === candidate && merged.includes(one));
      return clash
        ? { kind: "conflict", files: [`shared-${candidate}`] }
        : { kind: "stacked", commit: JSON.stringify([...merged, candidate]) };
    },
    judge: async (commit) => {
      judgements.set(commit, (judgements.get(commit) ?? 0) + 1);
      const failing = rules.red(read(commit));
      return failing.length === 0 ? { kind: "green" } : { kind: "red", failing };
    },
    publish: async (from, to) => {
      expect(published.at(-1)).toBe(from);
      const before = read(from).length;
      for (let size = before + 1; size <= read(to).length; size += 1)
        published.push(JSON.stringify(read(to).slice(0, size)));
    },
  };
  return { port, published, judgements };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test("twelve that fit together are merged by as many judgements as there are commits, and one publication", async () => {
  const { port, published, judgements } = ground({ red: () => [] });
  const { results, head } = await drainQueue("[]", numbers(12), port);
  expect(results.map(({ kind }) => kind)).toEqual(numbers(12).map(() => "merged"));
  expect(published).toHaveLength(13);
  expect(published.at(-1)).toBe(head);
  expect(judgements.size).toBe(12);
});

test("of sixteen with one that breaks the suite, fifteen arrive and the one hears which tests failed", async () => {
  const { port, published } = ground({ red: (merged) => (merged.includes(9) ? ["adds up"] : []) });
  const { results } = await drainQueue("[]", numbers(16), port);
  expect(results.filter(({ kind }) => kind === "rejected")).toEqual([
    { kind: "rejected", candidate: 9, failing: ["adds up"] },
  ]);
  expect(results.filter(({ kind }) => kind === "merged")).toHaveLength(15);
  expect(published.some((commit) => commit.includes("9,") || commit.endsWith("9]"))).toBe(false);
});

test("one that is green only after another is let in after it, not sent away", async () => {
  const { port } = ground({
    red: (merged) => (merged.includes(0) && !merged.includes(2) ? ["needs two"] : []),
  });
  const { results, head } = await drainQueue("[]", numbers(3), port);
  expect(results.map(({ kind }) => kind)).toEqual(["merged", "merged", "merged"]);
  expect(head).toBe("[1,2,0]");
});

test("one that breaks what a sibling brought is sent back: the sibling is canon", async () => {
  const { port } = ground({ red: (merged) => (merged.includes(0) && merged.includes(3) ? ["both"] : []) });
  const { results, head } = await drainQueue("[]", numbers(5), port);
  expect(head).toBe("[0,1,2,4]");
  expect(results.find(({ kind }) => kind === "rejected")).toEqual({
    kind: "rejected",
    candidate: 3,
    failing: ["both"],
  });
});

test("a suite that changes its mind is not relied on", async () => {
  let asked = 0;
  const { port } = ground({ red: () => ((asked += 1) === 1 ? ["now and then"] : []) });
  await expect(drainQueue("[]", [0], port)).rejects.toThrow("not to be relied on");
});

test("whatever breaks whom: every published commit is green, and everybody gets one answer", async () => {
  const pair = fc.tuple(fc.nat(9), fc.nat(9)).filter(([one, two]) => one !== two);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(numbers(10), { minLength: 1 }),
      fc.array(pair, { maxLength: 4 }),
      fc.array(pair, { maxLength: 4 }),
      fc.array(fc.nat(9), { maxLength: 2 }),
      fc.array(pair, { maxLength: 3 }),
      async (waiting, enemies, needs, broken, conflicts) => {
        const red = (merged: readonly number[]): string[] => [
          ...enemies.filter((two) => two.every((each) => merged.includes(each))).map(String),
          ...needs.filter(([one, two]) => merged.includes(one) && !merged.includes(two)).map(String),
          ...broken.filter((each) => merged.includes(each)).map(String),
        ];
        const { port, published } = ground({ red, conflicts });
        const { results } = await drainQueue("[]", waiting, port);
        for (const commit of published) expect(red(JSON.parse(commit))).toEqual([]);
        const answered = results.map(({ candidate }) => candidate);
        expect(new Set(answered)).toEqual(new Set(waiting));
        expect(answered).toHaveLength(waiting.length);
        const merged = results.filter(({ kind }) => kind === "merged").map(({ candidate }) => candidate);
        expect(JSON.parse(published.at(-1) ?? "")).toEqual(merged);
      },
    ),
    { numRuns: 500 },
  );
});
