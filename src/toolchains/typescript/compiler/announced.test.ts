// Announced exports as types: the same bytes for the same exports, code that keeps to them builds, and nothing runs.
import { describe, expect, test } from "vitest";
import ts from "typescript6";
import type { Files } from "../../port.ts";
import { announced } from "./announced.ts";
import { build } from "./build.ts";
import { viewOf } from "./samples.suite.ts";

const EXPORTS = [
  { name: "parse", signature: "(text: string) => Span" },
  { name: "Span", signature: "type { readonly from: number; readonly to: number }" },
  { name: "limit", signature: "number" },
  { name: "pick", signature: "<T>(items: readonly T[], by: Order) => T | undefined" },
];

function filesOf(exports = EXPORTS): Files {
  const made = announced("span", exports);
  if (made.kind === "refused") throw new Error(made.problems.join("\n"));
  return made.files;
}

const errorsOf = (files: Files) => {
  const built = build(viewOf(files));
  return built.kind === "broken" ? built.errors.map(({ message }) => message) : [];
};

test("the stubs build, and the interface is gone when it runs", () => {
  expect(errorsOf(filesOf())).toEqual([]);
  const { outputText } = ts.transpileModule(filesOf()["src/interface.ts"] ?? "", {
    compilerOptions: { removeComments: true, module: ts.ModuleKind.ESNext },
  });
  expect(outputText.trim()).toBe("export {};");
});

test("order and spacing of the announcement do not show", () => {
  const spaced = EXPORTS.toReversed().map((each) => ({ ...each, signature: ` ${each.signature}\n ` }));
  expect(filesOf(spaced)).toEqual(filesOf());
});

const GOOD = `import type { Announced, Order, Span } from "./interface.ts";
export type { Order, Span };
export function parse(text: string): Span { return { from: 0, to: text.length }; }
export const limit = 3;
export const pick: Announced["pick"] = (items) => items[0];
`;

describe("code that is to keep to it", () => {
  test("builds when it does, also with more than was announced", () => {
    const files = { ...filesOf(), "src/index.ts": `${GOOD}export const more = 1;\n` };
    expect(errorsOf(files)).toEqual([]);
  });

  test.each([
    ["lacks something", GOOD.replace("export const limit = 3;", "")],
    ["has another type", GOOD.replace("limit = 3", 'limit = "3"')],
    ["wants more than callers give", GOOD.replace("(text: string)", "(text: string, more: number)")],
  ])("does not build when it %s", (_, text) => {
    expect(errorsOf({ ...filesOf(), "src/index.ts": text })).not.toEqual([]);
  });
});

describe("refused", () => {
  test.each([
    ["code after a type", "number; console.log(1)", "no type of the language"],
    ["a way out of the interface", "number } export const x = 1; interface Y { a: number", "no type"],
    ["half a type", "(text: string =>", "no type"],
    ["a comment that swallows the rest", "number /*", "no type"],
    ["words", "a function that parses", "no type"],
    ["a type with code after it", "type number; export const x = 1", "no type"],
  ])("%s", (_, signature, said) => {
    const made = announced("span", [{ name: "f", signature }]);
    expect(made.kind === "refused" ? made.problems.join() : "announced").toContain(said);
  });

  test("a name twice, and the interface's own", () => {
    const twice = announced(
      "span",
      [EXPORTS[2], EXPORTS[2]].flatMap((each) => each ?? []),
    );
    expect(twice).toEqual({ kind: "refused", problems: [expect.stringContaining("announced twice")] });
    expect(announced("span", [{ name: "Announced", signature: "number" }]).kind).toBe("refused");
  });
});
