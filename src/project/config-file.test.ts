import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Config } from "../domain/config.ts";
import { parseConfigText, renderConfigProblem } from "./config-file.ts";

const KEYS = Object.keys(Config.shape).toSorted().join(", ");

const FILE = "cupel.config.json";

function complaints(text: string): string[] {
  const read = parseConfigText(text, FILE);
  return read.kind === "ok"
    ? ["accepted"]
    : read.problems.map((problem) => renderConfigProblem(FILE, problem));
}

describe("parseConfigText accepts", () => {
  test.each<[string, string, object]>([
    ["an empty object", "{}", {}],
    ["comments", '// why\n{ /* a */ "rigor": "lite" // b\n}', { rigor: "lite" }],
    ["trailing commas", '{"budget": {"usd": 3,},}', { budget: { usd: 3 } }],
    ["a byte order mark", '\uFEFF{"concurrency": 2}', { concurrency: 2 }],
    ["Windows line ends", '{\r\n  "durability": "full"\r\n}\r\n', { durability: "full" }],
    ["a schema address", '{"$schema": "./schema.json"}', { $schema: "./schema.json" }],
    [
      "changes to a preset",
      '{"rigor": {"base": "strict", "gates": {"tidy": "advise"}}}',
      { rigor: { base: "strict", gates: { tidy: "advise" } } },
    ],
    ["a bracket in text and in a comment", '{"$schema": "[[{", /* [[[ */ }', { $schema: "[[{" }],
  ])("%s", (_, text, config) => {
    expect(parseConfigText(text, FILE)).toEqual({ kind: "ok", config });
  });
});

describe("parseConfigText points at", () => {
  test.each<[string, string, string[]]>([
    [
      "a misspelt key",
      '{\n  // two at a time\n  "rigor": "lite",\n  "concurency": 2\n}',
      ['4:3  unknown key "concurency"; did you mean "concurrency"?'],
    ],
    [
      "a misspelt key deep inside",
      '{"rigor": {"base": "lite",\n "mutation": {"minKiled": 1}}}',
      ['2:15  unknown key "minKiled"; did you mean "minKilled"?'],
    ],
    [
      "a key like no other",
      '{"zzzzzzzz": 1}',
      [`1:2  unknown key "zzzzzzzz"; expected one of the keys ${KEYS}`],
    ],
    [
      "a prototype key",
      '{"budget": {"__proto__": {"usd": 9}}}',
      ['1:13  unknown key "__proto__"; expected one of the keys minutes, task, tokens, unknownPrices, usd'],
    ],
    [
      "a key that would obey a terminal",
      '{"\\u001b[31m": 1}',
      [String.raw`1:2  unknown key "\u001b[31m"; expected one of the keys ${KEYS}`],
    ],
    ["a wrong value", '{\n\t"concurrency": 65\n}', ["2:17  concurrency: expected at most 64, found 65"]],
    [
      "a wrong value in a list",
      '{"rigor": {"base": "lite", "layers": ["unit",\n    "units"]}}',
      [
        '2:5  rigor.layers[1]: expected one of "unit", "property", "contract", "static", "integration", "e2e", "budget", found "units"',
      ],
    ],
    [
      "the object that lacks a key",
      '{\n  "rigor": {"maxComplexity": 3}\n}',
      ['2:12  rigor.base: expected one of "lite", "standard", "strict", found nothing'],
    ],
    ["a root that is no object", "\n [1]", ["2:2  expected an object, found [1]"]],
    [
      "every problem, from top to bottom",
      '{"budget": {"tokens": 0.5},\n"protocol": 1,\n"bugdet": {}}',
      [
        "1:23  budget.tokens: expected an int, found 0.5",
        '2:13  protocol: expected one of "debate", "blind", "fractal", "gatekeeper", "solo", found 1',
        '3:1  unknown key "bugdet"; did you mean "budget"?',
      ],
    ],
    [
      "a key that is set twice",
      '{"concurrency": 1,\n "protocol": "solo",\n "concurrency": 2}',
      ['3:2  concurrency: expected each key once, found "concurrency" again (first on line 1)'],
    ],
    [
      "a key that is set twice deep inside",
      '{"rigor": {"base": "lite", "layers": [{"a": 1, "\\u0061": 2}]}}',
      ['1:48  rigor.layers[0].a: expected each key once, found "a" again (first on line 1)'],
    ],
    [
      "a value too big to be a number",
      '{"budget": {"usd": 1e999}}',
      ["1:20  budget.usd: expected a number, found Infinity"],
    ],
  ])("%s", (_, text, lines) => {
    expect(complaints(text)).toEqual(lines.map((line) => `${FILE}:${line}`));
  });

  test.each<[string, string, string]>([
    ["nothing at all", "", "1:1  expected a value, found the end of the file"],
    ["only a comment", "// soon\n", "2:1  expected a value, found the end of the file"],
    ["an open brace", '{"rigor": "lite"', "1:17  expected a closing brace, found the end of the file"],
    ["an open bracket", '{"rigor": [1', "1:13  expected a closing bracket, found the end of the file"],
    ["an open text", '{"rigor": "li\n}', '1:11  expected a closing double quote, found "li'],
    ["an open comment", "{} /* never\nclosed", "1:4  expected the end of the comment, found /* never closed"],
    ["a missing comma", '{"concurrency": 1\n "rigor": "lite"}', '2:2  expected a comma, found "rigor"'],
    ["a missing colon", '{"rigor" "lite"}', '1:10  expected a colon, found "lite"'],
    ["a missing value", '{"rigor": }', "1:11  expected a value, found }"],
    ["two commas", '{"concurrency": 1,,}', "1:19  expected a key in double quotes, found ,"],
    ["more after the end", "{}\n{}", "2:1  expected the end of the file, found {"],
    [
      "single quotes",
      "{'rigor': 1}",
      "1:2  expected a value: text in double quotes, a number, true, false, null, {…} or […], found 'rigor'",
    ],
    [
      "code",
      '{"rigor": process.exit()}',
      "1:11  expected a value: text in double quotes, a number, true, false, null, {…} or […], found process.exit()",
    ],
    [
      "an unknown escape",
      '{"rigor": "\\x"}',
      '1:11  expected one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u, found "\\x"',
    ],
    [
      "a control character",
      '{"rigor": "\u001B[2J"}',
      '1:11  expected no control character, found "\uFFFD[2J"',
    ],
    [
      "a column after a wide character",
      '{"$schema": "😀" "rigor": 1}',
      '1:18  expected a comma, found "rigor"',
    ],
    [
      "a line after lone carriage returns",
      '{\r"concurrency": 1\r"rigor": 1}',
      '3:1  expected a comma, found "rigor"',
    ],
    ["a line after a byte order mark", '\uFEFF{"a" 1}', "1:6  expected a colon, found 1"],
    [
      "too many levels of lists",
      "[".repeat(100_000),
      "1:65  expected at most 64 levels of brackets, found one more",
    ],
    [
      "too many levels of objects",
      '{"a":'.repeat(100_000),
      "1:321  expected at most 64 levels of brackets, found one more",
    ],
  ])("broken syntax: %s", (_, text, line) => {
    expect(complaints(text)).toEqual([`${FILE}:${line}`]);
  });
});

