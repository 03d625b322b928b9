import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExamples } from "./examples.ts";

const GOOD = `# Examples of clamp

All of them run.

## clamp: a value above the range

A value that is too large becomes the upper end.

\`\`\`ts
import { clamp } from "#modules/clamp";
clamp(15, 0, 10);
\`\`\`

gives

\`\`\`json
10
\`\`\`

## Errors

### \`clamp\`: a range that is none

The ends must be in order.

~~~typescript
clamp(1, 2, 1)
~~~

~~~error
RangeError: low is above high
~~~
`;

describe("good examples", () => {
  test("are read with their lines", () => {
    const { examples, problems } = parseExamples(GOOD);
    expect(problems).toEqual([]);
    expect(examples).toEqual([
      {
        line: 5,
        title: "a value above the range",
        entry: "clamp",
        description: "A value that is too large becomes the upper end. gives",
        kind: "result",
        input: { code: 'import { clamp } from "#modules/clamp";\nclamp(15, 0, 10);', line: 10 },
        output: { form: "json", value: 10, text: "10", line: 16 },
      },
      {
        line: 22,
        title: "a range that is none",
        entry: "clamp",
        description: "The ends must be in order.",
        kind: "error",
        input: { code: "clamp(1, 2, 1)", line: 27 },
        output: {
          form: "error",
          name: "RangeError",
          message: "low is above high",
          text: "RangeError: low is above high",
          line: 30,
        },
      },
    ]);
  });

  test.each(["\r\n", "\r"])("mean the same with the ends of line %j", (end) => {
    expect(parseExamples(GOOD.replaceAll("\n", end))).toEqual(parseExamples(GOOD));
  });

  test.each([
    ['{ "before": 0, "after": 1 }', "json", "effect"],
    ["{ before: undefined, after: 1 }", "text", "effect"],
    ["saved a.txt", "console", "effect"],
    ['{ "before": 0 }', "json", "result"],
    ["Map(1) { 'a' => 1 }", "text", "result"],
    ["Error", "error", "error"],
  ])("%s as %s shows a kind of its own: %s", (output, form, kind) => {
    expect(parseExamples(example({ output, form })).examples).toMatchObject([{ kind }]);
  });
});

interface Parts {
  heading?: string;
  prose?: string;
  code?: string;
  output?: string;
  form?: string;
  fence?: string;
}

function example(parts: Parts = {}): string {
  const { heading = "## clamp: a value above the range", prose = "Too large becomes the end." } = parts;
  const { code = "clamp(15, 0, 10)", output = "10", form = "json", fence = "```" } = parts;
  return `${heading}\n\n${prose}\n\n${fence}ts\n${code}\n${fence}\n\n${fence}${form}\n${output}\n${fence}\n`;
}

