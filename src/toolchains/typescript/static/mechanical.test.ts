// What follows a sibling's change, and what only looks as if it did.
import { expect, test } from "vitest";
import { beyondMechanical } from "./mechanical.ts";

const BEFORE = `import { format } from "#modules/money";
import type { Money } from "#modules/money";

/** A total. */
export function total(list: readonly Money[], limit: number): string {
  let sum = 0;
  for (const each of list) if (each.cents < limit) sum += each.cents;
  return format(sum as number);
}
export const twice = <T,>(one: T): T[] => [one, one];
`;

const RENAMED = { renamed: { format: "render" } };

function problems(after: string, renamed: Record<string, string> = RENAMED.renamed): string[] {
  return beyondMechanical({ "src/index.ts": BEFORE }, { "src/index.ts": after }, { renamed }).map(
    ({ line, message }) => `${line}: ${message}`,
  );
}

test.each<[string, string]>([
  ["nothing", BEFORE],
  ["a renamed symbol", BEFORE.replace("{ format }", "{ render }").replace("format(", "render(")],
  ["a renamed symbol under its old name", BEFORE.replace("{ format }", "{ render as format }")],
  ["another type", BEFORE.replace("readonly Money[]", "Iterable<Money>").replace("): string", "): Text")],
  ["a type that is gone", BEFORE.replace("sum as number", "sum").replace("<T,>(one: T): T[]", "(one)")],
  ["other types in an import", BEFORE.replace('import type { Money } from "#modules/money";\n', "")],
  [
    "a comment and white space",
    BEFORE.replace("/** A total. */", "// all").replace("let sum = 0;", "let  sum =\n 0;"),
  ],
  ["a type of its own", `${BEFORE}interface Text { length: number }\ntype Cents = number;\n`],
])("%s is mechanical", (_, after) => {
  expect(problems(after)).toEqual([]);
});

test.each<[string, string, string]>([
  ["another operator", BEFORE.replace("<", "<="), '"<" has become "<="'],
  ["another number", BEFORE.replace("= 0", "= 1"), '6: "0" has become "1"'],
  ["another text", BEFORE.replace("each.cents;", "each['cents'];"), "has become"],
  ["one statement more", BEFORE.replace("return", "sum += 1; return"), '"return" has become "sum"'],
  ["one statement less", BEFORE.replace(" if (each.cents < limit)", ""), '"if" has become "sum"'],
  ["a name that nobody changed", BEFORE.replaceAll("sum", "all"), '"sum" has become "all"'],
  ["something else under the old name", BEFORE.replace("{ format }", "{ erase as format }"), "erase of"],
  [
    "the new name of another module",
    BEFORE.replace('{ format } from "#modules/money"', '{ render as format } from "#modules/evil"'),
    "render of",
  ],
  ["an import for its effect", `import "#modules/evil";\n${BEFORE}`, "was not imported before"],
  [
    "a statement beside a type of its own",
    `interface Text { a: 1 }\n${BEFORE.replace("= 0", "= 1")}`,
    "has become",
  ],
  ["an export more", `${BEFORE}export const more = 1;\n`, '"export" is new'],
  ["an export less", BEFORE.replace(/export const twice.*\n/, ""), '"export" is gone'],
  ["a default for a parameter", BEFORE.replace("limit: number", "limit: number = 3"), 'has become "="'],
])("%s is not", (_, after, message) => {
  expect(problems(after).join("\n")).toContain(message);
});

test("a new file and a file that is gone are more than mechanical", () => {
  expect(beyondMechanical({ "a.ts": "" }, { "b.ts": "" }, { renamed: {} })).toEqual([
    { file: "a.ts", line: 1, message: "the file is gone" },
    { file: "b.ts", line: 1, message: "the file is new" },
  ]);
});
