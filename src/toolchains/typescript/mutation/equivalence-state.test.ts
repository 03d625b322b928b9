import ts from "typescript6";
import { expect, test } from "vitest";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import { mayRemember } from "./equivalence-state.ts";
import { mutate } from "./mutate.ts";

test.each<[text: string, remembers: boolean]>([
  ["let last = 0;", true],
  ["const cache = new Map<string, number>();", true],
  ["const items: number[] = [];", true],
  ["const seen = {} as Record<string, number>;", true],
  ["const store = createStore();", true],
  ["const counter = new Counter(1);", true],
  ["const at = { n: 0 }; function step() { at.n++; }", true],
  ["const at = { n: [0] }; const step = () => at.n.push(1);", true],
  ["const table = [1, 2]; function change() { table[0] = 3; }", true],
  ["const at = { n: 0 }; function change() { Object.assign(at, { n: 1 }); }", true],
  ["const table = [1, 2]; function first() { return table[0]; }", false],
  ["const words = new Set(['a']); function has(word: string) { return words.has(word); }", false],
  ["const limit = 5; function f() { let n = limit; n++; const own = []; own.push(n); }", false],
  ["class A { private n = 0; add() { this.n++; } }", false],
])("of %j it is said whether it may remember: %s", (text, remembers) => {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
  expect(mayRemember([file])).toBe(remembers);
});

test("what one export leaves behind for another is no equivalence", async () => {
  const site = await siteOf({
    "src/index.ts": `let last = "";
export function keep(text: string): void {
  if (text !== last) last = text;
}
export { lastOne as recall };
function lastOne(): string { return last; }`,
    "test/weak.test.ts": `import { test } from "vitest";
import { keep, recall } from "../src/index.ts";
test("weak", () => { keep("a"); recall(); });`,
  });
  const only = [{ file: "src/index.ts", line: 3 }];
  const report = await mutate({ packages: PACKAGES }, site, { timeoutMs: 2_000, only });
  if (report.kind !== "mutated") throw new Error(report.why);
  const statuses = report.mutants.map(({ replacement, status }) => [replacement, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    true: "equivalent",
    false: "survived",
    "text === last": "survived",
  });
}, 60_000);
