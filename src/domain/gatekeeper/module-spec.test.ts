// The specification says what the research found, in the research's own values.
import { describe, expect, test } from "vitest";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import { parseExamples } from "../evidence/examples.ts";
import { ModuleResearch } from "./module-research.ts";
import { examplesText, specProblems, type SpecExample } from "./module-spec.ts";

const CONTRACT = slugifyContract();
const [ENTRY] = CONTRACT.entry_points.map(({ name }) => name);
const [INPUT] = CONTRACT.inputs.map(({ name }) => name);
const [ERROR] = CONTRACT.error_surfaces.map(({ name }) => name);

const RESEARCH = ModuleResearch.parse({
  summary: "Slugs.",
  inputs: [{ name: INPUT, type: "string", constraints: [] }],
  outputs: [{ name: "slug", type: "string", invariants: [] }],
  examples: [
    {
      name: "two words",
      kind: "happy_path",
      situation: null,
      inputs: [{ name: INPUT, value: '"A b"' }],
      gives: '"a-b"',
      throws: null,
      why: "Titles become slugs.",
    },
    {
      name: "a blank title",
      kind: "error_case",
      situation: null,
      inputs: [{ name: INPUT, value: '" "' }],
      gives: null,
      throws: `${ERROR}: a title is needed`,
      why: "Blank titles are refused.",
    },
  ],
  notes: [],
});

function written(of: string, value: string, change: Partial<SpecExample> = {}): SpecExample {
  const entry = ENTRY ?? "";
  return {
    of,
    entry,
    code: `import { ${entry} } from "#modules/slugify";\n\n${entry}( ${value} );`,
    ...change,
  };
}
const BOTH = [written("two words", '"A b"'), written("a blank title", '" "')];

describe("a specification", () => {
  test("becomes an examples.md that reads back, with what the research says comes of it", () => {
    expect(specProblems({ examples: BOTH }, RESEARCH, CONTRACT)).toEqual([]);
    const { examples, problems } = parseExamples(examplesText({ examples: BOTH }, RESEARCH));
    expect(problems).toEqual([]);
    expect(examples.map(({ entry, title, output }) => [entry, title, output.form, output.text])).toEqual([
      [ENTRY, "two words", "json", '"a-b"'],
      [ENTRY, "a blank title", "error", `${ERROR}: a title is needed`],
    ]);
  });

  test("stays whole whatever the reason of an example quotes", () => {
    const why = "# Slugs\n\n## slugify: mine\n\n```ts\nslugify();\n```\n";
    const quoting = { ...RESEARCH, examples: RESEARCH.examples.map((each) => ({ ...each, why })) };
    const { examples, problems } = parseExamples(examplesText({ examples: BOTH }, quoting));
    expect(problems).toEqual([]);
    expect(examples.map(({ title }) => title)).toEqual(["two words", "a blank title"]);
  });

  test("shows what JSON has no word for as Node prints it", () => {
    const [first] = RESEARCH.examples;
    if (first === undefined) throw new Error("no example");
    const text = examplesText(
      { examples: BOTH },
      { ...RESEARCH, examples: [{ ...first, gives: "Set(1) { 1 }" }] },
    );
    expect(text).toContain("```text\nSet(1) { 1 }\n```");
  });

  test.each<[string, SpecExample[], string]>([
    ["an example left out", BOTH.slice(0, 1), '"a blank title" of the research is written 0 times'],
    ["an example twice", [...BOTH, ...BOTH.slice(0, 1)], '"two words" of the research is written 2 times'],
    ["an example nobody researched", [...BOTH, written("mine", "1")], 'the research has no example "mine"'],
    ["other values", [written("two words", '"C d"'), ...BOTH.slice(1)], 'the code does not use "A b"'],
    [
      "an entry that is none",
      [written("two words", '"A b"', { entry: "other" }), ...BOTH.slice(1)],
      "other, which is no entry point",
    ],
    [
      "a fence inside of the code",
      [written("two words", '"A b"', { code: '"A b"\n```\n\n```json\n1' }), ...BOTH.slice(1)],
      "examples.md",
    ],
  ])("with %s goes back", (_, examples, problem) => {
    expect(specProblems({ examples }, RESEARCH, CONTRACT).join("\n")).toContain(problem);
  });

  test("whose contract lacks an error or an input of the research goes back", () => {
    const bare = { ...CONTRACT, inputs: [], error_surfaces: [] };
    const found = specProblems({ examples: BOTH }, RESEARCH, bare).join("\n");
    expect(found).toContain(`the contract has no ${INPUT}, which the research describes`);
    expect(found).toContain(`the contract has no ${ERROR}, which "a blank title" throws`);
  });
});