describe("bad examples are refused where they are bad", () => {
  const cases: [what: string, text: string, rule: string, line: number, message: RegExp][] = [
    ["nothing", "", "no-example", 1, /begin one with a heading/],
    ["only prose", "# clamp\n\nIt clamps.\n", "no-example", 1, /begin one with a heading/],
    ["no description", example({ prose: "" }), "no-description", 1, /write a sentence/],
    ["a description to come", example({ prose: "TBD" }), "no-description", 1, /write a sentence/],
    ["no title", example({ heading: "## clamp:" }), "no-title", 1, /after the colon/],
    ["no code", "## clamp: a\n\nText.\n\n```json\n1\n```\n", "no-code", 5, /opened by ```ts/],
    ["no output", "## clamp: a\n\nText.\n\n```ts\nclamp(1, 0, 2)\n```\n", "no-output", 5, /must follow/],
    ["output that is no JSON", example({ output: "{a: 1}" }), "no-output", 9, /no JSON/],
    ["output of no known form", example({ form: "yaml" }), "no-output", 9, /"yaml" is no output/],
    ["an error that is none", example({ form: "error", output: "it fails" }), "no-output", 9, /its class/],
    ["code under no heading", "```ts\n1\n```\n", "stray-code", 1, /belongs to no example/],
    ["code under a heading for people", example({ heading: "## Usage" }), "stray-code", 5, /no example/],
    ["two outputs", `${example()}\n\`\`\`json\n10\n\`\`\`\n`, "too-many-blocks", 13, /begin another example/],
    ["the same heading twice", example() + example(), "repeated", 12, /heading of line 1/],
    ["empty code", example({ code: " " }), "empty-block", 5, /concrete value/],
    ["a block without end", example().replace(/```\n$/, ""), "odd-markdown", 9, /never closed/],
    ["a comment", `${example()}\n<!-- secret -->\n`, "odd-markdown", 13, /HTML/],
    ["raw HTML", `${example()}\n<details>\n`, "odd-markdown", 13, /HTML/],
    ["a block in a list", `${example()}\n- \`\`\`ts\n  1\n`, "odd-markdown", 13, /list or a quote/],
    ["a block in a quote", `${example()}\n> \`\`\`ts\n`, "odd-markdown", 13, /list or a quote/],
    ["an underlined heading", `${example()}\nclamp: more\n---\n`, "odd-markdown", 14, /begins with ##/],
    ["dots for a value", example({ code: 'clamp("...", 0, 10)' }), "placeholder", 6, /stands for a value/],
    ["a name for a value", example({ code: "clamp(<your_value>, 0)" }), "placeholder", 6, /your_value/],
    ["some input", example({ code: "1;\nclamp(some_input, 0)" }), "placeholder", 7, /some_input/],
    ["code left out", example({ code: "// ...\nclamp(1, 0, 2)" }), "placeholder", 6, /stands for/],
    ["dots for output", example({ form: "text", output: "..." }), "placeholder", 10, /stands for/],
    ["output to come", example({ form: "text", output: "TBD" }), "placeholder", 10, /TBD/],
    ["too long a block", example({ code: "1;".repeat(9_000) }), "too-large", 5, /shorten it/],
    ["too long a file", "a".repeat(300_000), "too-large", 1, /shorten it/],
  ];

  test.each(cases)("%s", (_what, text, rule, line, message) => {
    const { problems } = parseExamples(text);
    expect(problems).toContainEqual({ rule, line, message: expect.stringMatching(message) });
  });

  test("but not for what only looks alike", () => {
    const twins = [
      'clamp("a...", 0)',
      "clamp([...list], <Size>10)",
      "clamp(awesome_values, 0)",
      "total<a, b>(0) // three more",
      'clamp("# no heading", "<b>")',
      'clamp("n/a")',
    ];
    for (const code of twins) expect(parseExamples(example({ code })).problems).toEqual([]);
    const inside = example({ fence: "````", code: "clamp(`\n```\n## clamp: inside\n```\n`)" });
    expect(parseExamples(inside)).toMatchObject({ problems: [], examples: [{ line: 1 }] });
  });
});

describe("whatever the text is", () => {
  const piece = fc.constantFrom(
    "```",
    "````",
    "~~~",
    "```ts",
    "```json",
    "# ",
    "## clamp: a",
    "\n",
    "\r\n",
    "<!--",
    "-->",
    "> ",
    "- ",
    "---",
    "===",
    "    ",
    "`",
    "text",
    "10",
    "\u2028",
    "\0",
    "\uFEFF",
  );
  const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }).map((pieces) => pieces.join(""));

  test("it is read, and each thing has a line of the file", () => {
    fc.assert(
      fc.property(text, (given) => {
        const { examples, problems } = parseExamples(given);
        const lines = given.split(/\r\n|\r|\n/).length;
        expect(examples.length + problems.length).toBeGreaterThan(0);
        for (const { line } of [...examples, ...problems]) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("what a block holds is read as it is, and ends no sooner than its fence says", () => {
    const body = text.map((given) => `clamp(1) //${given.replaceAll(/\r\n|\r/g, "\n")}`);
    fc.assert(
      fc.property(body, fc.constantFrom("`", "~"), (code, character) => {
        const longest = Math.max(3, ...[...code.matchAll(/[`~]+/g)].map(([run]) => run.length + 1));
        const { examples, problems } = parseExamples(example({ code, fence: character.repeat(longest) }));
        if (problems.every(({ rule }) => rule === "placeholder") && problems.length > 0) return;
        expect(problems).toEqual([]);
        expect(examples.map(({ input }) => input.code)).toEqual([code]);
      }),
      { numRuns: 300 },
    );
  });

  test("a hostile line costs no more than its length", () => {
    const hostile = [" ", "`", "> ", "<a ", "some_", "- 1. ", "#"].map((each) => each.repeat(60_000));
    const started = performance.now();
    for (const line of hostile) parseExamples(`## clamp: a\n\n${line}\n`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
