// A task that grows into a tree of three nodes, and what honest agents say and write for each of them.
import type { ChildSpec } from "../src/domain/fractal/node-spec.ts";
import { TaskFile } from "../src/domain/task/task-file.ts";
import { INVOICE } from "./invoice-modules.ts";
import { example, idOf } from "../src/simulator/cases/module-sketch.ts";
import { INVOICE_TASK, sample, type SampleModule } from "./invoice-samples.ts";
import { line } from "./invoice-script.ts";

type Line = ReturnType<typeof line>;

export const SIGNED_TASK = TaskFile.parse({
  ...INVOICE_TASK,
  task_name: "Signed amount",
  task_id: "T-billing-invoices-signed-001",
  description: "Show who signed for which amount.",
  subtasks: ["read the amount", "give the initials", "write both"],
  acceptance_criteria: [
    "a signed amount shows the initials of who signed and the cents",
    "an amount that is none is refused",
    "a blank name is refused",
  ],
});

const SIGNED = sample({
  name: "signed-amount",
  purpose: SIGNED_TASK.description,
  // That it builds upon its other child, too, the harness adds.
  dependsOn: ["parse-amount"],
  tags: ["money", "text"],
  entry: "signedAmount",
  signature: "(name: string, amount: string) => string",
  inputs: [
    { name: "name", type: "string" },
    { name: "amount", type: "string", constraint: "is not empty", requires: 'args[1] !== ""' },
  ],
  output: {
    name: "text",
    type: "string",
    invariant: "ends with the cents",
    ensures: String.raw`/: \d+$/.test(result)`,
  },
  error: {
    name: "NothingToSign",
    when: "the amount is empty",
    throws: 'error.message === "nothing to sign"',
  },
  files: {
    "src/index.ts": `import { initials } from "#modules/initials";
import { parseAmount } from "#modules/parse-amount";

/** Thrown when the amount is empty. */
export class NothingToSign extends Error {}

/** Who signed for how many cents, such as "AL: 1230". */
export function signedAmount(name: string, amount: string): string {
  if (amount === "") throw new NothingToSign("nothing to sign");
  return initials(name) + ": " + parseAmount(amount);
}
`,
    "test/signed-amount.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { NothingToSign, signedAmount } from "../src/index.ts";

test.each([
  ["ada lovelace", "12.30", "AL: 1230"],
  ["x", "0.05", "X: 5"],
])("%s signs for %s with %s", (name, amount, text) => {
  expect(signedAmount(name, amount)).toBe(text);
});

test("nothing cannot be signed", () => {
  expect(() => signedAmount("ada", "")).toThrow(NothingToSign);
  expect(() => signedAmount("ada", "")).toThrow("nothing to sign");
});

test("all cents are signed for", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99999 }), (cents) => {
      expect(signedAmount("ada", (cents / 100).toFixed(2))).toBe("A: " + cents);
    }),
  );
});
`,
    "test/signed-amount.integration.test.ts": `import { expect, test } from "vitest";
import { signedAmount } from "../src/index.ts";

test("an amount that is none is told", () => {
  expect(() => signedAmount("ada", "12,30")).toThrow("no amount");
});

test("a blank name is told", () => {
  expect(() => signedAmount(" ", "12.30")).toThrow("a name is needed");
});
`,
    "examples.md": [
      example(
        "signedAmount",
        "signed-amount",
        "an amount",
        'signedAmount("ada lovelace", "12.30")',
        "json",
        '"AL: 1230"',
      ),
      example(
        "signedAmount",
        "signed-amount",
        "no amount",
        'signedAmount("ada", "")',
        "error",
        "NothingToSign: nothing to sign",
      ),
    ].join("\n"),
  },
});

/** One node: its module, and which of its own tests shows which criterion. */
interface SampleNode {
  module: SampleModule;
  shows: Readonly<Record<string, string>>;
  children: readonly ChildSpec[];
  /** What its planner writes: suites for its children. */
  suites: Readonly<Record<string, string>>;
}

function childOf(module: SampleModule, criterion: ChildSpec["acceptanceCriteria"][number]): ChildSpec {
  const [entry] = module.contract.entry_points;
  if (entry === undefined) throw new Error(`${module.name} offers nothing`);
  return {
    id: module.name,
    description: module.purpose,
    acceptanceCriteria: [criterion],
    complexityConstraints: null,
    exports: [{ name: entry.name, signature: entry.signature }],
    uses: [],
  };
}

function moduleNamed(name: string): SampleModule {
  const found = INVOICE.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no sample ${name}`);
  return found;
}

function suite(entry: string, call: string, gives: string): string {
  return `import { expect, test } from "vitest";
import { ${entry} } from "../src/index.ts";

test("what was announced is there", () => {
  expect(${call}).toBe(${gives});
});
`;
}

const AMOUNT = moduleNamed("parse-amount");
const INITIALS = moduleNamed("initials");

