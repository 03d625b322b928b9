// The physics of the gatekeeper protocol: every way has an end, no branch is dead, and what the matrix does not allow is refused.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONDITIONS, EVERY_FACT, holds, type Condition } from "./conditions.ts";
import { checkMatrix } from "./matrix-check.ts";
import { dispatchOf, openedWork, transition } from "./transition.ts";
import { type Standing, TRANSITION_MATRIX, type TransitionMatrix } from "./transition-matrix.ts";
import { attemptsOf, MAX_ATTEMPTS, nodeOf, WorkGraph, WorkNodeType } from "./work-graph.ts";

function after(...steps: [WorkNodeType, (typeof EVERY_FACT)[number]][]): WorkGraph {
  return steps.reduce((graph, [type, facts]) => {
    const moved = transition(graph, type, facts);
    if (moved.kind === "refused") throw new Error(moved.why);
    return moved.graph;
  }, openedWork());
}

const RESEARCHED: [WorkNodeType, (typeof EVERY_FACT)[number]][] = [["RESEARCH", { research: "sound" }]];
const SPECIFIED: typeof RESEARCHED = [...RESEARCHED, ["SPEC", { spec: "sound" }]];
const BUILT: typeof RESEARCHED = [...SPECIFIED, ["CODE", { code: "delivered" }]];
const TESTED: typeof RESEARCHED = [...BUILT, ["TEST_SUITE", { suite: "delivered" }]];
const REVISED: typeof RESEARCHED = [
  ["CODE", { verdict: "NEEDS_REVISION" }],
  ["CODE", { code: "delivered" }],
];

function without(standing: Standing): TransitionMatrix {
  const { [standing]: _, ...others } = TRANSITION_MATRIX;
  return others;
}

describe("the matrix", () => {
  test("has no problem, and every way ends with CODE VERIFIED, FAILED or before there is any", () => {
    const { problems, looked, endings } = checkMatrix();
    expect(problems).toEqual([]);
    expect(endings).toEqual(["FAILED", "VERIFIED", "none"]);
    expect(looked).toBeGreaterThan(100);
  });

  test("in which research leads to no architect is found to be dead", () => {
    expect(checkMatrix(without("RESEARCH:VERIFIED")).problems).toContain(
      "RESEARCH VERIFIED is a dead branch: nothing follows from it",
    );
  });

  test.each<[Standing, RegExp]>([
    ["REQ:PENDING", /REQ PENDING is a dead branch/],
    ["SPEC:VERIFIED", /SPEC VERIFIED is a dead branch/],
    ["CODE:TESTED", /dead branch/],
    ["TEST_SUITE:PENDING", /dead branch/],
    ["CODE:VERIFIED", /nothing uses door_barred/],
    ["CODE:FAILED", /nothing uses OVERRIDES/],
  ])("without its rules for %s is found to be wrong", (standing, problem) => {
    expect(checkMatrix(without(standing)).problems.join("\n")).toMatch(problem);
  });

  test("that lets two rules hold at once, or sends two to one place, is found to be wrong", () => {
    const [first] = TRANSITION_MATRIX["RESEARCH:PENDING"] ?? [];
    if (first === undefined) throw new Error("no rule");
    const twice = {
      ...TRANSITION_MATRIX,
      "RESEARCH:PENDING": [
        ...(TRANSITION_MATRIX["RESEARCH:PENDING"] ?? []),
        { ...first, to: "FAILED" as const },
      ],
    };
    const { problems } = checkMatrix(twice);
    expect(problems).toContain('RESEARCH PENDING could go two ways on {"research":"sound"}');
    expect(problems).toContain("RESEARCH FAILED is given to person and ");
  });
});

describe("conditions", () => {
  test("are closed names, each used by a rule and each with one evaluator", () => {
    const used = Object.values(TRANSITION_MATRIX).flatMap((rules) => rules.flatMap(({ when }) => when));
    expect([...new Set<string>(used)].toSorted()).toEqual([...CONDITIONS].toSorted());
    const all: Condition[] = used;
    for (const condition of all) expect(typeof holds(condition, openedWork(), "REQ", {})).toBe("boolean");
  });
});

