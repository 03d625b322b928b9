import { expect, test } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import {
  type ComplexityEntry,
  complexityFindings,
  ComplexityEntry as Entry,
  StaticFinding,
} from "./static-finding.ts";

const entry: ComplexityEntry = { function: "parse", file: "src/index.ts", line: 7, complexity: 10 };

test("a function may be as complex as the limit, and no more", () => {
  const findings = complexityFindings([entry, { ...entry, function: "walk", line: 40, complexity: 11 }], 10);
  expect(findings).toEqual([
    {
      rule: "complexity",
      file: "src/index.ts",
      line: 40,
      message: "walk has complexity 11, more than 10",
      severity: "error",
    },
  ]);
  expect(parse(z.array(StaticFinding), findings).kind).toBe("ok");
  expect(complexityFindings([], 10)).toEqual([]);
});

test.each<[string, z.ZodType, object]>([
  ["a finding on line 0", StaticFinding, { rule: "r", file: "f", line: 0, message: "m", severity: "error" }],
  [
    "a finding without a message",
    StaticFinding,
    { rule: "r", file: "f", line: 1, message: "", severity: "error" },
  ],
  [
    "a finding of unknown severity",
    StaticFinding,
    { rule: "r", file: "f", line: 1, message: "m", severity: "fatal" },
  ],
  ["a function without complexity", Entry, { ...entry, complexity: 0 }],
  ["a broken complexity", Entry, { ...entry, complexity: 1.5 }],
  ["a function on line 0", Entry, { ...entry, line: 0 }],
  ["a function between lines", Entry, { ...entry, line: 1.5 }],
  [
    "a finding between lines",
    StaticFinding,
    { rule: "r", file: "f", line: 1.5, message: "m", severity: "error" },
  ],
])("%s is refused", (_, schema, input) => {
  expect(parse(schema, input).kind).toBe("invalid");
});

test.each([
  ["StaticFinding", StaticFinding],
  ["Entry", Entry],
])("%s converts to JSON Schema and holds no open object", (_, schema) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
  expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
});
