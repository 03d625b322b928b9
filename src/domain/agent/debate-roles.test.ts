import { describe, expect, test } from "vitest";
import { arbiterInput, challenge, challengerInput, proposerInput } from "../../../test/agent-samples.ts";
import { parse } from "../parse.ts";
import {
  ArbiterInput,
  ArbiterOutput,
  ChallengerInput,
  ChallengerOutput,
  ProposerInput,
} from "./debate-roles.ts";

const FAILURE = { invariant: "R2", evidence: "none", required_change: "add the test of a blank title" };
const AMENDMENT = {
  action: "ADD",
  target: "`rejects a blank title`",
  detail: "throws on an empty title",
} as const;

describe("what a proposer is given fits its phase", () => {
  test.each([
    proposerInput(),
    proposerInput({ phase: "revise", failures: [FAILURE] }),
    proposerInput({ phase: "revise", findings: ["surface: one entry point too many"] }),
    proposerInput({ phase: "amend", amendments: [AMENDMENT] }),
  ])("$phase", (input) => {
    expect(parse(ProposerInput, input).kind).toBe("ok");
  });

  test.each([
    ["nothing to revise", proposerInput({ phase: "revise" }), "$.failures"],
    ["failures before there was anything", proposerInput({ failures: [FAILURE] }), "$.failures"],
    ["nothing to amend", proposerInput({ phase: "amend" }), "$.amendments"],
    ["amendments in another phase", proposerInput({ amendments: [AMENDMENT] }), "$.amendments"],
    ["the rubric", { ...proposerInput(), rubric: [] }, "$.rubric"],
  ])("refuses %s", (_, input, path) => {
    expect(parse(ProposerInput, input)).toMatchObject({ problems: [{ path }] });
  });
});

describe("the judges are given no source", () => {
  test.each(["implementation_source", "source", "workspace", "task_file"])(
    "the challenger never: %s",
    (key) => {
      expect(parse(ChallengerInput, challengerInput()).kind).toBe("ok");
      expect(parse(ChallengerInput, { ...challengerInput(), [key]: "x" }).kind).toBe("invalid");
    },
  );

  test.each(["implementation_source", "dependencies", "rubric", "evidence"])(
    "the arbiter never: %s",
    (key) => {
      expect(parse(ArbiterInput, arbiterInput()).kind).toBe("ok");
      expect(parse(ArbiterInput, { ...arbiterInput(), [key]: "x" }).kind).toBe("invalid");
    },
  );
});

describe("what they hand over keeps the rules of the whole record", () => {
  const { verdict, failures, rubric_assessments } = challenge;
  const judged = { verdict, failures, rubric_assessments };
  const decided = { rationale: "R2 stands", decision: "REJECT", amendments: [], ship_directive: "NO_SHIP" };

  test("and nothing else", () => {
    expect(parse(ChallengerOutput, judged)).toEqual({ kind: "ok", value: judged });
    expect(parse(ArbiterOutput, decided)).toEqual({ kind: "ok", value: decided });
  });

  test.each([
    [ChallengerOutput, { ...judged, failures: [] }, "$.failures"],
    [ChallengerOutput, { ...judged, verdict: "PASS" }, "$.verdict"],
    [ChallengerOutput, { ...judged, challenge_id: "CHAL-0a1b2c3d" }, "$.challenge_id"],
    [ChallengerOutput, { ...judged, rubric_assessments: [] }, "$.rubric_assessments"],
    [ArbiterOutput, { ...decided, ship_directive: "SHIP" }, "$.ship_directive"],
    [ArbiterOutput, { ...decided, amendments: [AMENDMENT] }, "$.amendments"],
    [ArbiterOutput, { ...decided, decision: "MAYBE" }, "$.decision"],
  ])("%#: is refused", (schema, output, path) => {
    const parsed = parse(schema, output);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });
});
