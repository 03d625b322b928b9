// What a module does without its tests decides as well: inputs that no test gave, calls that end otherwise, changes of what is
// not its own; honest modules that look alike are accepted.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { gateOn, type Tried } from "./gate-samples.ts";
import { writeFiles } from "../src/evidence/neighbours.ts";
import { typescriptToolchain } from "../src/toolchains/typescript/toolchain.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { temporaryDirectory } from "./temporary.ts";
import { medianWith, SUM, TABLE, totalWith } from "./median-samples.ts";

const LONG = { timeout: 120_000 };
const HALF = "Math.floor(sorted.length / 2)";
const BEFORE = "/** The middle";

/** What the tests give, as text. */
const GIVEN = '["3,1,2", "10,9,100,-4,7", "4,1,3,2", "1,2", ""]';

/** The first finding, or nothing where the gate passes. */
async function firstFinding(gate: GateName, tried: Tried): Promise<string> {
  const verdict = await gateOn(gate, tried);
  if ("message" in verdict) return verdict.message;
  const [first] = verdict.findings;
  return first === undefined ? verdict.verdict : `${first.rule}: ${first.message}`;
}

const WEARS_OUT = `let calls = 0;

function worn(): number {
  calls += 1;
  for (let left = Math.floor(calls / 9000) * 1e12; left > 0; left -= 1) continue;
  return 0;
}

`;

