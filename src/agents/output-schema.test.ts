import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { arbiterInput, proposerInput } from "../../test/agent-samples.ts";
import { RubricId } from "../domain/debate/rubric.ts";
import { adaptSchema, answerSchema, parseAnswer } from "./output-schema.ts";
import type { RoleDefinition } from "./port.ts";
import { arbiter } from "./roles/arbiter.ts";
import { challenger } from "./roles/challenger.ts";
import { defineRole } from "./roles/define-role.ts";
import { proposer } from "./roles/proposer.ts";

const ROLES: RoleDefinition[] = [proposer, challenger, arbiter, { ...proposer, retries: true }];
const PROPOSED = { claim: "done", acceptance_checks: ["`a`: shown"], applied_amendments: [] };
const BLOCKER = {
  kind: "blocker",
  why: "the contract contradicts itself",
  needs: ["a decision about inputs.0"],
};
const RETRY = { kind: "request_retry", why: "one test fails", strategy: "read the contract again" };

/** What the strict modes of the providers take, together. */
const TAKEN = new Set(
  "$schema title description type enum const properties required additionalProperties items anyOf".split(" "),
);

describe("the schema that runtimes get", () => {
  test.each(ROLES)("of the $name compiles, has a title and holds only what providers take", (role) => {
    const { schema } = adaptSchema(answerSchema(role));
    const validate = new Ajv2020({ strict: true, strictTypes: false }).compile({ ...schema });
    expect(schema).toMatchObject({
      title: `${role.name}_answer`,
      type: "object",
      $schema: expect.stringContaining("2020-12"),
    });
    expect(validate({ answer: BLOCKER })).toBe(true);
    expect(validate({ answer: { ...BLOCKER, more: 1 } })).toBe(false);
    expect(validate({ answer: RETRY })).toBe(role.retries === true);
    checkNode(schema);
  });

  test("tells in words what it cannot check, and says what was lost", () => {
    const schema = z.strictObject({
      name: z.string().min(3).describe("A name."),
      list: z.array(z.int().min(1)).max(4),
      day: z.iso.date(),
    });
    const { schema: adapted, lost } = adaptSchema(z.toJSONSchema(schema));
    expect(adapted).toMatchObject({
      properties: {
        name: { type: "string", description: "A name. (at least 3 characters)" },
        list: { description: "At most 4 entries.", items: { type: "integer", description: "At least 1." } },
      },
    });
    expect(lost.map(({ path, keyword }) => `${path} ${keyword}`)).toEqual([
      "$.name minLength",
      "$.list maxItems",
      "$.list[0] minimum",
      "$.day format",
      "$.day pattern",
    ]);
  });

  test("makes a key that may be left out one that may be null, and closes what is open", () => {
    const { schema, lost } = adaptSchema(z.toJSONSchema(z.looseObject({ a: z.string().optional() })));
    expect(schema).toMatchObject({
      required: ["a"],
      additionalProperties: false,
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
    });
    expect(lost.map(({ keyword }) => keyword)).toEqual(["additionalProperties", "optional"]);
  });
});

describe("a role is refused when it is defined", () => {
  const role = {
    name: "proposer",
    purpose: "a role for this test",
    input: z.strictObject({ a: z.string() }),
    output: z.strictObject({ b: z.string() }),
    tools: [],
    tier: "small",
  } as const;

  test.each<[string, () => unknown, string]>([
    [
      "with an output that may lack a key",
      () => defineRole({ ...role, output: z.strictObject({ b: z.string().optional() }) }),
      "open at $.answer.b: optional",
    ],
    [
      "with an open output",
      () => defineRole({ ...role, output: z.looseObject({ b: z.string() }) }),
      "open at $.answer: additionalProperties",
    ],
    [
      "with a record for an output",
      () => defineRole({ ...role, output: z.strictObject({ b: z.record(z.string(), z.string()) }) }),
      "open at $.answer.b",
    ],
    [
      "with an output that has a kind",
      () => defineRole({ ...role, output: z.strictObject({ kind: z.string() }) }),
      'has a key "kind"',
    ],
    [
      "with an input called as one of ours",
      () => defineRole({ ...role, input: z.strictObject({ tools: z.string() }) }),
      "two meanings for tools",
    ],
    ["with a fact called as an input", () => defineRole({ ...role, facts: { a: 1 } }), "two meanings for a"],
  ])("%s", (_, define, message) => {
    expect(define).toThrow(message);
  });

  test("and accepted otherwise", () => {
    expect(defineRole(role)).toBe(role);
  });
});

