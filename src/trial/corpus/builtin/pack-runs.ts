// Builtin task: writes runs of a letter shorter, and back.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/pack-runs.ts";

export const PACK_RUNS = builtinTask({
  id: "pack-runs",
  area: "text",
  title: "Pack runs of letters",
  purpose: "Writes runs of the same letter as the letter and their length, and unpacks them again.",
  tags: ["compression", "runs"],
  entries: [
    {
      entry: "packRuns",
      signature: "(text: string) => string",
      inputs: [
        {
          name: "text",
          type: "string",
          constraint: "has only letters a to z",
          requires: "/^[a-z]*$/.test(args[0])",
        },
      ],
      output: {
        name: "packed",
        type: "string",
        invariants: [
          { invariant: "is not longer than the text", ensures: "result.length <= args[0].length" },
        ],
      },
      errors: [
        {
          name: "BadText",
          when: "the text has other signs",
          says: "only a to z: ",
        },
      ],
      examples: [
        { title: "a run", args: ['"aaab"'], gives: '"a3b"' },
        { title: "nothing", args: ['""'], gives: '""' },
        { title: "a digit", args: ['"a1"'], throws: 'BadText: only a to z: "a1"' },
      ],
    },
    {
      entry: "unpackRuns",
      signature: "(packed: string) => string",
      inputs: [
        {
          name: "packed",
          type: "string",
          constraint: "has letters a to z, some with a number from 2 to 9999 behind them",
          requires: String.raw`/^(?:[a-z](?:[2-9]|[1-9]\d{1,3})?)*$/.test(args[0])`,
        },
      ],
      output: {
        name: "unpacked",
        type: "string",
        invariants: [{ invariant: "has only letters a to z", ensures: "/^[a-z]*$/.test(result)" }],
      },
      errors: [
        {
          name: "BadPacked",
          when: "packing never gives this",
          says: "not packed: ",
        },
      ],
      examples: [
        { title: "a run unpacked", args: ['"a3b"'], gives: '"aaab"' },
        { title: "a number in front", args: ['"3a"'], throws: 'BadPacked: not packed: "3a"' },
      ],
    },
  ],
  constraints: {
    C1: "A run of a letter becomes the letter and the length of the run; a letter that stands alone stays as it is.",
    C2: "A run longer than 9999 becomes several: 9999 as often as it goes, then the rest.",
    C3: "A text with anything but letters a to z throws BadText: `only a to z: ` and the text as JSON.",
    C4: "unpackRuns gives back exactly what was packed.",
    C5: "What packing never gives throws BadPacked: `not packed: ` and it as JSON: other signs, `a1`, `a0`, `a02`, `aa`, `a2a`.",
  },
  source: String.raw`/** Thrown when a text has other signs than a to z. */
export class BadText extends Error {}

/** Thrown when packing never gives a text. */
export class BadPacked extends Error {}

/** The text with each run written as a letter and a number. */
export function packRuns(text: string): string {
  if (!/^[a-z]*$/.test(text)) throw new BadText("only a to z: " + JSON.stringify(text));
  return shortened(text);
}

/** The text that was packed. */
export function unpackRuns(packed: string): string {
  const text = packed.replaceAll(/([a-z])(\d{1,4})/g, (_, letter: string, length: string) => {
    return letter.repeat(Number(length));
  });
  if (!/^[a-z]*$/.test(text) || shortened(text) !== packed) {
    throw new BadPacked("not packed: " + JSON.stringify(packed));
  }
  return text;
}

function shortened(text: string): string {
  return text.replaceAll(/([a-z])\1{1,9998}/g, (run) => run.charAt(0) + run.length);
}
`,
  tests: `
// C1: a run becomes its letter and its length
expect(packRuns("aaab")).toBe("a3b");
expect(packRuns("aabbaa")).toBe("a2b2a2");
expect(packRuns("zzzzzzzzzzzz")).toBe("z12");
expect(packRuns("abc")).toBe("abc");
expect(packRuns("")).toBe("");

// C2: a very long run becomes several
expect(packRuns("a".repeat(9999))).toBe("a9999");
expect(packRuns("a".repeat(10000))).toBe("a9999a");
expect(unpackRuns("a9999a2")).toBe("a".repeat(10001));

// C3: other signs are refused
for (const text of ["a1", "A", "a b", "-a"]) {
  expect(() => packRuns(text)).toThrow(BadText);
  expect(() => packRuns(text)).toThrow("only a to z: " + JSON.stringify(text));
}

// C4: what was packed comes back
expect(unpackRuns("a3b")).toBe("aaab");
expect(unpackRuns("z12")).toBe("z".repeat(12));
expect(unpackRuns("")).toBe("");
fc.assert(
  fc.property(fc.stringMatching(/^[ab]{0,30}$/), (text) => {
    expect(unpackRuns(packRuns(text))).toBe(text);
  }),
);

// C5: what packing never gives is refused
for (const packed of ["3a", "a1", "a0", "a02", "aa", "a2a", "a-2", "A2", "a2 ", " a"]) {
  expect(() => unpackRuns(packed)).toThrow(BadPacked);
  expect(() => unpackRuns(packed)).toThrow("not packed: " + JSON.stringify(packed));
}
`,
  wrongTests: `
// C1: a letter alone is a run of 1
expect(packRuns("ab")).toBe("a1b1");

// C1: the number stands before the letter
expect(packRuns("aaa")).toBe("3a");

// C5: letters without numbers are unpacked as they are
expect(unpackRuns("aab")).toBe("aab");
`,
  omissions: String.raw`
// C2: wrong-boundary
-   return text.replaceAll(/([a-z])\1{1,9998}/g, (run) => run.charAt(0) + run.length);
+   return text.replaceAll(/([a-z])\1{1,9999}/g, (run) => run.charAt(0) + run.length);
// C1: wrong-boundary
-   return text.replaceAll(/([a-z])\1{1,9998}/g, (run) => run.charAt(0) + run.length);
+   return text.replaceAll(/([a-z])\1{2,9998}/g, (run) => run.charAt(0) + run.length);
// C3: missing-error-surface
-   if (!/^[a-z]*$/.test(text)) throw new BadText("only a to z: " + JSON.stringify(text));
// C5: missing-edge-case
-   if (!/^[a-z]*$/.test(text) || shortened(text) !== packed) {
+   if (!/^[a-z]*$/.test(text)) {
// C4: missing-edge-case
-   const text = packed.replaceAll(/([a-z])(\d{1,4})/g, (_, letter: string, length: string) => {
+   const text = packed.replaceAll(/([a-z])(\d)/g, (_, letter: string, length: string) => {
// C1: swapped-arguments
-   return text.replaceAll(/([a-z])\1{1,9998}/g, (run) => run.charAt(0) + run.length);
+   return text.replaceAll(/([a-z])\1{1,9998}/g, (run) => run.length + run.charAt(0));
// C5: ignored-constraint
-   if (!/^[a-z]*$/.test(text) || shortened(text) !== packed) {
+   if (shortened(text) !== packed) {
`,
  oracle: ORACLE,
});
