// What a module does to what its callers hand in, get and hear of each other is seen, where no single call shows it; honest
// modules that look alike are accepted.
import { describe, expect, test } from "vitest";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { gateOn, type Tried } from "./gate-samples.ts";
import { medianWith, SUM, totalWith } from "./median-samples.ts";

const LONG = { timeout: 120_000 };
const HALF = "Math.floor(sorted.length / 2)";
const BEFORE = "/** The middle";

/** The first finding, or nothing where the gate passes. */
async function firstFinding(gate: GateName, tried: Tried): Promise<string> {
  const verdict = await gateOn(gate, tried);
  if ("message" in verdict) return verdict.message;
  const [first] = verdict.findings;
  return first === undefined ? verdict.verdict : `${first.rule}: ${first.message}`;
}

/** `total` gives a list that is its callers' to change. */
function listing(body: string): Tried {
  const tried = totalWith({ [SUM]: body, "): { total: number } {": "): number[] {" });
  const text = JSON.stringify({ ...tried, contract: tried.contract })
    .replaceAll("{ total: number }", "number[]")
    .replaceAll("Number.isFinite(result.total)", "result.every(Number.isFinite)")
    .replaceAll("{ total: 3 }", "[1, 2]")
    .replaceAll("{ total: 5 }", "[5]");
  return JSON.parse(text);
}

const CHANGES: [string, Tried, RegExp][] = [
  [
    "what hangs on the prototype of what it exports",
    medianWith({
      [BEFORE]: `Reflect.set(median.prototype, "sorted", (of: number[]) => of.toSorted());\n\n${BEFORE}`,
    }),
    /^undeclared-mutation: changes what callers can reach: median\.prototype\.sorted/,
  ],
  [
    "what it exports builds on",
    medianWith({
      [BEFORE]: `Object.setPrototypeOf(median, { sorted: (of: number[]) => of.toSorted() });\n\n${BEFORE}`,
    }),
    /^undeclared-mutation: changes what callers can reach: median\.sorted/,
  ],
  [
    "what hangs on the class of its error",
    medianWith({
      [BEFORE]: `Reflect.set(EmptyError, "sorted", (of: number[]) => of.toSorted());\n\n${BEFORE}`,
    }),
    /^undeclared-mutation: changes what callers can reach: EmptyError\.sorted/,
  ],
  [
    "whether the process goes on, for a value that only the code names",
    medianWith({
      [BEFORE]: `const later = new Map([[4711, () => void Promise.reject(new Error("later"))]]);\n\n${BEFORE}`,
      "  const half": "  later.get(values[0] ?? 0)?.();\n  const half",
    }),
    /^undeclared-mutation: changes whether the process goes on/,
  ],
  [
    "whether its callers can change what they hand in",
    medianWith({ "  const half": "  Object.freeze(values);\n  const half" }),
    /^undeclared-mutation: changes whether its caller can change it: of what is handed to median$/,
  ],
  [
    "what hangs on what its callers hand in",
    medianWith({
      "  const half": '  Reflect.defineProperty(values, "seen", { value: true });\n  const half',
    }),
    /^undeclared-mutation: changes what hangs on it unseen: of what is handed to median$/,
  ],
  [
    "what it was handed before",
    medianWith({
      [BEFORE]: `let last: readonly number[] = [];\n\n${BEFORE}`,
      "  const half": "  Reflect.set(last, 0, 0.25);\n  last = values;\n  const half",
    }),
    /^undeclared-mutation: changes what callers of median have handed in before$/,
  ],
  [
    "nothing of its result where a list has changed since",
    medianWith({
      [BEFORE]: `const known = new WeakMap<readonly number[], number[]>();\n\n${BEFORE}`,
      "values.toSorted": "known.get(values) ?? values.toSorted",
      "  const half": "  known.set(values, sorted);\n  const half",
    }),
    /^undeclared-mutation: changes what median gives: .* changed since it asked before$/,
  ],
  [
    "what can be done with a list that it gives",
    listing("  const found = [...values];\n  Object.freeze(found);\n  return found;\n"),
    /^undeclared-mutation: changes what callers can do with what total gives/,
  ],
  [
    "what it gives, once in thousands of calls",
    medianWith({
      [HALF]: `${HALF} + (ODD[(calls += 1) % 3001] ?? 0)`,
      [BEFORE]: `let calls = 0;\nconst ODD: readonly number[] = [1];\n\n${BEFORE}`,
    }),
    /^undeclared-mutation: changes what median gives: after many of the same calls it is another$/,
  ],
  [
    "what its callers are told of the others, below the message",
    medianWith({
      'new EmptyError("no values")': 'new EmptyError("no values", { cause: last })',
      "  return (": "  last = high;\n  return (",
      "return high;": "return (last = high);",
      [BEFORE]: `let last = 0;\n\n${BEFORE}`,
    }),
    /^undeclared-mutation: changes what an error of median says/,
  ],
];

/** Each does something like it, and nothing wrong. */
const TWINS: [string, Tried][] = [
  ["with a list that is its callers' own", listing("  return Object.freeze([...values]).slice();\n")],
  [
    "with a promise that fails and that it waits for",
    medianWith({
      "  const half": '  Promise.reject(new Error("later")).catch(() => undefined);\n  const half',
    }),
  ],
  [
    "with a copy that nobody can change",
    medianWith({ "values.toSorted": "Object.freeze([...values]).toSorted" }),
  ],
  [
    "with a memory of what is in a list",
    medianWith({
      [BEFORE]: `const known = new Map<string, number[]>();\n\n${BEFORE}`,
      "values.toSorted": "known.get(values.join()) ?? values.toSorted",
      "  const half": "  known.set(values.join(), sorted);\n  const half",
    }),
  ],
  [
    "with a way to make its error",
    medianWith({
      '  override readonly name = "EmptyError";':
        '  override readonly name = "EmptyError";\n\n  static of = (what: string): EmptyError => new EmptyError(`no ${what}`);',
      'new EmptyError("no values")': 'EmptyError.of("values")',
    }),
  ],
];

describe.skipIf(!bubblewrapWorks)("in its callers' hands a module (needs bubblewrap)", () => {
  test.concurrent.each(CHANGES)("changes %s", LONG, async (_what, tried, why) => {
    expect(await firstFinding("effects", tried)).toMatch(why);
  });

  test.concurrent.each(TWINS)("is accepted %s", LONG, async (_what, tried) => {
    expect(await firstFinding("contract-coverage", tried)).toBe("PASS");
    expect(await firstFinding("effects", tried)).toBe("PASS");
  });
});
