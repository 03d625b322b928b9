// A tiny product whose contracts change: initials in three versions, a badge that uses them, and a signature that cannot.
import { example } from "../src/simulator/cases/module-sketch.ts";
import { sample, type SampleModule } from "./invoice-samples.ts";

/** A property of whatever is made of words. */
function manyWords(made: string, holds: string): string {
  return `test("any words will do", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, (list) => {
      expect(${made}).${holds};
    }),
  );
});
`;
}

const REFUSED = `test.each(["", "  "])("%j has none", (name) => {
  expect(() => initials(name, "")).toThrow(BlankName);
  expect(() => initials(name, "")).toThrow("a name is needed");
});
`;

function initials(parameter: string, join: string, tests: string, call: string): SampleModule {
  return sample({
    name: "initials",
    purpose: "Gives the initials of a name in capital letters.",
    tags: ["names", "text"],
    entry: "initials",
    signature: `(name: string${parameter}) => string`,
    inputs: [{ name: "name", type: "string", constraint: "is not blank", requires: 'args[0].trim() !== ""' }],
    output: {
      name: "letters",
      type: "string",
      invariant: "begins with the first letter of the name",
      ensures: "result.startsWith(args[0].trim().charAt(0).toUpperCase())",
    },
    error: { name: "BlankName", when: "the name is blank", throws: 'error.message === "a name is needed"' },
    files: {
      "src/index.ts": String.raw`/** Thrown when the name is blank. */
export class BlankName extends Error {}

/** The initials of a name such as "ada lovelace". */
export function initials(name: string${parameter}): string {
  const words = name.trim().split(/\s+/);
  if (words[0] === "") throw new BlankName("a name is needed");
  return words.map((word) => word.charAt(0).toUpperCase()).join(${join});
}
`,
      "test/initials.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { BlankName, initials } from "../src/index.ts";

${tests}
${manyWords(`initials(list.join(" ")${call})`, "toHaveLength(list.length)")}`,
      "examples.md": [
        example("initials", "initials", "two words", `initials("ada lovelace"${call})`, "json", '"AL"'),
        example(
          "initials",
          "initials",
          "no name",
          `initials(" "${call})`,
          "error",
          "BlankName: a name is needed",
        ),
      ].join("\n"),
    },
  });
}

const PLAIN = `test.each([
  ["ada lovelace", "AL"],
  ["  Grace   Brewster Hopper ", "GBH"],
])("the initials of %j are %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
`;

const SEPARATED = `test.each([
  ["ada lovelace", ".", "A.L"],
  ["  Grace   Brewster Hopper ", "", "GBH"],
])("the initials of %j with %j are %s", (name, separator, letters) => {
  expect(initials(name, separator)).toBe(letters);
});
`;

export const INITIALS_1 = initials("", '""', PLAIN + REFUSED.replaceAll(', ""', ""), "");
/** With a separator for those who want one. */
export const INITIALS_1_1 = initials(
  ", separator?: string",
  'separator ?? ""',
  `${PLAIN}\n${SEPARATED}\n${REFUSED}`,
  "",
);
/** With a separator that nobody can leave out. */
export const INITIALS_2 = initials(", separator: string", "separator", `${SEPARATED}\n${REFUSED}`, ', ""');

interface Named {
  name: string;
  purpose: string;
  /** What comes of the name, in code. */
  code: string;
  of: readonly (readonly [string, string])[];
}

function built({ name, purpose, code, of }: Named): SampleModule {
  const error = `No${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return sample({
    name,
    purpose,
    dependsOn: ["initials"],
    tags: [name],
    entry: name,
    signature: "(name: string) => string",
    inputs: [{ name: "name", type: "string", constraint: "is not blank", requires: 'args[0].trim() !== ""' }],
    output: { name: "text", type: "string", invariant: "is not empty", ensures: "result.length > 0" },
    error: { name: error, when: "the name is blank", throws: `error.message === "nobody has no ${name}"` },
    files: {
      "src/index.ts": `import { initials } from "#modules/initials";

/** Thrown when the name is blank. */
export class ${error} extends Error {}

/** Made from a name such as "ada lovelace". */
export function ${name}(name: string): string {
  if (name.trim() === "") throw new ${error}("nobody has no ${name}");
  return ${code};
}
`,
      [`test/${name}.test.ts`]: `import fc from "fast-check";
import { expect, test } from "vitest";
import { ${error}, ${name} } from "../src/index.ts";

test.each(${JSON.stringify(of)})("%j gives %s", (name, text) => {
  expect(${name}(name)).toBe(text);
});

test.each(["", "  "])("%j gives nothing", (name) => {
  expect(() => ${name}(name)).toThrow(${error});
  expect(() => ${name}(name)).toThrow("nobody has no ${name}");
});

${manyWords(`${name}(list.join(" "))`, "toContain(list[0].charAt(0).toUpperCase())")}`,
      [`test/${name}.integration.test.ts`]: `import { expect, test } from "vitest";
import { ${name} } from "../src/index.ts";

test("every word counts", () => {
  expect(${name}("a b c")).toContain("C");
});
`,
      "examples.md": [
        example(name, name, "a name", `${name}("ada lovelace")`, "json", JSON.stringify(of[0]?.[1])),
        example(name, name, "no name", `${name}(" ")`, "error", `${error}: nobody has no ${name}`),
      ].join("\n"),
    },
  });
}

export const BADGE = built({
  name: "badge",
  purpose: "Writes a badge with the initials of a name between brackets.",
  code: '"[" + initials(name) + "]"',
  of: [
    ["ada lovelace", "[AL]"],
    ["x", "[X]"],
  ],
});

export const SIGNATURE = built({
  name: "signature",
  purpose: "Signs with the initials of a name and a dot behind each of them.",
  code: 'initials(name, ".") + "."',
  of: [
    ["ada lovelace", "A.L."],
    ["x", "X."],
  ],
});

/** As the proposer of the signature asks for it. */
export const OPTIONAL_SEPARATOR = {
  type: "CANNOT_SUPPORT",
  target_module: "MM-initials@1.0.0",
  reason: "A signature needs a dot between the letters.",
  evidence: ["initials gives AL where A.L is needed, and words cannot be told apart afterwards"],
  proposed_contract_delta: {
    added_inputs: [{ name: "separator", type: "string", constraints: [], optional: true }],
    changed_entry_points: [entry("(name: string, separator?: string) => string")],
  },
  compatibility_expectation: "BACKWARD_COMPATIBLE",
  urgency: "BLOCKING",
};

export const REQUIRED_SEPARATOR = {
  ...OPTIONAL_SEPARATOR,
  target_module: "MM-initials@1.1.0",
  reason: "A monogram must never be written without a decision about the separator.",
  proposed_contract_delta: {
    modified_inputs: [{ name: "separator", type: "string", constraints: [] }],
    changed_entry_points: [entry("(name: string, separator: string) => string")],
  },
};

function entry(signature: string) {
  return {
    name: "initials",
    signature,
    inputs: ["name", "separator"],
    outputs: ["letters"],
    errors: ["BlankName"],
    effects: [],
  };
}
