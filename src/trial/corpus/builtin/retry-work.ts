// Builtin task: tries again what has failed, and waits longer each time.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/retry-work.ts";

export const RETRY_WORK = builtinTask({
  id: "retry-work",
  area: "async",
  title: "Try again",
  purpose: "Tries work again that has failed, waits longer each time, and gives up in the end.",
  tags: ["retry", "waiting"],
  entries: [
    {
      entry: "retryWork",
      signature:
        "(work: (attempt: number) => Promise<string>, tries: number, sleep: (milliseconds: number) => Promise<void>) => Promise<string>",
      inputs: [
        { name: "work", type: "(attempt: number) => Promise<string>" },
        {
          name: "tries",
          type: "number",
          constraint: "is a whole number from 1 to 10",
          requires: "Number.isInteger(args[1]) && args[1] >= 1 && args[1] <= 10",
        },
        { name: "sleep", type: "(milliseconds: number) => Promise<void>" },
      ],
      output: {
        name: "result",
        type: "string",
        invariants: [{ invariant: "is what the work gave", ensures: 'typeof result === "string"' }],
      },
      errors: [
        {
          name: "BadTries",
          when: "the number of tries is none",
          says: "no number of tries: ",
        },
        {
          name: "GaveUp",
          when: "every try has failed",
          says: "gave up after ",
        },
      ],
      examples: [
        {
          title: "work that succeeds",
          args: ['async (attempt) => "try " + attempt', "3", "async () => {}"],
          gives: '"try 1"',
        },
        { title: "one try", args: ['async () => "done"', "1", "async () => {}"], gives: '"done"' },
        {
          title: "no tries",
          args: ['async () => "done"', "0", "async () => {}"],
          throws: "BadTries: no number of tries: 0",
        },
        {
          title: "work that fails",
          args: ['async () => { throw new Error("no"); }', "2", "async () => {}"],
          throws: "GaveUp: gave up after 2 tries",
        },
      ],
    },
  ],
  constraints: {
    C1: "The work is called with the number of the try, from 1 on; what it gives is the result, and it is not called again.",
    C2: "Work that rejects is tried again, at most `tries` times in all.",
    C3: "Before the second try it sleeps 100 milliseconds, and before each further one twice as long as before.",
    C4: "It never sleeps longer than 1000 milliseconds at a time, and not after the last try.",
    C5: "When every try has failed it rejects with GaveUp: `gave up after `, the number of tries and ` tries`; `cause` is the last error.",
    C6: "A number of tries that is not whole, or not from 1 to 10, rejects with BadTries: `no number of tries: ` and it; nothing is called.",
  },
  source: `/** Thrown when a number of tries is none. */
export class BadTries extends Error {}

/** Thrown when every try has failed. */
export class GaveUp extends Error {}

/** What the work gives at the first try that does not fail. */
export async function retryWork(
  work: (attempt: number) => Promise<string>,
  tries: number,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<string> {
  if (!Number.isInteger(tries) || tries < 1 || tries > 10) {
    throw new BadTries("no number of tries: " + tries);
  }
  let cause: unknown;
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    if (attempt > 1) await sleep(Math.min(1000, 50 * 2 ** (attempt - 1)));
    try {
      return await work(attempt);
    } catch (error) {
      cause = error;
    }
  }
  throw new GaveUp("gave up after " + tries + " tries", { cause });
}
`,
  tests: `
// C1: work that succeeds is called once
const attempts: number[] = [];
const work = async (attempt: number) => {
  attempts.push(attempt);
  return "done";
};
expect(await retryWork(work, 3, async () => {})).toBe("done");
expect(attempts).toEqual([1]);

// C2: work is tried again until it succeeds
const attempts: number[] = [];
const work = async (attempt: number) => {
  attempts.push(attempt);
  if (attempt < 3) throw new Error("not yet");
  return "third";
};
expect(await retryWork(work, 3, async () => {})).toBe("third");
expect(attempts).toEqual([1, 2, 3]);

// C2: work that needs so many tries gets them
await fc.assert(
  fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.nat(9), async (needed, more) => {
    const work = async (attempt: number) => {
      if (attempt < needed) throw new Error("not yet");
      return "at " + attempt;
    };
    expect(await retryWork(work, Math.min(10, needed + more), async () => {})).toBe("at " + needed);
  }),
);

// C3: it waits twice as long each time
const waits: number[] = [];
const sleep = async (milliseconds: number) => {
  waits.push(milliseconds);
};
const work = async (attempt: number) => {
  if (attempt < 4) throw new Error("not yet");
  return "done";
};
expect(await retryWork(work, 9, sleep)).toBe("done");
expect(waits).toEqual([100, 200, 400]);

// C4: it never waits longer than a second, nor in vain
const waits: number[] = [];
const sleep = async (milliseconds: number) => {
  waits.push(milliseconds);
};
await expect(retryWork(() => Promise.reject(new Error("no")), 7, sleep)).rejects.toThrow(GaveUp);
expect(waits).toEqual([100, 200, 400, 800, 1000, 1000]);

// C5: it gives up with the last error as the cause
const work = (attempt: number) => Promise.reject(new Error("failed " + attempt));
await expect(retryWork(work, 3, async () => {})).rejects.toThrow("gave up after 3 tries");
await expect(retryWork(work, 3, async () => {})).rejects.toMatchObject({ cause: new Error("failed 3") });
await expect(retryWork(work, 1, async () => {})).rejects.toThrow(GaveUp);

// C6: what is no number of tries is refused
expect(await retryWork(async () => "ten", 10, async () => {})).toBe("ten");
for (const tries of [0, -1, 1.5, 11, Number.NaN]) {
  const work = vi.fn(async () => "done");
  await expect(retryWork(work, tries, async () => {})).rejects.toThrow(BadTries);
  await expect(retryWork(work, tries, async () => {})).rejects.toThrow("no number of tries: " + tries);
  expect(work).not.toHaveBeenCalled();
}
`,
  wrongTests: `
// C2: tries are counted after the first one
const work = async (attempt: number) => {
  if (attempt < 3) throw new Error("not yet");
  return "third";
};
expect(await retryWork(work, 2, async () => {})).toBe("third");

// C5: the error of the work itself is thrown
await expect(retryWork(() => Promise.reject(new Error("mine")), 2, async () => {})).rejects.toThrow("mine");

// C1: tries are numbered from 0
expect(await retryWork(async (attempt) => "try " + attempt, 1, async () => {})).toBe("try 0");
`,
  omissions: `
// C2: wrong-boundary
-   for (let attempt = 1; attempt <= tries; attempt += 1) {
+   for (let attempt = 1; attempt < tries; attempt += 1) {
// C4: ignored-constraint
-     if (attempt > 1) await sleep(Math.min(1000, 50 * 2 ** (attempt - 1)));
+     if (attempt > 1) await sleep(50 * 2 ** (attempt - 1));
// C3: wrong-boundary
-     if (attempt > 1) await sleep(Math.min(1000, 50 * 2 ** (attempt - 1)));
+     if (attempt > 1) await sleep(Math.min(1000, 50 * 2 ** attempt));
// C3: missing-edge-case
-     if (attempt > 1) await sleep(Math.min(1000, 50 * 2 ** (attempt - 1)));
+     await sleep(Math.min(1000, 50 * 2 ** (attempt - 1)));
// C6: missing-error-surface
-   if (!Number.isInteger(tries) || tries < 1 || tries > 10) {
+   if (tries > 10) {
// C5: missing-edge-case
-   throw new GaveUp("gave up after " + tries + " tries", { cause });
+   throw new GaveUp("gave up after " + tries + " tries");
`,
  oracle: ORACLE,
});
