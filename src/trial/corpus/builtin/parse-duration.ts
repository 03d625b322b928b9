// Builtin task: reads a duration of hours, minutes and seconds.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/parse-duration.ts";

export const PARSE_DURATION = builtinTask({
  id: "parse-duration",
  area: "parsing",
  title: "Read a duration",
  purpose: "Reads a duration such as `1h 30m` and gives its seconds.",
  tags: ["duration", "time"],
  entries: [
    {
      entry: "parseDuration",
      signature: "(text: string) => number",
      inputs: [
        {
          name: "text",
          type: "string",
          constraint: "is hours, minutes and seconds in this order, at least one of them",
          requires: String.raw`/^(\d+h)?( ?\d+m)?( ?\d+s)?$/.test(args[0]) && args[0].trim() === args[0] && args[0] !== ""`,
        },
      ],
      output: {
        name: "seconds",
        type: "number",
        invariants: [
          {
            invariant: "is a whole number that is not negative",
            ensures: "Number.isInteger(result) && result >= 0",
          },
        ],
      },
      errors: [
        {
          name: "BadDuration",
          when: "the text is no duration",
          says: "no duration",
        },
      ],
      examples: [
        { title: "hours and minutes", args: ['"1h 30m"'], gives: "5400" },
        { title: "many minutes", args: ['"90m"'], gives: "5400" },
        { title: "the wrong order", args: ['"30m 1h"'], throws: 'BadDuration: no duration: "30m 1h"' },
      ],
    },
  ],
  constraints: {
    C1: "An hour (`h`) is 3600 seconds, a minute (`m`) 60, a second (`s`) 1; the parts are added up.",
    C2: "Parts come in the order h, m, s, each at most once; another order throws BadDuration.",
    C3: "At least one part is there; an empty text throws BadDuration.",
    C4: "Parts may be parted by one blank or by nothing; more blanks, or blanks around it, throw BadDuration.",
    C5: "Numbers are whole and without a sign, and may be larger than 59 (`90m`).",
    C6: "The message is `no duration: ` and the text as JSON.",
  },
  source: String.raw`/** Thrown when the text is no duration. */
export class BadDuration extends Error {}

/** The seconds of a duration such as "1h 30m". */
export function parseDuration(text: string): number {
  const parts = /^(?:(\d+)h)?(?: ?(\d+)m)?(?: ?(\d+)s)?$/.exec(text);
  if (parts === null || text === "" || text.startsWith(" ")) {
    throw new BadDuration("no duration: " + JSON.stringify(text));
  }
  const [, hours = 0, minutes = 0, seconds = 0] = parts;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
`,
  tests: `
// C1: hours, minutes and seconds are added up
expect(parseDuration("2h")).toBe(7200);
expect(parseDuration("3m")).toBe(180);
expect(parseDuration("4s")).toBe(4);
expect(parseDuration("1h 2m 3s")).toBe(3723);

// C1: whatever the numbers, the parts are added up
const number = fc.integer({ min: 0, max: 9999 });
fc.assert(
  fc.property(number, number, number, (hours, minutes, seconds) => {
    const text = hours + "h " + minutes + "m " + seconds + "s";
    expect(parseDuration(text)).toBe(hours * 3600 + minutes * 60 + seconds);
  }),
);

// C2: another order or a part twice is refused
for (const text of ["30m 1h", "5s 1m", "1h 1h", "1m 2m"]) {
  expect(() => parseDuration(text)).toThrow(BadDuration);
}

// C3: an empty text is refused
expect(() => parseDuration("")).toThrow(BadDuration);

// C4: one blank or none parts the parts
expect(parseDuration("1h30m")).toBe(5400);
expect(parseDuration("1m5s")).toBe(65);
for (const text of ["1h  30m", "1m  5s", " 1h", " 5m", " 7s", "1h ", " "]) {
  expect(() => parseDuration(text)).toThrow(BadDuration);
}

// C5: numbers are whole, without a sign and of any size
expect(parseDuration("90m")).toBe(5400);
expect(parseDuration("100h")).toBe(360000);
for (const text of ["-1h", "1.5h", "+2m", "h", "x1h", "1hx"]) {
  expect(() => parseDuration(text)).toThrow(BadDuration);
}

// C6: the message shows the text as JSON
expect(() => parseDuration("soon")).toThrow('no duration: "soon"');
expect(() => parseDuration("")).toThrow('no duration: ""');
`,
  wrongTests: `
// C5: minutes end at 59
expect(() => parseDuration("60m")).toThrow(BadDuration);

// C1: parts are read as digits in a row
expect(parseDuration("2m 5s")).toBe(25);

// C3: an empty text is no time at all
expect(parseDuration("")).toBe(0);
`,
  omissions: String.raw`
// C3: missing-edge-case
-   if (parts === null || text === "" || text.startsWith(" ")) {
+   if (parts === null || text.startsWith(" ")) {
// C4: missing-edge-case
-   if (parts === null || text === "" || text.startsWith(" ")) {
+   if (parts === null || text === "") {
// C4: ignored-constraint
-   const parts = /^(?:(\d+)h)?(?: ?(\d+)m)?(?: ?(\d+)s)?$/.exec(text);
+   const parts = /^(?:(\d+)h)?(?: *(\d+)m)?(?: ?(\d+)s)?$/.exec(text);
// C1: swapped-arguments
-   const [, hours = 0, minutes = 0, seconds = 0] = parts;
+   const [, minutes = 0, hours = 0, seconds = 0] = parts;
// C5: wrong-boundary
-   const parts = /^(?:(\d+)h)?(?: ?(\d+)m)?(?: ?(\d+)s)?$/.exec(text);
+   const parts = /^(?:(\d+)h)?(?: ?([0-5]?\d)m)?(?: ?(\d+)s)?$/.exec(text);
// C2: missing-error-surface
-   if (parts === null || text === "" || text.startsWith(" ")) {
+   if (parts === null) return 0;
+   if ( text === "" || text.startsWith(" ")) {
`,
  oracle: ORACLE,
});