export const SIGNED_NODES: readonly SampleNode[] = [
  {
    module: SIGNED,
    shows: {
      "%s signs for %s with %s": "AC-1",
      "nothing cannot be signed": "AC-2",
      "all cents are signed for": "AC-1",
      "an amount that is none is told": "AC-2",
      "a blank name is told": "AC-3",
    },
    children: [
      childOf(AMOUNT, { id: "AC-2", text: "an amount that is none is refused" }),
      childOf(INITIALS, { id: "AC-3", text: "a blank name is refused" }),
    ],
    suites: {
      "test/contract.test.ts": suite("signedAmount", 'signedAmount("bo", "1.00")', '"B: 100"'),
      "children/parse-amount/contract.test.ts": suite("parseAmount", 'parseAmount("3.21")', "321"),
      "children/initials/contract.test.ts": suite("initials", 'initials("bo li")', '"BL"'),
    },
  },
  {
    module: AMOUNT,
    shows: { "%s is %d cents": "AC-2", "%j is no amount": "AC-2", "every amount comes back": "AC-2" },
    children: [],
    suites: {},
  },
  {
    module: INITIALS,
    shows: {
      "the initials of %j are %s": "AC-3",
      "%j has none": "AC-3",
      "there is one letter for each word": "AC-3",
    },
    children: [],
    suites: {},
  },
];

/** Everybody's lines, each right at the first try. */
export function signedLines(): Line[] {
  return SIGNED_NODES.flatMap(nodeLines);
}

function nodeLines({ module, shows, children, suites }: SampleNode): Line[] {
  const of = { task: SIGNED_TASK.task_id, module: idOf(module.name) };
  const isRoot = module === SIGNED;
  const written = (isMeant: (path: string) => boolean) =>
    inFolder(module, Object.fromEntries(Object.entries(module.files).filter(([path]) => isMeant(path))));
  const shown = Object.entries(shows).map(([test, criterion]) => ({ test, criterion }));
  return [
    line(
      { role: "scaffold", ...of, node: "scaffold", attempt: 1 },
      { exit: { kind: "InitWork", contract: module.contract, test_plan: planned(shows), children } },
      inFolder(module, suites),
    ),
    line(
      { role: "test_author", ...of, node: "author", attempt: 2 },
      { exit: { kind: "TestsReady", shows: shown } },
      written(isTest),
    ),
    line(
      { role: "impl", ...of, node: "impl", attempt: 3 },
      { exit: { kind: "TestsPassed", strategy: "the plainest code" } },
      written((path) => !isTest(path)),
    ),
    line(
      { role: "reviewer", ...of, node: "review", attempt: 4 },
      { exit: { kind: "Approved", signOff: "Read; it does what its criteria say." } },
    ),
    ...(isRoot
      ? []
      : [
          line(
            { role: "reviewer", ...of, node: "judge", attempt: 1 },
            { exit: { kind: "Satisfied", rationale: "Its tests show what it was given." } },
          ),
        ]),
  ];
}

function isTest(path: string): boolean {
  return path.startsWith("test/");
}

function planned(shows: SampleNode["shows"]) {
  return Object.entries(shows).map(([plannedTestName, criterionId]) => ({
    criterionId,
    plannedTestName,
    approach: "examples",
  }));
}

function inFolder({ name }: SampleModule, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`modules/${name}/${path}`, text]));
}

/** What comes after its parent has sent the child initials back: one more test, code that somebody can read, and praise. */
export function sentBackLines(): Line[] {
  const of = { task: SIGNED_TASK.task_id, module: idOf(INITIALS.name) };
  const critique = {
    file: "src/index.ts",
    line: 5,
    issue: "nobody can see what one word gives",
    requiredFix: "say it, and test it",
  };
  const [, , own] = SIGNED_NODES;
  const shows = { ...own?.shows, "one word gives one letter": "AC-3" };
  const code = INITIALS.files["src/index.ts"] ?? "";
  return [
    ...signedLines().filter(({ key }) => !(key.node === "judge" && key.module === of.module)),
    line(
      { role: "reviewer", ...of, node: "judge", attempt: 1 },
      { exit: { kind: "SendBack", missingCriteria: ["AC-3"], critiques: [critique] } },
    ),
    line(
      { role: "test_author", ...of, node: "author", attempt: 5 },
      {
        exit: {
          kind: "TestsReady",
          shows: Object.entries(shows).map(([test, criterion]) => ({ test, criterion })),
        },
      },
      inFolder(INITIALS, { "test/one-word.test.ts": ONE_WORD }),
    ),
    line(
      { role: "impl", ...of, node: "impl", attempt: 6 },
      { exit: { kind: "TestsPassed", strategy: "said what one word gives" } },
      inFolder(INITIALS, {
        "src/index.ts": code.replace(
          'such as "ada lovelace".',
          'such as "ada lovelace"; one word gives one.',
        ),
      }),
    ),
    line(
      { role: "reviewer", ...of, node: "review", attempt: 7 },
      { exit: { kind: "Approved", signOff: "Read again; it says so now." } },
    ),
    line(
      { role: "reviewer", ...of, node: "judge", attempt: 2 },
      { exit: { kind: "Satisfied", rationale: "It says so, and a test shows it." } },
    ),
  ];
}

const ONE_WORD = `import { expect, test } from "vitest";
import { initials } from "../src/index.ts";

test("one word gives one letter", () => {
  expect(initials("ada")).toBe("A");
});
`;
