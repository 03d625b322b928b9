// Builtin task: does work on many items, a few at a time.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/map-limited.ts";

export const MAP_LIMITED = builtinTask({
  id: "map-limited",
  area: "async",
  title: "A few at a time",
  purpose: "Does work on every item, on a few at the same time, and gives the results in order.",
  tags: ["concurrency", "order"],
  entries: [
    {
      entry: "mapLimited",
      signature:
        "(items: readonly string[], limit: number, work: (item: string) => Promise<string>) => Promise<string[]>",
      inputs: [
        { name: "items", type: "readonly string[]" },
        {
          name: "limit",
          type: "number",
          constraint: "is a whole number of at least 1",
          requires: "Number.isInteger(args[1]) && args[1] >= 1",
        },
        { name: "work", type: "(item: string) => Promise<string>" },
      ],
      output: {
        name: "results",
        type: "string[]",
        invariants: [
          {
            invariant: "has one for each item",
            ensures: 'result.length === args[0].length && result.every((each) => typeof each === "string")',
          },
        ],
      },
      errors: [
        { name: "BadLimit", when: "the limit is none", says: "no limit: " },
        {
          name: "WorkFailed",
          when: "the work on an item fails",
          says: "failed at ",
        },
      ],
      examples: [
        { title: "two items", args: ['["a", "b"]', "2", "async (item) => item + 1"], gives: '["a1", "b1"]' },
        { title: "no items", args: ["[]", "1", "async (item) => item"], gives: "[]" },
        { title: "no limit", args: ["[]", "0", "async (item) => item"], throws: "BadLimit: no limit: 0" },
        { title: "no", args: ['["a"]', "1", "() => Promise.reject(1)"], throws: "WorkFailed: failed at a" },
      ],
    },
  ],
  constraints: {
    C1: "The work is called once for each item, and the results come in the order of the items, whichever ends first.",
    C2: "Never more than `limit` are under way at the same time.",
    C3: "As soon as one ends, the next begins: as many as allowed are under way while items are left.",
    C4: "When the work on an item rejects, it rejects with WorkFailed: `failed at ` and the item; `cause` is the error.",
    C5: "After a failure no further item is begun.",
    C6: "A limit that is not a whole number of at least 1 rejects with BadLimit: `no limit: ` and it; nothing is called.",
  },
  source: `/** Thrown when nothing could be under way. */
export class BadLimit extends Error {}

/** Thrown when the work on an item has failed. */
export class WorkFailed extends Error {}

/** The results of the work on every item, in their order. */
export async function mapLimited(
  items: readonly string[],
  limit: number,
  work: (item: string) => Promise<string>,
): Promise<string[]> {
  if (!Number.isInteger(limit) || limit < 1) throw new BadLimit("no limit: " + limit);
  const results: string[] = [];
  const waiting = [...items.entries()];
  async function takeTurns(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next;
      try {
        results[index] = await work(item);
      } catch (cause) {
        waiting.length = 0;
        throw new WorkFailed("failed at " + item, { cause });
      }
    }
  }
  await Promise.all(items.slice(0, limit).map(() => takeTurns()));
  return results;
}
`,
  tests: `
// C1: results come in the order of the items
const work = async (item: string) => {
  for (let step = 0; step < (item === "slow" ? 20 : 1); step += 1) await Promise.resolve();
  return item + "!";
};
expect(await mapLimited(["slow", "a", "b"], 2, work)).toEqual(["slow!", "a!", "b!"]);

// C1: any items are worked on once each
await fc.assert(
  fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 1, max: 5 }), async (items, limit) => {
    const seen: string[] = [];
    const work = async (item: string) => {
      seen.push(item);
      return "<" + item + ">";
    };
    expect(await mapLimited(items, limit, work)).toEqual(items.map((item) => "<" + item + ">"));
    expect(seen).toEqual(items);
  }),
);

// C2: no more than the limit are under way
let [now, most] = [0, 0];
const work = async (item: string) => {
  most = Math.max(most, (now += 1));
  await Promise.resolve();
  now -= 1;
  return item;
};
await mapLimited(["a", "b", "c", "d", "e"], 2, work);
expect(most).toBe(2);

// C3: the next one begins as soon as one ends
const log: string[] = [];
const work = async (item: string) => {
  log.push("begin " + item);
  for (let step = 0; step < (item === "slow" ? 50 : 3); step += 1) await Promise.resolve();
  log.push("end " + item);
  return item;
};
await mapLimited(["slow", "b", "c", "d"], 2, work);
expect(log).toEqual(["begin slow", "begin b", "end b", "begin c", "end c", "begin d", "end d", "end slow"]);

// C4: a failure is told with its item
const work = async (item: string) => {
  if (item === "bad") throw new Error("broken");
  return item;
};
await expect(mapLimited(["a", "bad"], 2, work)).rejects.toThrow(WorkFailed);
const told = { message: "failed at bad", cause: new Error("broken") };
await expect(mapLimited(["bad"], 1, work)).rejects.toMatchObject(told);

// C5: nothing is begun after a failure
const begun: string[] = [];
const work = async (item: string) => {
  begun.push(item);
  if (item === "bad") throw new Error("broken");
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
  return item;
};
await expect(mapLimited(["a", "bad", "c", "d"], 2, work)).rejects.toThrow(WorkFailed);
for (let step = 0; step < 200; step += 1) await Promise.resolve();
expect(begun).toEqual(["a", "bad"]);

// C6: what is no limit is refused
for (const limit of [0, -1, 1.5, Number.NaN]) {
  const work = vi.fn(async (item: string) => item);
  await expect(mapLimited(["a"], limit, work)).rejects.toThrow(BadLimit);
  await expect(mapLimited(["a"], limit, work)).rejects.toThrow("no limit: " + limit);
  expect(work).not.toHaveBeenCalled();
}
`,
  wrongTests: `
// C4: what failed is left out
const work = async (item: string) => {
  if (item === "bad") throw new Error("broken");
  return item;
};
expect(await mapLimited(["a", "bad", "b"], 1, work)).toEqual(["a", "b"]);

// C1: what ends first comes first
const work = async (item: string) => {
  await new Promise((resolve) => setTimeout(resolve, item === "slow" ? 10 : 0));
  return item;
};
expect(await mapLimited(["slow", "fast"], 2, work)).toEqual(["fast", "slow"]);
`,
  omissions: `
// C2: ignored-constraint
-   await Promise.all(items.slice(0, limit).map(() => takeTurns()));
+   await Promise.all(items.map(() => takeTurns()));
// C2: wrong-boundary
-   await Promise.all(items.slice(0, limit).map(() => takeTurns()));
+   await Promise.all(items.slice(0, limit + 1).map(() => takeTurns()));
// C3: ignored-constraint
-   await Promise.all(items.slice(0, limit).map(() => takeTurns()));
+   await Promise.all(items.slice(0, 1).map(() => takeTurns()));
// C5: missing-edge-case
-         waiting.length = 0;
// C4: missing-error-surface
-         throw new WorkFailed("failed at " + item, { cause });
+         results[index] = String(cause);
// C6: wrong-boundary
-   if (!Number.isInteger(limit) || limit < 1) throw new BadLimit("no limit: " + limit);
+   if (!Number.isInteger(limit) || limit < 0) throw new BadLimit("no limit: " + limit);
// C1: missing-edge-case
-         results[index] = await work(item);
+         results.push(await work(item));
`,
  oracle: ORACLE,
});
