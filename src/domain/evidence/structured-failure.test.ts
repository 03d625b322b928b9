import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import {
  FailurePattern,
  FailureType,
  mergePatterns,
  patternOf,
  StructuredFailure,
  stuckPatterns,
} from "./structured-failure.ts";

const failure: StructuredFailure = {
  propertyName: "pop undoes push",
  failureType: "PropertyFailed",
  message: "TypeError: expected a stack of 3",
};
const signature = (change: Partial<StructuredFailure>) => patternOf({ ...failure, ...change }, []).signature;
const said = (message: string) => signature({ message });

const FAST_CHECK = (seed: number, path: string, example: string, shrunk: number, line: number) =>
  `Property failed after ${shrunk} tests
{ seed: ${seed}, path: "${path}", endOnFailure: true }
Counterexample: ${example}
Shrunk ${shrunk} time(s)

Got AssertionError: expected ${line} to be ${line + 1}
    at /tmp/w-${seed}/test/stack.test.ts:${line}:7
    at Property.predicate (file:///home/me/node_modules/fast-check/lib/property.js:${line}:12)`;

describe("a signature does not change with", () => {
  test.each([
    ["numbers", "expected 3 to be 4", "expected -17.5e3 to be 1_000"],
    ["big integers", "expected 3n", "expected 123456789n"],
    ["how many numbers there are", "expected [1, 2, 3]", "expected [7]"],
    ["line numbers", "stack.test.ts:14:3 failed", "stack.test.ts:9:121 failed"],
    ["line numbers in words", "fails on line 3, in pop", "fails on line 312, in pop"],
    ["paths", "cannot find /tmp/a/b.ts", "cannot find /home/you/very/deep/c.ts"],
    ["relative paths", "in src/a.ts here", "in ../../lib/b.test.ts here"],
    ["paths of Windows", "in C:\\work\\a.ts here", "in D:\\b.ts here"],
    ["file addresses", "at file:///w/a.ts:3:4 here", "at file:///x/y/b.ts:30:1 here"],
    ["paths with numbers", "in /w/12/a.ts:3:4.", "in /w/7/8/9/b.ts:44:12."],
    ["timings", "timed out in 5000ms", "timed out in 12.5 s"],
    ["timings in words", "took 3 seconds", "took 2 minutes"],
    ["hex ids", "object 0x7ffe12 leaked", "object 0xA0 leaked"],
    ["commit ids", "at commit 5d7cff1", "at commit 0123456789abcdef0123456789abcdef01234567"],
    ["run ids", "run 3b241101-e2bb-4255-8caf-4136c566a962", "run 9f8e7d6c-1234-4abc-9def-000000000001"],
    ["white space", "a  b\r\n\tc", " a b c "],
    ["the stack", "boom\n    at f (a.ts:1:2)\n    at g (b.ts:3:4)", "boom\n    at h (c.ts:9:9)"],
    [
      "all of a property's report",
      FAST_CHECK(-1, "0:1:1", '[[1,2],"x"]', 3, 4),
      FAST_CHECK(977, "12", "[]", 1, 880),
    ],
  ])("%s", (_, before, after) => {
    expect(said(after)).toBe(said(before));
  });

  test("the values beside the message, and the functions", () => {
    const values = { counterexample: "[0]", expected: "1", actual: "2" };
    expect(signature(values)).toBe(signature({ counterexample: "['a',9]" }));
    expect(patternOf(failure, ["push"]).signature).toBe(patternOf(failure, ["pop"]).signature);
  });
});

describe("a signature changes with", () => {
  test.each([
    ["the error class", "TypeError: boom", "RangeError: boom"],
    ["a plain error against a class", "Error: boom", "TypeError: boom"],
    ["an error class that holds a number", "Http404Error: boom", "Http500Error: boom"],
    ["an error class behind a path", "pkg/errors.ParseError", "pkg/errors.StateError"],
    ["the wording", "expected a sorted list", "expected a shorter list"],
    ["a name with digits", "sha256 is missing", "sha512 is missing"],
    ["a word of hex letters", "a facade here", "a decade here"],
    ["a name in quotes", "reading 'length'", "reading 'size'"],
    ["a line that starts with at", "at least one entry", "at most one entry"],
  ])("%s", (_, before, after) => {
    expect(said(after)).not.toBe(said(before));
  });

  test("the property, also by a number in its name, and the type", () => {
    const others: Partial<StructuredFailure>[] = [
      { propertyName: "case 1" },
      { propertyName: "case 2" },
      { failureType: "ExceptionThrown" },
      {},
    ];
    expect(new Set(others.map(signature)).size).toBe(others.length);
  });

  test("nothing can move text between property and message", () => {
    expect(signature({ propertyName: "a", message: "b c" })).not.toBe(
      signature({ propertyName: "a b", message: "c" }),
    );
  });
});

