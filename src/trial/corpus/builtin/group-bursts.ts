// Builtin task: groups messages that come shortly after each other, by a clock that is handed in.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/group-bursts.ts";

export const GROUP_BURSTS = builtinTask({
  id: "group-bursts",
  area: "async",
  title: "Group messages into bursts",
  purpose:
    "Waits for messages in turn and groups those that come shortly after each other, by a clock that is handed in.",
  tags: ["messages", "debounce"],
  entries: [
    {
      entry: "groupBursts",
      signature:
        "(messages: readonly (() => Promise<string>)[], now: () => number, quiet: number) => Promise<string[][]>",
      inputs: [
        { name: "messages", type: "readonly (() => Promise<string>)[]" },
        { name: "now", type: "() => number" },
        { name: "quiet", type: "number", constraint: "is above 0", requires: "args[2] > 0" },
      ],
      output: {
        name: "bursts",
        type: "string[][]",
        invariants: [
          {
            invariant: "has every message in a burst, and no burst that is empty",
            ensures: "result.flat().length === args[0].length && result.every((burst) => burst.length > 0)",
          },
        ],
      },
      errors: [
        {
          name: "BadQuiet",
          when: "the quiet time is none",
          says: "no quiet time: ",
        },
        {
          name: "BadClock",
          when: "the clock goes back or gives no time",
          says: "no time: ",
        },
      ],
      examples: [
        {
          title: "two at once",
          args: ['[async () => "a", async () => "b"]', "() => 5", "10"],
          gives: '[["a", "b"]]',
        },
        { title: "no messages", args: ["[]", "() => 5", "1"], gives: "[]" },
        { title: "no quiet time", args: ["[]", "() => 5", "0"], throws: "BadQuiet: no quiet time: 0" },
        {
          title: "a broken clock",
          args: ['[async () => "a"]', "() => Number.NaN", "10"],
          throws: "BadClock: no time: NaN",
        },
      ],
    },
  ],
  constraints: {
    C1: "Messages are waited for one after the other, and keep their order.",
    C2: "The clock is asked once for each message, after it has come.",
    C3: "A message that comes less than `quiet` after the one before joins its burst.",
    C4: "After `quiet` or more a new burst begins; only the message just before counts, not the beginning of the burst.",
    C5: "A quiet time that is not above 0 rejects with BadQuiet: `no quiet time: ` and it; no message is waited for.",
    C6: "A time that is not finite, or lies before the last one, rejects with BadClock: `no time: ` and it.",
  },
  source: `/** Thrown when a quiet time is none. */
export class BadQuiet extends Error {}

/** Thrown when the clock goes back or gives no time. */
export class BadClock extends Error {}

/** The messages in bursts, between which nothing came for the quiet time. */
export async function groupBursts(
  messages: readonly (() => Promise<string>)[],
  now: () => number,
  quiet: number,
): Promise<string[][]> {
  if (!(quiet > 0)) throw new BadQuiet("no quiet time: " + quiet);
  const bursts: string[][] = [];
  let burst: string[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    const text = await message();
    const time = now();
    if (!Number.isFinite(time) || time < before) throw new BadClock("no time: " + time);
    if (time - before >= quiet) {
      burst = [];
      bursts.push(burst);
    }
    burst.push(text);
    before = time;
  }
  return bursts;
}
`,
  tests: `
// C1: messages are waited for in turn
const log: string[] = [];
const message = (text: string) => async () => {
  log.push("ask " + text);
  await Promise.resolve();
  log.push("got " + text);
  return text;
};
expect(await groupBursts([message("a"), message("b")], () => 0, 10)).toEqual([["a", "b"]]);
expect(log).toEqual(["ask a", "got a", "ask b", "got b"]);
expect(await groupBursts([], () => 0, 10)).toEqual([]);

// C1: no message is lost
const gaps = fc.array(fc.nat(20));
await fc.assert(
  fc.asyncProperty(gaps, fc.integer({ min: 1, max: 20 }), async (list, quiet) => {
    let time = 0;
    const messages = list.map((gap, index) => async () => {
      time += gap;
      return String(index);
    });
    const bursts = await groupBursts(messages, () => time, quiet);
    expect(bursts.flat()).toEqual(list.map((_, index) => String(index)));
    expect(bursts.length).toBe(list.filter((gap, index) => index === 0 || gap >= quiet).length);
  }),
);

// C2: the clock is asked once, after the message
const log: string[] = [];
const message = async () => {
  log.push("message");
  return "x";
};
const now = () => {
  log.push("clock");
  return 7;
};
await groupBursts([message, message], now, 1);
expect(log).toEqual(["message", "clock", "message", "clock"]);

// C3: what comes soon joins the burst
const times = [0, 9, 18];
const one = async () => "m";
expect(await groupBursts([one, one, one], () => times.shift() ?? 0, 10)).toEqual([["m", "m", "m"]]);

// C4: after the quiet time a new burst begins
const times = [100, 108, 116, 126, 200];
const messages = ["a", "b", "c", "d", "e"].map((text) => async () => text);
expect(await groupBursts(messages, () => times.shift() ?? 0, 10)).toEqual([["a", "b", "c"], ["d"], ["e"]]);

// C5: what is no quiet time is refused
for (const quiet of [0, -1, Number.NaN]) {
  const message = vi.fn(async () => "x");
  await expect(groupBursts([message], () => 0, quiet)).rejects.toThrow(BadQuiet);
  await expect(groupBursts([message], () => 0, quiet)).rejects.toThrow("no quiet time: " + quiet);
  expect(message).not.toHaveBeenCalled();
}

// C6: a clock that goes wrong is refused
const one = async () => "m";
for (const [first, second] of [[5, 4], [5, Number.NaN], [Number.POSITIVE_INFINITY, 5], [Number.NEGATIVE_INFINITY, 5]] as const) {
  const times = [first, second];
  await expect(groupBursts([one, one], () => times.shift() ?? 0, 10)).rejects.toThrow(BadClock);
}
const times = [8, 3];
await expect(groupBursts([one, one], () => times.shift() ?? 0, 10)).rejects.toThrow("no time: 3");
`,
  wrongTests: `
// C4: a burst is never longer than the quiet time
const times = [0, 9, 18];
const one = async () => "m";
expect(await groupBursts([one, one, one], () => times.shift() ?? 0, 10)).toEqual([["m", "m"], ["m"]]);

// C3: what comes after exactly the quiet time still joins
const times = [0, 10];
const one = async () => "m";
expect(await groupBursts([one, one], () => times.shift() ?? 0, 10)).toEqual([["m", "m"]]);
`,
  omissions: `
// C4: wrong-boundary
-     if (time - before >= quiet) {
+     if (time - before > quiet) {
// C4: ignored-constraint
-     before = time;
+     if (burst.length === 1) before = time;
// C6: missing-error-surface
-     if (!Number.isFinite(time) || time < before) throw new BadClock("no time: " + time);
+     if (Number.isNaN(time)) throw new BadClock("no time: " + time);
// C6: missing-edge-case
-     if (!Number.isFinite(time) || time < before) throw new BadClock("no time: " + time);
+     if (time < before) throw new BadClock("no time: " + time);
// C5: missing-error-surface
-   if (!(quiet > 0)) throw new BadQuiet("no quiet time: " + quiet);
+   if (quiet < 0) throw new BadQuiet("no quiet time: " + quiet);
// C2: swapped-arguments
-     const text = await message();
-     const time = now();
+     const time = now();
+     const text = await message();
`,
  oracle: ORACLE,
});