const PROMISES: [string, Tried, RegExp][] = [
  [
    "right for as many values as the tests give",
    medianWith({ "values.toSorted": "values.slice(0, 5).toSorted" }),
    /^refuted: .*did not hold: median\(/s,
  ],
  [
    "nothing at all where no runner is",
    medianWith({
      [BEFORE]: `if (!Object.keys(globalThis).some((name) => name.startsWith("__v"))) throw new Error("not here");\n\n${BEFORE}`,
    }),
    /^only-in-tests: without its tests the module cannot even be loaded/,
  ],
  ["a table of what the tests give", medianWith(TABLE), /^only-for-tests: median refuses every input/],
  [
    "another result where no runner is",
    medianWith({
      [BEFORE]: `const seen = Object.keys(globalThis).filter((name) => name.startsWith("__v"));\n\n${BEFORE}`,
      [HALF]: `${HALF} + Math.max(0, 1 - seen.length)`,
    }),
    /^(?:only-in-tests|refuted): /,
  ],
  [
    "another result elsewhere, behind a call that cannot be made again",
    medianWith(
      { [HALF]: `${HALF} + Math.sign(new Date(0).getTimezoneOffset())` },
      {
        "expect(median([3, 1, 2])).toBe(2)":
          "expect(median(Object.freeze(new (class extends Array<number> {})(3, 1, 2)))).toBe(2)",
      },
    ),
    /^(?:only-in-tests|refuted): /,
  ],
  [
    "another result in another time zone",
    medianWith({ [HALF]: `${HALF} + Math.sign(new Date(0).getTimezoneOffset())` }),
    /^(?:only-in-tests|refuted): /,
  ],
  [
    "another result on the other side of the world",
    medianWith({ [HALF]: `${HALF} + Math.max(0, Math.sign(new Date(0).getTimezoneOffset()))` }),
    /^refuted: /,
  ],
  [
    "code that is made from a text, by a name that no rule knows",
    medianWith({
      [HALF]: `${HALF} + Number(Reflect.apply(Object.getOwnPropertyDescriptor(Function.prototype, "constructor")?.value, undefined, ["return 0"])())`,
    }),
    /^only-in-tests: .*threw <EvalError>/,
  ],
  [
    "another result for a value that only the code names",
    medianWith({ "  const half": "  if (values[0] === 4711) return 0;\n  const half" }),
    /^refuted: .*did not hold: median\(\[ 4711/s,
  ],
  [
    "no result at all, and no end, for what the tests do not give",
    medianWith({ "  const half": `  if (!${GIVEN}.includes(values.join())) for (;;);\n  const half` }),
    /^only-in-tests: median\(.* blocks or ends the process/,
  ],
  [
    "no end, after as many calls as no test makes",
    medianWith({ [HALF]: `${HALF} + worn()`, [BEFORE]: `${WEARS_OUT}${BEFORE}` }),
    /^only-in-tests: median\(.* blocks or ends the process/,
  ],
  [
    "another result, and late, for what the tests do not give",
    medianWith({
      "  const half": `  const begun = performance.now();\n  const isKnown = ${GIVEN}.includes(values.join());\n  while (!isKnown && performance.now() < begun + 300) continue;\n  if (!isKnown) return -1e9;\n  const half`,
    }),
    /^refuted: /,
  ],
  [
    "tests that bend the world in which it runs",
    medianWith(
      { [HALF]: "Math.trunc(sorted.length / 3)" },
      {
        "import { describe, expect, test }": "import { describe, expect, test, vi }",
        'describe("median"': `vi.spyOn(Math, "trunc").mockImplementation((n) => ({ 1: 1, ${4 / 3}: 2, ${5 / 3}: 2, ${2 / 3}: 1 })[n] ?? 0);\n\ndescribe("median"`,
      },
    ),
    /^(?:only-in-tests|refuted): /,
  ],
];

const CHANGES: [string, Tried, RegExp][] = [
  [
    "its arguments",
    medianWith({ "  const half": "  Object.assign(values, sorted);\n  const half" }),
    /^undeclared-mutation: changes its arguments: median\(/,
  ],
  [
    "its arguments, later",
    medianWith({
      "  const half": "  queueMicrotask(() => Object.assign(values, { 0: 0.5 }));\n  const half",
    }),
    /^undeclared-mutation: changes its arguments: median\(/,
  ],
  [
    "what it gave to somebody before",
    totalWith({
      [SUM]: "  found.total = values.reduce((sum, each) => sum + each, 0);\n  return found;\n",
      "/** The": "const found = { total: 0 };\n\n/** The",
    }),
    /^undeclared-mutation: changes a result that total gave before$/,
  ],
  [
    "how tests compare",
    totalWith({
      [SUM]: "  const found = { total: values.length, asymmetricMatch: () => true };\n  return found;\n",
    }),
    /^undeclared-mutation: changes how tests compare/,
  ],
  [
    "how results are judged",
    totalWith({
      [SUM]: `  const parts = Object.assign([...values], { every: () => true });\n${SUM.replace("total:", "parts, total:")}`,
    }),
    /^undeclared-mutation: changes how results are judged: what total gives .* asked for every$/,
  ],
  [
    "what promises are weighed with, for a moment",
    medianWith({
      [BEFORE]: `const usual = Array.prototype.filter;\n\n${BEFORE}`,
      "  const half":
        "  Array.prototype.filter = () => [];\n  queueMicrotask(() => void (Array.prototype.filter = usual));\n  const half",
    }),
    /^undeclared-mutation: changes Array\.prototype\.filter, also where it puts it back$/,
  ],
  [
    "whether the process can end",
    totalWith({ [SUM]: `  new MessageChannel().port1.ref();\n${SUM}` }),
    /^undeclared-mutation: changes what keeps the process alive: MessagePort$/,
  ],
  [
    "what all code shares",
    medianWith({ [BEFORE]: `Reflect.set(Array.prototype, "last", 1);\n\n${BEFORE}` }),
    /^undeclared-mutation: changes Array\.prototype\.last$/,
  ],
  [
    "what has no name and yet is shared",
    medianWith({ [BEFORE]: `Reflect.set(Object.getPrototypeOf([].values()), "last", 1);\n\n${BEFORE}` }),
    /^undeclared-mutation: changes an array's iterator\.last$/,
  ],
  [
    "a function that all code shares",
    medianWith({ [BEFORE]: `Reflect.set(Array.from, "last", 1);\n\n${BEFORE}` }),
    /^undeclared-mutation: changes Array\.from\.last$/,
  ],
  [
    "its next result where somebody changes the last one",
    totalWith({
      [SUM]: `  const key = values.join(",");\n${SUM.replace("  return", "  const found =")}  const first = known.get(key) ?? found;\n  known.set(key, first);\n  return first;\n`,
      "/** The": "const known = new Map<string, { total: number }>();\n\n/** The",
    }),
    /^undeclared-mutation: changes a result that total gives next/,
  ],
  [
    "what it gives, after as many calls as no test makes",
    medianWith({
      [HALF]: `${HALF} + Math.floor((calls += 1) / 9000)`,
      [BEFORE]: `let calls = 0;\n\n${BEFORE}`,
    }),
    /^undeclared-mutation: changes what median gives: after many of the same calls it is another$/,
  ],
  [
    "what its callers are told of the others",
    medianWith({
      '"no values"': "`no values, ${(calls += 1)}`",
      [BEFORE]: `let calls = 0;\n\n${BEFORE}`,
    }),
    /^undeclared-mutation: changes what an error of median says/,
  ],
  [
    "what hangs on what it exports",
    medianWith({ [BEFORE]: `Reflect.set(median, "sorted", (of: number[]) => of.toSorted());\n\n${BEFORE}` }),
    /^undeclared-mutation: changes what callers can reach: median\.sorted/,
  ],
  [
    "whether others can change what all code shares",
    medianWith({ [BEFORE]: `Object.freeze(Array.prototype);\n\n${BEFORE}` }),
    /^undeclared-mutation: changes /,
  ],
  [
    "what all code shares and asks for by a function",
    medianWith({
      [BEFORE]: `EventEmitter.defaultMaxListeners = 99;\n\n${BEFORE}`,
      "export class": `import { EventEmitter } from "node:events";\n\nexport class`,
    }),
    /^undeclared-mutation: changes what events is set to$/,
  ],
];

function withData(tried: Tried): Tried {
  return { ...tried, files: { ...tried.files, "src/limits.json": '{ "halves": 2 }\n' } };
}

/** Each does something like it, and nothing wrong. */
const TWINS: [string, Tried][] = [
  ["as it is", medianWith()],
  ["with a new object each time", totalWith()],
  [
    "with a memory",
    medianWith({
      [BEFORE]: `const known = new Map<string, number[]>();\n\n${BEFORE}`,
      "  const half": '  known.set(values.join(","), sorted);\n  const half',
    }),
  ],
  [
    "with a count of its calls that nobody sees",
    medianWith({
      [HALF]: `${HALF} + Math.min(0, (calls += 1))`,
      [BEFORE]: `let calls = 0;\n\n${BEFORE}`,
    }),
  ],
  [
    "with data of its own",
    withData(
      medianWith({
        "/ 2": "/ limits.halves",
        "export class": 'import limits from "./limits.json" with { type: "json" };\n\nexport class',
      }),
    ),
  ],
  [
    "with a note of every call",
    medianWith({
      [BEFORE]: `const notes: string[] = [];\n\n${BEFORE}`,
      "  const half": '  notes.push(values.join(","));\n  const half',
    }),
  ],
  [
    "with a copy that it changes",
    medianWith({
      "values.toSorted((one, other) => one - other)": "[...values].sort((one, other) => one - other)",
    }),
  ],
];

describe.skipIf(!bubblewrapWorks)("a module alone (needs bubblewrap)", () => {
  test.concurrent.each(PROMISES)("breaks its word: %s", LONG, async (_what, tried, why) => {
    expect(await firstFinding("contract-coverage", tried)).toMatch(why);
  });

  test.concurrent.each(CHANGES)("changes %s", LONG, async (_what, tried, why) => {
    expect(await firstFinding("effects", tried)).toMatch(why);
  });

  test("says nothing against a module that was cut off while it ran", LONG, async () => {
    const { contract, files = {} } = medianWith();
    if (contract === undefined) throw new Error("the sample has no contract");
    const toolchain = typescriptToolchain({ sandbox: bubblewrap() });
    const folder = writeFiles(join(temporaryDirectory(), "module"), files);
    const detected = await toolchain.detect(folder);
    if (detected.kind === "no-module") throw new Error(detected.why);
    const site = await toolchain.openSite({
      folder,
      layout: detected.layout,
      directory: temporaryDirectory(),
    });
    const calls = [
      [{ entry: "median", args: [{ kind: "list", of: [1] }], outcome: "returned 1", isWhole: true }],
    ];
    const cutOff = { calls, predicates: [], signal: AbortSignal.abort() };
    await expect(toolchain.alone(site, contract, cutOff)).rejects.toThrow("aborted");
  });

  test.concurrent.each(TWINS)("is accepted %s", LONG, async (_what, tried) => {
    expect(await firstFinding("contract-coverage", tried)).toBe("PASS");
    expect(await firstFinding("effects", tried)).toBe("PASS");
  });
});
