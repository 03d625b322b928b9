// Research that can be built on, and everything that makes it unsound.
import { describe, expect, test } from "vitest";
import { ModuleResearch, type ResearchExample } from "./module-research.ts";
import { researchProblems } from "./research-check.ts";

const SKETCH = {
  inputs: ["title: string", "limit?: number"],
  outputs: ["slug: string"],
  error_surfaces: ["BlankTitle when the title is blank"],
  effects: ["none"],
  modes: ["sync" as const],
};

function example(change: Partial<ResearchExample> = {}): ResearchExample {
  return {
    name: "two words",
    kind: "happy_path",
    situation: null,
    inputs: [{ name: "title", value: '"A b"' }],
    gives: '"a-b"',
    throws: null,
    why: "Titles become slugs.",
    ...change,
  };
}

const EDGE = example({
  name: "one letter",
  kind: "edge_case",
  inputs: [{ name: "title", value: '"A"' }],
  gives: '"a"',
});
const ERROR = example({
  name: "blank",
  kind: "error_case",
  inputs: [{ name: "title", value: '" "' }],
  gives: null,
  throws: "BlankTitle: a title is needed",
});

function research(...examples: ResearchExample[]): ModuleResearch {
  return ModuleResearch.parse({
    summary: "Slugs.",
    inputs: [{ name: "title", type: "string", constraints: ["is not blank"] }],
    outputs: [{ name: "slug", type: "string", invariants: [] }],
    examples,
    notes: [],
  });
}

function problems(examples: ResearchExample[], sketch: Partial<typeof SKETCH> = {}): string[] {
  return researchProblems(research(...examples), { io_contract: { ...SKETCH, ...sketch } });
}

describe("research", () => {
  test("with one example of each kind stands", () => {
    expect(problems([example(), EDGE, ERROR])).toEqual([]);
  });

  test("needs only the kinds that apply", () => {
    expect(problems([example(), EDGE], { error_surfaces: ["none"] })).toEqual([]);
    const still = { ...example(), inputs: [] };
    const nothing = { ...research(still), inputs: [] };
    expect(
      researchProblems(nothing, {
        io_contract: { ...SKETCH, inputs: ["none"], error_surfaces: ["None: it cannot fail"] },
      }),
    ).toEqual([]);
  });

  test("about several functions need not give every input in each example", () => {
    const both = { ...SKETCH, inputs: [...SKETCH.inputs, "slug: string"] };
    const back = example({ name: "and back", inputs: [{ name: "slug", value: '"a-b"' }] });
    const all = research(example(), EDGE, ERROR, back);
    const inputs = [...all.inputs, { name: "slug", type: "string", constraints: [] }];
    expect(researchProblems({ ...all, inputs }, { io_contract: both })).toEqual([]);
  });

  test.each<[string, ResearchExample[], string]>([
    ["no ordinary case", [EDGE, ERROR], "there is no happy_path: show what the module is for"],
    ["no edge", [example(), ERROR], "there is no edge_case"],
    ["no error", [example(), EDGE], "there is no error_case"],
    ["a declared error that nobody shows", [example(), EDGE], "no example throws BlankTitle"],
    [
      "an unknown input",
      [example({ inputs: [{ name: "text", value: "1" }] })],
      '"two words": the plan has no input text',
    ],
    [
      "an input that none gives",
      [example({ inputs: [] })],
      "no example gives the input title: show what it does",
    ],
    [
      "an input twice",
      [example({ inputs: [...example().inputs, ...example().inputs] })],
      '"two words": title is there twice',
    ],
    [
      "an undeclared error",
      [{ ...ERROR, throws: "Oops: no" }],
      '"blank" throws Oops, but the plan declares BlankTitle',
    ],
    [
      "an error without its message",
      [{ ...ERROR, throws: "BlankTitle" }],
      "say which message BlankTitle has",
    ],
    ["an error case that throws nothing", [{ ...ERROR, gives: "1", throws: null }], "it throws nothing"],
    [
      "a happy path that throws",
      [{ ...ERROR, kind: "happy_path" }],
      '"blank" is a happy_path, but it throws',
    ],
    ["both or neither", [example({ gives: null })], "say either what it gives or what it throws"],
    ["a placeholder", [example({ gives: '"..."' })], "stands for a value"],
    [
      "a duplicate, differently spaced",
      [example({ gives: "[1,2]" }), example({ name: "again", gives: "[1, 2]" })],
      '"again" shows the same as "two words"',
    ],
    [
      "a name twice",
      [example(), example({ inputs: EDGE.inputs })],
      '"two words" is the name of two examples',
    ],
    [
      "a contradiction",
      [example(), example({ name: "other", gives: '"A-B"' })],
      '"other" contradicts "two words": for the same inputs one gives "A-B", the other gives "a-b"',
    ],
  ])("with %s goes back", (_, examples, problem) => {
    expect(problems(examples).join("\n")).toContain(problem);
  });

  test("of a module with effects may show the same call with two results", () => {
    const twice = [example(), example({ name: "the second time", gives: '"a-b-2"' }), EDGE, ERROR];
    expect(problems(twice, { effects: ["WRITE slugs"] })).toEqual([]);
    expect(problems(twice).join()).toContain("contradicts");
  });

  test("of one function or object contradicts none of another", () => {
    const of = (situation: string, gives: string) => example({ name: situation, situation, gives });
    const both = [example(), of("slugs in capitals", '"A-B"'), EDGE, ERROR];
    expect(problems(both)).toEqual([]);
    expect(problems([...both, { ...of("slugs in capitals ", '"AB"'), name: "again" }]).join()).toContain(
      '"again" contradicts "slugs in capitals"',
    );
  });

  test("that throws where the plan declares no error goes back", () => {
    expect(problems([example(), EDGE, ERROR], { error_surfaces: ["none"] })).toEqual([
      '"blank" throws BlankTitle, but the plan declares no error',
    ]);
  });
});
