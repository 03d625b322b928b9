// What counts as used of another module, and what only looks like it.
import { describe, expect, test } from "vitest";
import { moduleFolder } from "../../../../test/module-samples.ts";
import { moduleUses } from "./module-uses.ts";
import { entry, viewOf } from "./samples.suite.ts";

const TYPES = `export declare function parse(text: string): Span;
export declare function show(span: Span): string;
export interface Span { from: number; to: number }
export default function main(): void;
`;

function uses(text: string, more: Record<string, string> = {}): string[] {
  const directory = moduleFolder({ "types/index.d.ts": TYPES, "index.js": "" });
  const view = { ...viewOf(entry(text, more)), dependencies: [{ name: "span", directory }] };
  return moduleUses(view).map(({ module, name }) => `${module}.${name}`);
}

describe("used", () => {
  test.each([
    ["a call", 'import { parse } from "#modules/span"; export const f = () => parse("");', ["span.parse"]],
    [
      "a call under another name",
      'import { parse as p } from "#modules/span"; export const f = () => p("");',
      ["span.parse"],
    ],
    [
      "a type",
      'import type { Span } from "#modules/span"; export const f = (span: Span) => span.to;',
      ["span.Span"],
    ],
    [
      "a member of all",
      'import * as all from "#modules/span"; export const f = (x: all.Span) => all.show(x);',
      ["span.Span", "span.show"],
    ],
    ["all, handed on", 'import * as all from "#modules/span"; export const f = () => [all];', ["span.*"]],
    ["the default", 'import main from "#modules/span"; export const f = () => main();', ["span.default"]],
    ["passed on", 'export { show as tell } from "#modules/span";', ["span.show"]],
    ["passed on as a whole", 'export * from "#modules/span";', ["span.*"]],
    ["passed on later", 'import { show } from "#modules/span"; export { show };', ["span.show"]],
    ["a shorthand", 'import { show } from "#modules/span"; export const tools = { show };', ["span.show"]],
    ["loaded later", 'export const f = () => import("#modules/span");', ["span.*"]],
    ["a type by its place", 'export type Mine = import("#modules/span").Span;', ["span.Span"]],
    ["what the type of a value names", 'export type Mine = typeof import("#modules/span");', ["span.*"]],
  ])("%s", (_, text, expected) => {
    expect(uses(text)).toEqual(expected);
  });

  test("in another file of the module", () => {
    const far = 'import { show } from "#modules/span";\nexport const tell = show;\n';
    expect(uses('export { tell } from "./far.ts";', { "src/far.ts": far })).toEqual(["span.show"]);
  });
});

describe("not used", () => {
  test.each([
    ["an import that nothing mentions", 'import { parse } from "#modules/span"; export const f = 1;'],
    [
      "a parameter of the same name",
      'import { parse } from "#modules/span"; export const f = (parse: () => void) => parse();',
    ],
    [
      "a property of the same name",
      'import { parse } from "#modules/span"; export const f = (x: { parse: number }) => x.parse;',
    ],
    ["a module of a package", 'import { join } from "node:path"; export const f = () => join("a");'],
  ])("%s", (_, text) => {
    expect(uses(text)).toEqual([]);
  });

  test("in tests, which nobody builds upon", () => {
    const tests =
      'import { test } from "vitest"; import { show } from "#modules/span"; test("x", () => void show);';
    expect(uses("export const f = 1;", { "test/f.test.ts": tests })).toEqual([]);
  });
});
