// One module as the roles of the gatekeeper protocol make it: what each says and writes, honest, lazy, wrong or overreaching.
import type { ScriptLine } from "../src/domain/agent/script-line.ts";
import { BLIND_CODE, BLIND_MODULE, INITIALS, TEST_TEXT } from "./blind-samples.ts";
import { INVOICE_TASK } from "./invoice-samples.ts";
import { inFolder, line, planLine } from "./invoice-script.ts";

type Line = ReturnType<typeof line>;
type Files = Readonly<Record<string, string>>;

const of = { task: INVOICE_TASK.task_id, module: BLIND_MODULE };
const RIGHT = BLIND_CODE["src/index.ts"] ?? "";

export const CODE: Files = { "src/index.ts": RIGHT };
/** Gets words wrong that are written in small letters. */
export const SMALL: Files = { "src/index.ts": RIGHT.replace(".toUpperCase()", "") };
/** Gives two letters for each word. */
export const LONG: Files = { "src/index.ts": RIGHT.replace("charAt(0)", "slice(0, 2)") };
/** Starts a process while it is loaded. */
export const HOSTILE: Files = {
  "src/index.ts": `import { execSync } from "node:child_process";\n\n${RIGHT.replace(
    "const words",
    'if (name === "run") execSync("true");\n  const words',
  )}`,
};

export const TESTS: Files = { "test/initials.test.ts": TEST_TEXT };
/** One of them passes whatever the module does. */
export const TRIVIAL: Files = {
  "test/initials.test.ts": `${TEST_TEXT}
test("numbers are numbers", () => {
  expect(1).toBe(1);
});
`,
};

const [HEAD = "", CAPITALS = "", LETTERS = "", BLANK = ""] = TEST_TEXT.split("\ntest(");

/** Without one of the tests: nothing shows the error, or nothing shows plain words. */
export const NO_ERROR: Files = { "test/initials.test.ts": [HEAD, CAPITALS, LETTERS].join("\ntest(") };
export const NO_CAPITALS: Files = { "test/initials.test.ts": [HEAD, LETTERS, BLANK].join("\ntest(") };

function example(name: string, kind: string, value: string, gives: string | null, throws: string | null) {
  return {
    name,
    kind,
    situation: null,
    inputs: [{ name: "name", value }],
    gives,
    throws,
    why: "The task asks for capital letters.",
  };
}

const EXAMPLES = [
  example("two words", "happy_path", '"ada lovelace"', '"AL"', null),
  example("one letter with spaces around it", "edge_case", '" x "', '"X"', null),
  example("a blank name", "error_case", '" "', null, "BlankName: a name is needed"),
];

const RESEARCH = {
  summary: "The first letter of each word, as a capital.",
  inputs: [{ name: "name", type: "string", constraints: ["is not blank"] }],
  outputs: [{ name: "letters", type: "string", invariants: ["has one letter for each word"] }],
  examples: EXAMPLES,
  notes: [],
};

const SPEC = {
  contract: INITIALS.contract,
  claim: "Names come in as text and leave as capital letters.",
  acceptance_checks: ["initials are capital letters: outputs.0"],
  examples: EXAMPLES.map(({ name, inputs }) => ({
    of: name,
    entry: "initials",
    code: `import { initials } from "#modules/initials";\n\ninitials(${inputs[0]?.value ?? ""});`,
  })),
};

const SAID = {
  tests: [{ name: "two words give two capitals", layer: "unit", targets: ["initials"] }],
  strategy: "Examples, one property, and the error.",
  expected: "PASS",
};

export interface Played {
  /** What each attempt of the builder writes. */
  builder?: readonly Files[];
  tester?: readonly Files[];
}

/** Everybody's lines, the plan included. */
export function gatekeeperLines({ builder = [CODE], tester = [TESTS] }: Played = {}): Line[] {
  return [
    planLine([INITIALS]),
    line({ role: "researcher", ...of, node: "research", attempt: 1 }, RESEARCH),
    line({ role: "architect", ...of, node: "architect", attempt: 1 }, SPEC),
    ...builder.map((files, index) =>
      line(
        { role: "builder", ...of, node: "build", attempt: index + 1 },
        { claim: "It cuts words." },
        placed(files),
      ),
    ),
    ...tester.map((files, index) =>
      line({ role: "tester", ...of, node: "test", attempt: index + 1 }, SAID, placed(files)),
    ),
    line(
      { role: "verifier", ...of, node: "verify", attempt: 1 },
      { rationale: "Every boundary was followed by hand.", verdict: "PASS", findings: [] },
    ),
  ];
}

function placed(files: Files): ScriptLine["files"] {
  return inFolder({ ...INITIALS, files });
}
