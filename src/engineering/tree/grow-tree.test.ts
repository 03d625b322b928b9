// The supervisor of a tree with played nodes: order, parallel work, halts, stops, and going on after being killed anywhere.
import fc from "fast-check";
import { expect, test } from "vitest";
import { childSpec, nodeSpec } from "../../../test/tree-samples.ts";
import { advance, isMerged, nodeOf, type Tree, type TreeEvent, treeOf } from "../../domain/fractal/tree.ts";
import { type Growing, growTree, type Went } from "./grow-tree.ts";

const COMMIT = "a".repeat(40);

/** Which children each node unfolds into. */
type Family = Readonly<Record<string, string[]>>;
const FAMILY: Family = { root: ["a", "b", "c"], a: ["a1", "a2"], c: ["c1"] };

interface Playing {
  family: Family;
  /** Whose first merge is rejected, or sent back by the parent. */
  rejected?: string[];
  sentBack?: string[];
  halts?: string[];
  /** Dies at the nth call, and at every one after it. */
  diesAt?: number;
}

class Killed extends Error {}

async function slowly(job: () => void): Promise<Went> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  job();
  return { kind: "went" };
}

function played(
  { family, rejected = [], sentBack = [], halts = [], diesAt = Number.POSITIVE_INFINITY }: Playing,
  start = treeOf(nodeSpec("root")),
) {
  let tree: Tree = start;
  let calls = 0;
  let busy = 0;
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  const most = { busy: 0 };
  const tell = (event: TreeEvent): void => {
    calls += 1;
    if (calls >= diesAt) throw new Killed("killed");
    tree = advance(tree, event);
    log.push(`${event.kind} ${event.node}`);
    for (const wake of waiting.splice(0)) wake();
  };
  const working = async (job: () => void): Promise<Went> => {
    busy += 1;
    most.busy = Math.max(most.busy, busy);
    return slowly(job).finally(() => (busy -= 1));
  };
  const merging = new Set<string>();
  const growing: Growing = {
    read: async () => tree,
    changed: () => new Promise((resolve) => void waiting.push(resolve)),
    work: ({ node, at }) =>
      working(() => {
        if (halts.includes(node)) return tell({ kind: "halted", node });
        if (at === "scaffold")
          tell({ kind: "unfolded", node, children: (family[node] ?? []).map(childSpec) });
        if (at === "impl") tell({ kind: "approved", node, commit: COMMIT });
        else tell({ kind: "tests_ready", node });
      }),
    merge(_, queued) {
      for (const node of queued) {
        if (merging.has(node)) throw new Error(`${node} is merged by two at once`);
        merging.add(node);
      }
      return slowly(() => {
        for (const node of queued) {
          merging.delete(node);
          const first = !log.includes(`rejected ${node}`) && !log.includes(`sent_back ${node}`);
          if (first && rejected.includes(node)) tell({ kind: "rejected", node });
          else {
            tell({ kind: "merged", node, commit: COMMIT });
            if (first && sentBack.includes(node)) tell({ kind: "sent_back", node });
          }
        }
      });
    },
    ship: (node) => slowly(() => tell({ kind: "shipped", node })),
  };
  return { growing, log, most, now: () => tree };
}

const placeIn = (log: readonly string[], what: string): number => log.indexOf(what);

test("unfolds, folds and ships, children before parents", async () => {
  const { growing, log } = played({ family: FAMILY });
  const order = ["a1", "a2", "a", "b", "c1", "c", "root"];
  expect(await growTree(growing, 2)).toEqual({ kind: "shipped", order });
  expect(log.filter((line) => line.startsWith("shipped"))).toEqual(order.map((id) => `shipped ${id}`));
  for (const [parent, children] of Object.entries(FAMILY))
    for (const each of children)
      expect(placeIn(log, `merged ${each}`)).toBeLessThan(placeIn(log, `approved ${parent}`));
});

test("as many work at a time as may, and no more", async () => {
  const wide = { root: Array.from({ length: 9 }, (_, index) => `n${index}`) };
  const { growing, most } = played({ family: wide });
  await growTree(growing, 4);
  expect(most.busy).toBe(4);
});

test("children begin while their parent still writes its tests", async () => {
  const { growing, log } = played({ family: { root: ["a"] } });
  const slow: Growing = {
    ...growing,
    async work(due) {
      const went = await growing.work(due);
      if (due.node === "root" && due.at === "scaffold") await expect.poll(() => log).toContain("merged a");
      return went;
    },
  };
  expect((await growTree(slow, 2)).kind).toBe("shipped");
});

test("what was rejected or sent back comes again and everything still ships", async () => {
  const { growing, log } = played({ family: FAMILY, rejected: ["a1", "b"], sentBack: ["c"] });
  expect((await growTree(growing, 3)).kind).toBe("shipped");
  expect(log.filter((line) => line === "merged c")).toHaveLength(2);
  expect(log.filter((line) => line === "merged b")).toHaveLength(1);
});

test("after a halt nothing new begins and nothing ships; the rest stays as far as it came", async () => {
  const { growing, log, now } = played({ family: FAMILY, halts: ["a2"] });
  expect(await growTree(growing, 1)).toEqual({ kind: "halted", nodes: ["a2"] });
  expect(log.some((line) => line.startsWith("shipped"))).toBe(false);
  expect(nodeOf(now(), "root").place.kind).toBe("holding");
});

test("a stop is told, and the same call goes on", async () => {
  const { growing, now } = played({ family: FAMILY });
  let stops = 3;
  const stopping: Growing = {
    ...growing,
    work: async (due) => ((stops -= 1) === 0 ? { kind: "stopped", why: "drained" } : growing.work(due)),
  };
  expect(await growTree(stopping, 2)).toEqual({ kind: "stopped", why: "drained" });
  expect((await growTree(stopping, 2)).kind).toBe("shipped");
  expect(isMerged(now(), "root")).toBe(true);
});

test("killed at any moment it goes on, and everything happens once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (diesAt, concurrency) => {
        const first = played({ family: FAMILY, rejected: ["b"], diesAt });
        await growTree(first.growing, concurrency).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        const second = played({ family: FAMILY, rejected: [] }, first.now());
        expect((await growTree(second.growing, concurrency)).kind).toBe("shipped");
        const log = [...first.log, ...second.log];
        for (const id of Object.keys(second.now())) {
          expect(log.filter((line) => line === `shipped ${id}`)).toHaveLength(1);
          expect(log.filter((line) => line === `merged ${id}`)).toHaveLength(1);
        }
      },
    ),
    { numRuns: 40 },
  );
});