describe("patternOf", () => {
  test("gives a first occurrence, each function once", () => {
    const pattern = patternOf(failure, ["push", "pop", "push"]);
    expect(pattern).toMatchObject({
      affectedFns: ["push", "pop"],
      category: "PropertyFailed",
      occurrences: 1,
    });
    expect(parse(FailurePattern, pattern).kind).toBe("ok");
  });

  test("survives any message, broken characters too", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xff_ff)), (units) => {
        expect(said(`${String.fromCharCode(...units)}\uD800`)).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });

  test.each(["a", "1", "f0", "/", "a/", "\\", ":", "- ", " \n", "<n> ", "1, ", "0x", "Error", "a:"])(
    "takes linear time on a huge message of %j",
    (unit) => {
      const started = performance.now();
      said(`${unit.repeat(100_000)}!`);
      expect(performance.now() - started).toBeLessThan(1_000);
    },
  );
});

const signatures = ["a", "b", "c", "d"].map((letter) => letter.repeat(64));
const anyPattern: fc.Arbitrary<FailurePattern> = fc.record({
  signature: fc.constantFrom(...signatures),
  affectedFns: fc.uniqueArray(fc.constantFrom("f", "g", "h", "__proto__")),
  category: fc.constantFrom(...FailureType.options),
  occurrences: fc.integer({ min: 1, max: 5 }),
});
const anyPatterns = fc.array(anyPattern, { maxLength: 6 });

describe("mergePatterns", () => {
  test("adds up, unites and keeps the order, whatever is merged", () => {
    fc.assert(
      fc.property(anyPatterns, anyPatterns, (seen, fresh) => {
        const merged = mergePatterns(seen, fresh);
        const all = [...seen, ...fresh];
        const order = all
          .map((pattern) => pattern.signature)
          .filter((own, at, list) => list.indexOf(own) === at);
        expect(merged.map((pattern) => pattern.signature)).toEqual(order);
        for (const pattern of merged) {
          const alike = all.filter((other) => other.signature === pattern.signature);
          expect(pattern.occurrences).toBe(alike.map((other) => other.occurrences).reduce((a, b) => a + b));
          expect(pattern.affectedFns).toEqual([...new Set(alike.flatMap((other) => other.affectedFns))]);
          expect(pattern.category).toBe(alike[0]?.category);
        }
      }),
    );
  });

  test("changes none of its arguments", () => {
    const seen = [patternOf(failure, ["f"])];
    mergePatterns(seen, [patternOf(failure, ["g"])]);
    expect(seen).toEqual([patternOf(failure, ["f"])]);
  });
});

test("a pattern is stuck at its third occurrence, unless told otherwise", () => {
  const patterns = [1, 2, 3, 4].map((occurrences) => ({ ...patternOf(failure, []), occurrences }));
  expect(stuckPatterns(patterns).map((pattern) => pattern.occurrences)).toEqual([3, 4]);
  expect(stuckPatterns(patterns, 2).map((pattern) => pattern.occurrences)).toEqual([2, 3, 4]);
  expect(stuckPatterns([])).toEqual([]);
});

test("three runs with the same failure and other values are stuck", () => {
  const runs = [4, 81, 7].map((n) => [patternOf({ ...failure, message: `expected ${n}` }, ["push"])]);
  const seen = runs.reduce((before, fresh) => mergePatterns(before, fresh), []);
  expect(stuckPatterns(seen)).toHaveLength(1);
});

test("the records refuse what is not there", () => {
  expect(parse(StructuredFailure, { ...failure, propertyName: " " }).kind).toBe("invalid");
  expect(parse(StructuredFailure, { ...failure, failureType: "UndefinedHit" }).kind).toBe("invalid");
  expect(parse(StructuredFailure, { ...failure, message: "" }).kind).toBe("ok");
  expect(parse(FailurePattern, { ...patternOf(failure, []), occurrences: 0 }).kind).toBe("invalid");
  expect(parse(FailurePattern, { ...patternOf(failure, []), occurrences: 1.5 }).kind).toBe("invalid");
});

test.each([
  ["StructuredFailure", StructuredFailure],
  ["FailurePattern", FailurePattern],
])("%s converts to JSON Schema and holds no open object", (_, schema) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
  expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
});
