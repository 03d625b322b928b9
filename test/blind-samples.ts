// One module as the roles of the blind protocol make it: what each says and writes, honest, lazy, leaking or slow.
import type { ScriptLine } from "../src/domain/agent/script-line.ts";
import { INVOICE } from "./invoice-modules.ts";
import { INVOICE_TASK, type SampleModule } from "./invoice-samples.ts";
import { inFolder, line, planLine } from "./invoice-script.ts";
import { idOf } from "../src/simulator/cases/module-sketch.ts";

type Line = ReturnType<typeof line>;

const INITIALS = moduleNamed("initials");
const MODULE = idOf(INITIALS.name);
const of = { task: INVOICE_TASK.task_id, module: MODULE };

function moduleNamed(name: string): SampleModule {
  const found = INVOICE.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no sample ${name}`);
  return found;
}

const TYPES = {
  contract: INITIALS.contract,
  claim: "Names come in as text and leave as capital letters.",
  acceptance_checks: ["initials are capital letters: outputs.0"],
  typeName: "Initials",
  typeKind: "string",
  description: "The first letters of the words of a name.",
  constructors: [],
  imports: [],
  functions: [
    {
      name: "initials",
      signature: "(name: string) => string",
      brief: "The initials of a name.",
      behavior: "The first letter of each word as a capital, in order; a blank name throws BlankName.",
      examples: [
        { description: "two words", input: 'initials("ada lovelace")', expected: '"AL"', edgeCase: false },
        { description: "no name", input: 'initials(" ")', expected: "BlankName", edgeCase: true },
      ],
      properties: [
        {
          name: "oneLetterPerWord",
          description: "there is one letter for each word",
          invariant: "the length of the result is the number of words",
          type: "Preservation",
        },
      ],
      priority: 1,
    },
  ],
  designNotes: "Text in, text out.",
};

const TEST_TEXT = String.raw`import fc from "fast-check";
import { expect, test } from "vitest";
import { BlankName, initials } from "../src/index.ts";

test("two words give two capitals", () => {
  expect(initials("ada lovelace")).toBe("AL");
  expect(initials("  Grace   Brewster Hopper ")).toBe("GBH");
  expect(initials("x")).toBe("X");
});

test("there is one letter for each word", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, (list) => {
      expect(initials(list.join(" "))).toBe(list.map((word) => word.charAt(0).toUpperCase()).join(""));
    }),
  );
});

test("a blank name has none", () => {
  expect(() => initials("")).toThrow(BlankName);
  expect(() => initials("  ")).toThrow(BlankName);
  expect(() => initials("  ")).toThrow("a name is needed");
});
`;

function property(name: string, coversSketch: string | null) {
  return {
    name,
    targetFunctions: ["initials"],
    propertyType: "Preservation",
    description: name,
    coversExamples: [0],
    coversSketch,
  };
}

const TESTS = {
  properties: [
    property("two words give two capitals", null),
    property("there is one letter for each word", "oneLetterPerWord"),
    property("a blank name has none", null),
  ],
  selfVerified: true,
  strategy: "Examples, one property, and the error.",
};

const IMPL = {
  functions: [{ name: "initials", approach: "cut into words", complexity: "O(n)", handlesEdges: ["blank"] }],
  dataRepresentation: "text",
  designNotes: "One pass.",
  buildPassed: true,
};

const { "test/initials.test.ts": _replaced, ...CODE } = INITIALS.files;
const TEST_FILES = files({ "test/initials.test.ts": TEST_TEXT });
const CODE_FILES = files(CODE);

function files(given: Readonly<Record<string, string>>): ScriptLine["files"] {
  return inFolder({ ...INITIALS, files: given });
}

export interface Told {
  /** Instead of what an honest tester writes at its first try. */
  tests?: string;
  /** Instead of what an honest implementer writes. */
  code?: Readonly<Record<string, string>>;
  latencyMs?: number;
  more?: Line[];
}

/** Everybody's lines, the plan included. */
export function blindLines({ tests = TEST_TEXT, code = CODE, latencyMs = 0, more = [] }: Told = {}): Line[] {
  const written = { "test/initials.test.ts": tests };
  return [
    planLine([INITIALS]),
    line({ role: "types", ...of, node: "types", attempt: 1 }, TYPES),
    line(
      { role: "type_adversary", ...of, node: "type_adversary", attempt: 1 },
      { holes: [], analysis: "Every kind of text was gone through.", confident: true },
    ),
    using("run_tests", line({ role: "tests", ...of, node: "tests", attempt: 1 }, TESTS, files(written))),
    using("build", line({ role: "impl", ...of, node: "impl", attempt: 1 }, IMPL, files(code))),
    line(
      { role: "witness", ...of, node: "witness", attempt: 1 },
      { narrative: [{ text: "It was a fine day.", events: [999_999] }], concerns: [], suggestions: [] },
    ),
    ...more,
  ].map((each) => ({ ...each, latencyMs }));
}

/** Agents look at their work before they hand it over. */
function using(tool: string, call: Line): Line {
  return { ...call, toolCalls: [{ tool, input: {} }] };
}

/** Passes whatever the module does. */
export const TRIVIAL_TESTS = `${TEST_TEXT}
test("numbers are numbers", () => {
  expect(1).toBe(1);
});
`;

export function honestRetest(attempt = 2): Line {
  return line({ role: "tests", ...of, node: "retest", attempt }, TESTS, TEST_FILES);
}

/** What a second implementer writes instead of the first letter: more than the contract allows, or what nobody asked for. */
const OTHERWISE = { longer: "slice(0, 2)", hidden: 'charAt(0).replace(/[^a-z]/i, "#")' };

/** A second tester, and a second implementer. */
export function secondLines(otherwise: keyof typeof OTHERWISE): Line[] {
  const text = String.raw`import { expect, test } from "vitest";
import { initials } from "../src/index.ts";

test("one word gives one capital", () => {
  expect(initials("ada")).toBe("A");
});
`;
  const other = (CODE["src/index.ts"] ?? "").replace("charAt(0)", OTHERWISE[otherwise]);
  const shown = { ...TESTS, properties: [property("one word gives one capital", null)] };
  return [
    line({ role: "tests", ...of, node: "tests", attempt: 2 }, shown, files({ "test/example.test.ts": text })),
    line({ role: "impl", ...of, node: "impl", attempt: 2 }, IMPL, files({ ...CODE, "src/index.ts": other })),
  ];
}

/** Gets a word wrong that is written in small letters only. */
export const WRONG_CODE = {
  ...CODE,
  "src/index.ts": (CODE["src/index.ts"] ?? "").replace(".toUpperCase()", ""),
};

export function honestFix(): Line {
  const change = {
    function: "initials",
    whatChanged: "capitals",
    whyFailed: "small letters",
    fixType: "LogicFix",
  };
  return line(
    { role: "fix", ...of, node: "fix", attempt: 1 },
    { changes: [change], buildPassed: true },
    CODE_FILES,
  );
}

export { CODE as BLIND_CODE, INITIALS, MODULE as BLIND_MODULE, TEST_TEXT };