describe("an answer", () => {
  test.each<[string, unknown, object]>([
    ["the work", { answer: PROPOSED }, { kind: "output", output: PROPOSED }],
    ["a blocker", { answer: BLOCKER }, { kind: "blocker", blocker: BLOCKER }],
  ])("is %s", (_, given, value) => {
    expect(proposed(given)).toEqual({ kind: "ok", value });
  });

  test("is a request for another attempt only from roles that may ask", () => {
    expect(proposed({ answer: RETRY }, { ...proposer, retries: true })).toMatchObject({
      value: { kind: "request_retry" },
    });
    expect(proposed({ answer: RETRY }).kind).toBe("invalid");
  });

  test.each<[string, unknown, string]>([
    ["no object", "done", "$"],
    ["without its key", PROPOSED, "$.answer"],
    ["with another key", { answer: PROPOSED, note: "" }, "$.note"],
    ["with an empty claim", { answer: { ...PROPOSED, claim: " " } }, "$.answer.claim"],
    ["with a blocker that needs nothing", { answer: { ...BLOCKER, needs: [] } }, "$.answer.needs"],
    ["half blocker, half work", { answer: { ...BLOCKER, ...PROPOSED } }, "$.answer.claim"],
    [
      "about an amendment that nobody asked for",
      { answer: { ...PROPOSED, applied_amendments: [{ amendment_index: 0, applied: true, note: "" }] } },
      "$.answer.applied_amendments",
    ],
  ])("is refused %s, with the place", (_, given, path) => {
    const parsed = proposed(given);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  test("of the challenger keeps the rules of a challenge", () => {
    const rubric_assessments = RubricId.options.map((criterion) => ({
      criterion,
      assessment: "NOT_MET",
      evidence: "x",
    }));
    const parsed = challenger.output.safeParse({ verdict: "PASS", failures: [], rubric_assessments });
    expect(parsed.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([
      "verdict: FAIL, because R1, R2, R3, R4, R5, R6 is NOT_MET",
    ]);
  });

  test("of the arbiter is one of the decisions that are open", () => {
    const given = {
      answer: { rationale: "all falls", decision: "APPROVE", amendments: [], ship_directive: "SHIP" },
    };
    expect(parseAnswer(arbiter, arbiterInput(), given)).toMatchObject({
      problems: [
        { path: "$.answer.decision", expected: "one of APPROVE_WITH_AMENDMENTS, REJECT", found: "APPROVE" },
      ],
    });
    expect(parseAnswer(arbiter, arbiterInput({ decisions_open: ["APPROVE"] }), given).kind).toBe("ok");
  });
});

test("an answer that nobody could read is sent back", () => {
  const rationale = "x".repeat(2_000_001);
  const answer = { rationale, decision: "APPROVE", amendments: [], ship_directive: "SHIP" };
  expect(parseAnswer(arbiter, arbiterInput({ decisions_open: ["APPROVE"] }), { answer })).toMatchObject({
    problems: [{ path: "$.answer", expected: expect.stringContaining("at most 2000000 characters") }],
  });
});

function checkNode(node: unknown): void {
  if (Array.isArray(node)) {
    for (const inner of node) checkNode(inner);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  for (const [keyword, value] of Object.entries(node)) {
    expect(TAKEN).toContain(keyword);
    if (keyword === "properties") for (const inner of Object.values(Object(value))) checkNode(inner);
    else if (keyword === "items" || keyword === "anyOf") checkNode(value);
  }
  if ("type" in node && node.type === "object")
    expect(node).toMatchObject({
      additionalProperties: false,
      required: Object.keys(Object("properties" in node ? node.properties : {})),
    });
}

function proposed(given: unknown, role: typeof proposer = proposer) {
  return parseAnswer(role, proposerInput(), given);
}