test("a problem carries its parts", () => {
  expect(parseConfigText('{"budget": {"usdd": 1}}', FILE)).toEqual({
    kind: "invalid",
    path: FILE,
    problems: [
      {
        kind: "unknown-key",
        line: 1,
        column: 13,
        key: "budget.usdd",
        expected: 'the key "usd"',
        found: '"usdd"',
        nearest: "usd",
      },
    ],
  });
});

test("a token of more than 40 characters is cut", () => {
  expect(complaints("x".repeat(40))[0]).toMatch(/found x{40}$/);
  expect(complaints("x".repeat(41))[0]).toMatch(/found x{39}…$/);
});

test("problems on one line are told from left to right", () => {
  expect(complaints('{"bugdet": {}, "protocol": 1}').map((line) => line.slice(0, 24))).toEqual([
    `${FILE}:1:2  u`,
    `${FILE}:1:28  `,
  ]);
});

test("many brackets side by side are not deep", () => {
  const wide = `{"rigor": [${Array.from({ length: 200 }, () => "[{}]").join(",")}]}`;
  expect(complaints(wide)[0]).toContain("rigor: expected one of");
});

test("64 levels are read, and only then judged", () => {
  expect(complaints(`${"[".repeat(64)}${"]".repeat(64)}`)[0]).toContain("expected an object");
});

test("an unknown key is found wherever white space puts it", () => {
  const gap = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r\n", "/* c */"), maxLength: 12 });
  fc.assert(
    fc.property(gap, gap, (before, after) => {
      const lead = `{${before}`;
      let [line, column] = [1, 1];
      for (const character of lead.replaceAll("\r\n", "\n")) {
        if (character === "\n") [line, column] = [line + 1, 1];
        else column++;
      }
      const read = parseConfigText(`${lead}"rigr"${after}:${after}1}`, FILE);
      expect(read).toMatchObject({ problems: [{ kind: "unknown-key", line, column, nearest: "rigor" }] });
    }),
  );
});

test("whatever the text, there is an answer with a place", () => {
  const bits = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    '"rigor"',
    '"budget"',
    "1",
    "null",
    "//",
    "/*",
    "\n",
    "é",
    "\u0000",
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 30 }), (parts) => {
      const text = parts.join("");
      const read = parseConfigText(text, FILE);
      const problems = read.kind === "ok" ? [] : read.problems;
      expect(problems.length > 0).toBe(read.kind === "invalid");
      for (const { line, column } of problems) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(text.split("\n").length);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual(text.length + 1);
      }
    }),
  );
});
