// Builtin task: a door with a code that stays shut after wrong ones.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/lock-door.ts";

export const LOCK_DOOR = builtinTask({
  id: "lock-door",
  area: "state machines",
  title: "A door with a code",
  purpose:
    "Says what a door with a code does at each attempt, when it stays shut for a while after wrong ones.",
  tags: ["states", "lock"],
  entries: [
    {
      entry: "lockDoor",
      signature:
        '(code: string, attempts: readonly { second: number; typed: string }[]) => ("open" | "wrong" | "shut")[]',
      inputs: [
        {
          name: "code",
          type: "string",
          constraint: "is four digits",
          requires: String.raw`/^\d{4}$/.test(args[0])`,
        },
        {
          name: "attempts",
          type: "readonly { second: number; typed: string }[]",
          constraint: "has seconds that do not go back",
          requires: "args[1].every((each, at) => at === 0 || each.second >= args[1][at - 1].second)",
        },
      ],
      output: {
        name: "answers",
        type: '("open" | "wrong" | "shut")[]',
        invariants: [
          {
            invariant: "has one answer for each attempt, open only for the right code",
            ensures:
              'result.length === args[1].length && result.every((answer, at) => answer !== "open" || args[1][at].typed === args[0])',
          },
        ],
      },
      errors: [
        {
          name: "BadCode",
          when: "the code is none",
          says: "the code must be four digits",
        },
        {
          name: "TimeWentBack",
          when: "an attempt is before the one before it",
          says: "time went back",
        },
      ],
      examples: [
        {
          title: "wrong, then right",
          args: ['"1234"', '[{ second: 0, typed: "1" }, { second: 1, typed: "1234" }]'],
          gives: '["wrong", "open"]',
        },
        { title: "no attempts", args: ['"0000"', "[]"], gives: "[]" },
        { title: "a short code", args: ['"123"', "[]"], throws: "BadCode: the code must be four digits" },
        {
          title: "seconds that go back",
          args: ['"1234"', '[{ second: 5, typed: "" }, { second: 4, typed: "" }]'],
          throws: "TimeWentBack: time went back to 4",
        },
      ],
    },
  ],
  constraints: {
    C1: "The right code gives `open`, any other text `wrong`.",
    C2: "After the third `wrong` in a row the door stays shut: attempts less than 60 seconds after it give `shut`, whatever is typed.",
    C3: "Attempts while it is shut do not count and do not make it longer; 60 seconds after the third wrong one it answers again, and counts from 0.",
    C4: "`open` sets the count of wrong attempts back to 0.",
    C5: "A code that is not four digits throws BadCode: `the code must be four digits`; the code itself is not told.",
    C6: "An attempt before the one before it throws TimeWentBack: `time went back to ` and its second.",
  },
  source: String.raw`/** Thrown when a code is not four digits. */
export class BadCode extends Error {}

/** Thrown when an attempt is before the one before it. */
export class TimeWentBack extends Error {}

const MOST_WRONG = 3;
const SECONDS_SHUT = 60;

/** What the door answers to each attempt. */
export function lockDoor(
  code: string,
  attempts: readonly { second: number; typed: string }[],
): ("open" | "wrong" | "shut")[] {
  if (!/^\d{4}$/.test(code)) throw new BadCode("the code must be four digits");
  let wrong = 0;
  let last = Number.NEGATIVE_INFINITY;
  let shutUntil = Number.NEGATIVE_INFINITY;
  return attempts.map(({ second, typed }) => {
    if (!(second >= last)) throw new TimeWentBack("time went back to " + second);
    last = second;
    if (second < shutUntil) return "shut";
    wrong = typed === code ? 0 : wrong + 1;
    if (wrong === MOST_WRONG) {
      wrong = 0;
      shutUntil = second + SECONDS_SHUT;
    }
    return typed === code ? "open" : "wrong";
  });
}
`,
  tests: `
// C1: the right code opens
const typed = ["1234", "4321", "", "1234 "].map((text, second) => ({ second, typed: text }));
expect(lockDoor("1234", typed)).toEqual(["open", "wrong", "wrong", "wrong"]);
expect(lockDoor("0000", [])).toEqual([]);

// C1: right codes open for ever, at any time
fc.assert(
  fc.property(fc.stringMatching(/^[0-9]{4}$/), fc.array(fc.nat(1000)), (code, seconds) => {
    const attempts = seconds.toSorted((a, b) => a - b).map((second) => ({ second, typed: code }));
    expect(lockDoor(code, attempts)).toEqual(attempts.map(() => "open"));
  }),
);

// C2: after three wrong ones it stays shut
const wrong = [10, 11, 12].map((second) => ({ second, typed: "x" }));
const right = (second: number) => ({ second, typed: "1234" });
expect(lockDoor("1234", [...wrong, right(13), right(71), right(72)])).toEqual(["wrong", "wrong", "wrong", "shut", "shut", "open"]);

// C3: attempts while it is shut do not count
const attempts = [0, 0, 0, 30, 59, 60, 61, 62, 63].map((second) => ({ second, typed: "x" }));
expect(lockDoor("1234", attempts)).toEqual(["wrong", "wrong", "wrong", "shut", "shut", "wrong", "wrong", "wrong", "shut"]);

// C4: opening begins the count again
const attempts = ["x", "x", "1234", "x", "x", "1234"].map((typed, second) => ({ second, typed }));
expect(lockDoor("1234", attempts)).toEqual(["wrong", "wrong", "open", "wrong", "wrong", "open"]);

// C5: what is no code is refused and not told
for (const code of ["", "123", "12345", "12a4", " 1234", "1234 "]) {
  expect(() => lockDoor(code, [])).toThrow(BadCode);
  expect(() => lockDoor(code, [])).toThrow(/^the code must be four digits$/);
}

// C6: time does not go back
expect(lockDoor("1234", [{ second: 5, typed: "1234" }, { second: 5, typed: "1234" }])).toEqual(["open", "open"]);
const back = [{ second: 5, typed: "1234" }, { second: 4, typed: "1234" }];
expect(() => lockDoor("1234", back)).toThrow(TimeWentBack);
expect(() => lockDoor("1234", back)).toThrow("time went back to 4");
const shut = [...[7, 8, 9].map((second) => ({ second, typed: "" })), { second: 20, typed: "" }, { second: 19, typed: "" }];
expect(() => lockDoor("1234", shut)).toThrow("time went back to 19");
`,
  wrongTests: `
// C2: the third wrong code is already answered with shut
const attempts = [0, 1, 2].map((second) => ({ second, typed: "x" }));
expect(lockDoor("1234", attempts)).toEqual(["wrong", "wrong", "shut"]);

// C3: every attempt makes it stay shut longer
const attempts = [0, 0, 0, 50, 60].map((second) => ({ second, typed: "x" }));
expect(lockDoor("1234", attempts)).toEqual(["wrong", "wrong", "wrong", "shut", "shut"]);
`,
  omissions: String.raw`
// C2: wrong-boundary
-     if (second < shutUntil) return "shut";
+     if (second <= shutUntil) return "shut";
// C2: wrong-boundary
- const MOST_WRONG = 3;
+ const MOST_WRONG = 4;
// C4: ignored-constraint
-     wrong = typed === code ? 0 : wrong + 1;
+     wrong = typed === code ? wrong : wrong + 1;
// C3: missing-edge-case
-       wrong = 0;
+       wrong = MOST_WRONG - 1;
// C6: missing-error-surface
-     if (!(second >= last)) throw new TimeWentBack("time went back to " + second);
-     last = second;
+     if (second < 0 && last < 0) throw new TimeWentBack("time went back to " + second);
// C5: missing-error-surface
-   if (!/^\d{4}$/.test(code)) throw new BadCode("the code must be four digits");
+   if (code === "") throw new BadCode("the code must be four digits");
// C1: swapped-arguments
-     return typed === code ? "open" : "wrong";
+     return typed === code ? "wrong" : "open";
// C6: missing-edge-case
-     last = second;
-     if (second < shutUntil) return "shut";
+     if (second < shutUntil) return "shut";
+     last = second;
`,
  oracle: ORACLE,
});
