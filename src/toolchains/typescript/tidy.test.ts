import { describe, expect, test } from "vitest";
import { tidy } from "./tidy.ts";

async function found(text: string, path = "src/index.ts"): Promise<string[]> {
  const layout = {
    entry: "src/index.ts",
    sources: ["src/index.ts"],
    tests: ["test/a.test.ts"],
    configuration: [],
  };
  const files = { "src/index.ts": "export {};\n", "test/a.test.ts": "export {};\n", [path]: text };
  const report = await tidy({ layout, files: () => files });
  expect(report.files).toBe(2);
  return report.findings.map(({ rule, line }) => `${rule} ${line}`);
}

describe("what was left lying around is found", () => {
  test.each([
    ["export const a = 1;", "unformatted 1"],
    ["export const a = 1;\n\n\n", "unformatted 3"],
    ["export const a = 1;  \n", "unformatted 1"],
    ["export const a = 1;\r\nexport const b = 1;\n", "unformatted 1"],
    ["export const a = 1; \r\n", "unformatted 1"],
    ["export function f() {\n  g();\n\th();\n  i();\n}\n", "unformatted 3"],
    ["export function f() {\n\tg();\n\th();\n  i();\n}\n", "unformatted 4"],
    [`export const a = ${"b + ".repeat(40)}1;\n`, "unformatted 1"],
    ["export const a = 1;\n\n\n\nexport const b = 1;\n", "unformatted 4"],
    [`export const a = (b)=>{${"if(b>1)b=b-1;".repeat(12)}return b};\n`, "unformatted 1"],
    ["// TODO: later\nexport const a = 1;\n", "orphaned-todo 1"],
    ["/*\n * FIXME this is wrong\n */\nexport const a = 1;\n", "orphaned-todo 2"],
    ["export const a = 1; // XXX\n", "orphaned-todo 1"],
    ["// const b = 2;\nexport const a = 1;\n", "commented-out-code 1"],
    ["export const a = 1;\n// if (a > 1) {\n//   start(a);\n// }\n", "commented-out-code 2"],
    ["/* return a + compute(b); */\nexport const a = 1;\n", "commented-out-code 1"],
    ["export const f = () => {\n  // this.value = compute(1, 2);\n};\n", "commented-out-code 2"],
    ["export const f = () => console.log(1);\n", "left-over 1"],
    ["const { log } = console;\nlog(1);\n", "left-over 2"],
    ["export function f() {\n  debugger;\n}\n", "left-over 2"],
  ])("%j", async (text, finding) => {
    expect(await found(text)).toContain(finding);
  });
});

describe("tidy code is accepted", () => {
  test.each([
    "",
    "/** Adds.\n * @example\n * const c = add(1, 2);\n */\nexport const add = (a: number, b: number) => a + b;\n",
    "// TODO(ada): wait for the new parser\nexport const a = 1;\n",
    "// FIXME #12 rounding\n// TODO https://example.org/issues/3\nexport const a = 1;\n",
    "// A list of TODO items, each with a name; those that are done come last.\nexport const a = 1;\n",
    "// Returns early; the rest follows in order of use;\nexport const a = 1;\n",
    "// see below: done;\n// { a, b }\nexport const a = 1;\n",
    "export const text = `\n  line with blanks  \n\n\n\n\ttab\n`;\n",
    "export function f() {\n\tg();\n\t/*\n\t * note\n\t */\n\treturn 1;\n}\n",
    `export const url = "${"x".repeat(200)}";\n`,
    'export const warn = () => console.warn("careful");\n',
    "export const a = 1;\n\nexport const b = 2;\n",
    "export function f() {\r\n  g();\r\n}\r\n",
  ])("%j", async (text) => {
    expect(await found(text)).toEqual([]);
  });

  test("prints are the business of tests themselves", async () => {
    expect(await found('console.log("x");\n', "test/a.test.ts")).toEqual([]);
  });
});