describe("dispatch", () => {
  test.each<[string, typeof RESEARCHED, string]>([
    ["a requirement", [], "researcher RESEARCH"],
    ["research that stands", RESEARCHED, "architect SPEC"],
    ["a specification that stands", SPECIFIED, "builder CODE"],
    ["the first code", BUILT, "tester TEST_SUITE"],
    ["code and tests", TESTED, "harness CODE"],
    ["tests that are too weak", [...TESTED, ["TEST_SUITE", { suite: "refused" }]], "tester TEST_SUITE"],
    ["code that needs revision", [...TESTED, ["CODE", { verdict: "NEEDS_REVISION" }]], "builder CODE"],
    ["revised code: the tests are there already", [...TESTED, ...REVISED], "harness CODE"],
    ["tests that pass", [...TESTED, ["CODE", { verdict: "PASS" }]], "verifier CODE"],
    ["something critical", [...TESTED, ["CODE", { verdict: "FAIL" }]], "person CODE"],
    [
      "a verifier that approves",
      [...TESTED, ["CODE", { verdict: "PASS" }], ["CODE", { verifier: "approved" }]],
      "door CODE",
    ],
    ["a tester that gives up", [...BUILT, ["TEST_SUITE", { role: "gave_up" }]], "person CODE"],
  ])("after %s", (_, steps, sent) => {
    const dispatch = dispatchOf(after(...steps));
    expect(`${dispatch?.to} ${dispatch?.node}`).toBe(sent);
  });

  test("is derived from the matrix: another matrix sends others", () => {
    const other: TransitionMatrix = {
      ...TRANSITION_MATRIX,
      "REQ:PENDING": [
        {
          to: "PENDING",
          when: ["needs_research"],
          dispatches: null,
          creates: { type: "RESEARCH", status: "PENDING", dispatches: "person" },
        },
      ],
      "RESEARCH:PENDING": [],
    };
    expect(dispatchOf(openedWork(other), other)).toEqual({ to: "person", node: "RESEARCH" });
  });
});

describe("a transition", () => {
  test("that is not in the matrix is refused with words", () => {
    expect(transition(openedWork(), "CODE", { verdict: "PASS" })).toEqual({
      kind: "refused",
      why: "there is no CODE yet that could change",
    });
    expect(transition(after(...BUILT), "CODE", { verifier: "approved" })).toEqual({
      kind: "refused",
      why: "CODE TESTING goes nowhere on verifier approved",
    });
  });

  test("leaves TESTS and FEEDBACK behind", () => {
    const graph = after(...TESTED, ...REVISED, ["CODE", { verdict: "PASS" }]);
    expect(graph.edges.slice(-2)).toEqual([
      { type: "FEEDBACK", from: "TEST_SUITE", to: "CODE" },
      { type: "TESTS", from: "TEST_SUITE", to: "CODE" },
    ]);
    expect(nodeOf(graph, "TEST_SUITE")?.status).toBe("VERIFIED");
  });

  test("is possible three times, then it failed", () => {
    const third = after(...TESTED, ...REVISED, ...REVISED);
    expect(attemptsOf(third, "CODE")).toBe(MAX_ATTEMPTS);
    const moved = transition(third, "CODE", { verdict: "NEEDS_REVISION" });
    expect(moved.kind === "moved" && nodeOf(moved.graph, "CODE")?.status).toBe("FAILED");
  });

  test("after a person's word leaves nothing for anybody else to mend", () => {
    const failed = after(...TESTED, ["CODE", { verdict: "FAIL" }], ["CODE", { person: "fixed" }]);
    expect(dispatchOf(failed)).toEqual({ to: "harness", node: "CODE" });
    expect(nodeOf(failed, "REQ")?.status).toBe("PENDING");
    const again = transition(failed, "CODE", { verdict: "NEEDS_REVISION" });
    expect(again.kind === "moved" && dispatchOf(again.graph)).toEqual({ to: "person", node: "CODE" });
  });
});

test("whatever is seen in whatever order, the work stays a work, and nobody is asked more often than allowed", () => {
  const step = fc.tuple(fc.constantFrom(...WorkNodeType.options), fc.constantFrom(...EVERY_FACT));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let graph = openedWork();
      for (const [type, facts] of steps) {
        const moved = transition(graph, type, facts);
        if (moved.kind === "moved") graph = moved.graph;
        expect(WorkGraph.safeParse(graph).success).toBe(true);
        for (const each of WorkNodeType.options)
          expect(attemptsOf(graph, each)).toBeLessThanOrEqual(MAX_ATTEMPTS);
        const isDone = nodeOf(graph, "REQ")?.status === "VERIFIED";
        expect(dispatchOf(graph) !== undefined || isDone).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
