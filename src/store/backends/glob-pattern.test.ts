// Globs mean what people expect, agree with a naive translation, and never take long.
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileGlob } from "./glob-pattern.ts";

function matches(pattern: string, path: string): boolean {
  const compiled = compileGlob(pattern);
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  const { glob } = compiled;
  const end = path.split("/").reduce((state, name) => glob.step(state, name), glob.start());
  return glob.matches(end);
}

test.each([
  ["*", ["a", ".a", "a.b"], ["a/b"]],
  ["**", ["a", "a/b", ".a/.b"], []],
  ["a/**", ["a/b", "a/b/c"], ["a", "b/a"]],
  ["**/a", ["a", "x/a", "x/y/a"], ["a/x", "xa"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a", "ab", "a/b/c"]],
  ["**/**/b", ["b", "x/b"], ["b/x"]],
  ["a**b", ["ab", "axb"], ["a/b"]],
  ["?", ["a", "😀", "ü"], ["", "ab"]],
  ["[abc]", ["a", "c"], ["d", "abc"]],
  ["[!a-c]", ["d"], ["b"]],
  ["[^a]", ["b"], ["a"]],
  ["[]]", ["]"], ["["]],
  ["[a-]", ["a", "-"], ["b"]],
  ["[a", ["[a"], ["a"]],
  ["\\[...slug\\].tsx", ["[...slug].tsx"], ["s.tsx"]],
  ["\\*", ["*"], ["a"]],
  ["a\\", ["a\\"], ["a"]],
  ["{a,b}.ts", ["a.ts", "b.ts"], ["ab.ts", "{a,b}.ts"]],
  ["{a,b/{c,d}}/e", ["a/e", "b/c/e", "b/d/e"], ["b/e"]],
  ["{a}", ["{a}"], ["a"]],
  ["{a,", ["{a,"], ["a"]],
  ["{,x}a", ["a", "xa"], ["x"]],
  ["\\{a,b}", ["{a,b}"], ["a"]],
  ["/./a//b", ["a/b"], ["a"]],
  ["__proto__", ["__proto__"], ["constructor"]],
])("%s", (pattern, yes, no) => {
  expect(yes.filter((path) => !matches(pattern, path))).toEqual([]);
  expect(no.filter((path) => matches(pattern, path))).toEqual([]);
});

test("it agrees with a naive translation", () => {
  const part = fc
    .array(fc.constantFrom("a", "b", "*", "?"), { minLength: 1, maxLength: 4 })
    .map((p) => p.join(""));
  const pattern = fc.array(fc.oneof(part, fc.constant("**")), { minLength: 1, maxLength: 4 });
  const name = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 4 }).map((p) => p.join(""));
  fc.assert(
    fc.property(pattern, fc.array(name, { minLength: 1, maxLength: 4 }), (parts, names) => {
      expect(matches(parts.join("/"), names.join("/"))).toBe(naive(parts, names));
    }),
    { numRuns: 2000 },
  );
});

/** By trying everything. */
function naive(parts: string[], names: string[]): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return names.length === 0;
  if (part === "**" && rest.length === 0) return names.length > 0;
  if (part === "**") return names.concat("").some((_, skipped) => naive(rest, names.slice(skipped)));
  const [name, ...others] = names;
  if (name === undefined) return false;
  const source = part.replaceAll(/\*+/g, "*").replaceAll("*", "[^/]*").replaceAll("?", "[^/]");
  return new RegExp(`^${source}$`).test(name) && naive(rest, others);
}

test("a pattern made to be slow is not", () => {
  const started = performance.now();
  expect(matches(`${"*a".repeat(500)}b`, "a".repeat(255))).toBe(false);
  expect(matches(`${"**/".repeat(300)}b`, "a/".repeat(1000))).toBe(false);
  expect(compileGlob("{".repeat(1000))).toMatchObject({ kind: "ok" });
  expect(compileGlob("{a,".repeat(300))).toMatchObject({ kind: "ok" });
  expect(performance.now() - started).toBeLessThan(2000);
});

test("a state from which nothing can match is known", () => {
  const compiled = compileGlob("a/*.ts");
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  const { glob } = compiled;
  expect(glob.goesOn(glob.step(glob.start(), "a"))).toBe(true);
  expect(glob.goesOn(glob.step(glob.start(), "b"))).toBe(false);
  expect(glob.goesOn(glob.step(glob.step(glob.start(), "a"), "x.ts"))).toBe(false);
});
