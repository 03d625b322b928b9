// Builtin task: how long ago something was, in words; it reads the clock.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/ago-label.ts";

export const AGO_LABEL = builtinTask({
  id: "ago-label",
  area: "effects",
  title: "How long ago",
  purpose: "Reads the clock and says in words how long ago a moment was.",
  tags: ["clock", "words"],
  entries: [
    {
      entry: "agoLabel",
      signature: "(moment: number) => string",
      inputs: [
        {
          name: "moment",
          type: "number",
          constraint: "is a whole number of milliseconds since 1970, not negative",
          requires: "Number.isSafeInteger(args[0]) && args[0] >= 0",
        },
      ],
      output: {
        name: "label",
        type: "string",
        invariants: [
          {
            invariant: "is just now, long ago or a number of minutes, hours or days",
            ensures: String.raw`/^(?:just now|long ago|1 (?:minute|hour|day) ago|[1-9]\d* (?:minutes|hours|days) ago)$/.test(result)`,
          },
        ],
      },
      errors: [
        { name: "BadMoment", when: "the moment is none", says: "no moment: " },
        { name: "NotYet", when: "the moment lies ahead", says: "not yet: " },
      ],
      effects: [{ type: "CLOCK", target: "system", description: "the time of day is read" }],
      examples: [
        { title: "the year 1970", args: ["0"], gives: '"long ago"' },
        { title: "a second later", args: ["1000"], gives: '"long ago"' },
        { title: "no moment", args: ["-1"], throws: "BadMoment: no moment: -1" },
        { title: "a day far ahead", args: ["8640000000000000"], throws: "NotYet: not yet: 8640000000000000" },
      ],
    },
  ],
  constraints: {
    C1: "Less than a minute ago is `just now`, this very moment too.",
    C2: "Otherwise the largest of days, hours and minutes of which there is at least one is given, rounded down: `90 minutes` are `1 hour ago`.",
    C3: "One is `1 minute ago`, more are `2 minutes ago`; so with hours and days.",
    C4: "365 days ago and more is `long ago`.",
    C5: "A moment that lies ahead throws NotYet: `not yet: ` and it.",
    C6: "A moment that is not a whole number, too large to be exact, or negative throws BadMoment: `no moment: ` and it.",
  },
  source: `/** Thrown when a moment is none. */
export class BadMoment extends Error {}

/** Thrown when a moment lies ahead. */
export class NotYet extends Error {}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

/** How long ago a moment was, such as "2 hours ago". */
export function agoLabel(moment: number): string {
  if (!Number.isSafeInteger(moment) || moment < 0) throw new BadMoment("no moment: " + moment);
  const past = Date.now() - moment;
  if (past < 0) throw new NotYet("not yet: " + moment);
  if (past >= 365 * DAY) return "long ago";
  const unit = UNITS.find(([, size]) => past >= size);
  if (unit === undefined) return "just now";
  const count = Math.floor(past / unit[1]);
  return count + " " + unit[0] + (count === 1 ? "" : "s") + " ago";
}
`,
  tests: `
// C1: less than a minute ago is just now
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
for (const past of [0, 1, 59_999]) expect(agoLabel(2_000_000_000_000 - past)).toBe("just now");

// C2: the largest unit is given, rounded down
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
for (const [minutes, label] of [[59, "59 minutes ago"], [119, "1 hour ago"], [150, "2 hours ago"], [1439, "23 hours ago"], [4320, "3 days ago"]] as const) {
  expect(agoLabel(2_000_000_000_000 - minutes * 60_000 - 59_999)).toBe(label);
}

// C2: any number of minutes below an hour is told
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
fc.assert(
  fc.property(fc.integer({ min: 2, max: 59 }), fc.nat(59_999), (minutes, more) => {
    expect(agoLabel(2_000_000_000_000 - minutes * 60_000 - more)).toBe(minutes + " minutes ago");
  }),
);

// C3: one of a unit is told as one
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
for (const [minutes, label] of [[1, "1 minute ago"], [2, "2 minutes ago"], [60, "1 hour ago"], [1440, "1 day ago"], [2880, "2 days ago"]] as const) {
  expect(agoLabel(2_000_000_000_000 - minutes * 60_000)).toBe(label);
}

// C4: a year is long ago
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
expect(agoLabel(2_000_000_000_000 - 365 * 86_400_000)).toBe("long ago");
expect(agoLabel(2_000_000_000_000 - 365 * 86_400_000 + 1)).toBe("364 days ago");
expect(agoLabel(0)).toBe("long ago");

// C5: what lies ahead is refused
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
expect(() => agoLabel(2_000_000_000_001)).toThrow(NotYet);
expect(() => agoLabel(2_000_000_000_001)).toThrow("not yet: 2000000000001");

// C6: what is no moment is refused
for (const moment of [-1, 0.5, Number.NaN, 2 ** 53]) {
  expect(() => agoLabel(moment)).toThrow(BadMoment);
  expect(() => agoLabel(moment)).toThrow("no moment: " + moment);
}
`,
  wrongTests: `
// C5: what lies ahead is just now
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
expect(agoLabel(2_000_000_000_500)).toBe("just now");

// C2: hours are rounded to the nearest
vi.useFakeTimers({ now: 2_000_000_000_000 });
onTestFinished(() => void vi.useRealTimers());
expect(agoLabel(2_000_000_000_000 - 100 * 60_000)).toBe("2 hours ago");
`,
  omissions: `
// C5: missing-error-surface
-   if (past < 0) throw new NotYet("not yet: " + moment);
// C4: wrong-boundary
-   if (past >= 365 * DAY) return "long ago";
+   if (past > 365 * DAY) return "long ago";
// C3: missing-edge-case
-   return count + " " + unit[0] + (count === 1 ? "" : "s") + " ago";
+   return count + " " + unit[0] + "s" + " ago";
// C3: wrong-boundary
-   const unit = UNITS.find(([, size]) => past >= size);
+   const unit = UNITS.find(([, size]) => past > size);
// C6: ignored-constraint
-   if (!Number.isSafeInteger(moment) || moment < 0) throw new BadMoment("no moment: " + moment);
+   if (moment < 0) throw new BadMoment("no moment: " + moment);
// C2: swapped-arguments
-   const past = Date.now() - moment;
+   const past = moment - Date.now();
// C2: missing-edge-case
-   const count = Math.floor(past / unit[1]);
+   const count = Math.round(past / unit[1]);
`,
  oracle: ORACLE,
});
