import { expect, test } from "vitest";
import { assertionSites, unreached } from "./assertion-sites.ts";
import { parseCode } from "./syntax.ts";

/** Those that are called `reached` are reached. */
function missing(code: string): string[] {
  const { files } = parseCode({ "test/a.test.ts": code }, ["test/a.test.ts"]);
  return files.flatMap((file) => {
    const found = unreached(assertionSites(file), ({ node }) => node.getText().includes("reached"));
    return found.map(({ line, node }) => `${line} ${node.getText()}`);
  });
}

test.each([
  ["expect(reached).toBe(1);\nexpect(a).toBe(1);", ["2 expect(a)"]],
  ["if (no) expect(a).toBe(1);\nexpect(reached).toBe(1);", ["1 expect(a)"]],
  ["[].forEach((each) => context.expect.soft(each).toBe(1));", ["1 context.expect.soft(each)"]],
  ["function* checks() { yield expect(reached); yield expect(b); }", ["1 expect(b)"]],
  // Another way was taken, and something was asserted there.
  ["if (no) expect(a).toBe(1); else expect(reached).toBe(2);", []],
  ["no ? expect(a).toBe(1) : expect(reached).toBe(2);", []],
  // Only a failure leads there.
  ["try { f(); } catch (caught) { expect(a).toBe(1); }", []],
  ["f().catch((why) => expect(a).toBe(1)); f().then(g, (why) => expect(a).toBe(1));", []],
  ['stream.on("error", (error) => expect(error).toBeUndefined());', []],
  ["expect(true).toBe(false); expect.unreachable(a); expect.fail(a);", []],
  // Chance decides.
  ["fc.assert(fc.property(fc.nat(), (a) => { if (a === 7) expect(f(a)).toBe(1); }));", []],
  ["fc.assert(fc.property(fc.nat(), (a) => expect(f(a)).toBe(1)));", ["1 expect(f(a))"]],
])("%s", (code, found) => {
  expect(missing(code)).toEqual(found);
});
