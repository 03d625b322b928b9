import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { checkClaim, Claim, ClaimCheck, type GroundTruth } from "./claim.ts";

const truth: GroundTruth = {
  source: "compiler",
  tests: [
    { name: "pop undoes push", calls: ["push", "pop"] },
    { name: "asserts nothing", calls: [] },
    { name: "twice", calls: ["push", "pop"] },
    { name: "twice", calls: ["pop"] },
  ],
  functions: [
    { name: "push", isStub: true },
    { name: "pop", isStub: false },
  ],
};

describe("checkClaim", () => {
  test("a class is called by its name where its constructor is meant", () => {
    const made: GroundTruth = {
      source: "compiler",
      tests: [{ name: "grows", calls: ["Plant.constructor", "Plant.grow"] }],
      functions: [
        { name: "Plant.constructor", isStub: false },
        { name: "Plant.grow", isStub: true },
      ],
    };
    const against = (claim: Claim) => checkClaim(claim, made).against;
    expect(against({ kind: "complete", functions: ["Plant", "Plant.grow"] })).toEqual([]);
    expect(against({ kind: "complete", functions: ["Plant.grow"] })).toEqual([
      "Plant.constructor was not declared",
    ]);
    expect(against({ kind: "calls", test: "grows", targets: ["Plant"] })).toEqual([]);
    expect(against({ kind: "exists", function: "Plant" })).toEqual([]);
    expect(against({ kind: "stub", function: "Plant" })).toEqual(["Plant has a body"]);
    expect(against({ kind: "exists", function: "Plan" })).toEqual(["there is no function Plan"]);
  });

  test.each<[string, Claim, string[], string[]]>([
    [
      "a test that calls its targets",
      { kind: "calls", test: "pop undoes push", targets: ["pop"] },
      ["push", "pop"],
      [],
    ],
    [
      "a test that misses one",
      { kind: "calls", test: "pop undoes push", targets: ["pop", "peek"] },
      ["push", "pop"],
      ["pop undoes push does not call peek"],
    ],
    [
      "a test that calls nothing",
      { kind: "calls", test: "asserts nothing", targets: ["push", "pop"] },
      [],
      ["asserts nothing does not call push", "asserts nothing does not call pop"],
    ],
    [
      "a test that is not there",
      { kind: "calls", test: "constructor", targets: ["push"] },
      [],
      ["there is no test constructor"],
    ],
    [
      "a name that two tests share, where one misses",
      { kind: "calls", test: "twice", targets: ["push"] },
      ["push", "pop"],
      ["twice does not call push"],
    ],
    ["a function that exists", { kind: "exists", function: "push" }, ["push"], []],
    [
      "a function that does not",
      { kind: "exists", function: "__proto__" },
      [],
      ["there is no function __proto__"],
    ],
    ["a stub", { kind: "stub", function: "push" }, ["push"], []],
    ["a stub with a body", { kind: "stub", function: "pop" }, ["pop"], ["pop has a body"]],
    ["a stub that is not there", { kind: "stub", function: "peek" }, [], ["there is no function peek"]],
    ["a complete list", { kind: "complete", functions: ["pop", "push"] }, ["push", "pop"], []],
    [
      "a list that hides one",
      { kind: "complete", functions: ["push"] },
      ["push", "pop"],
      ["pop was not declared"],
    ],
    [
      "a list that invents one",
      { kind: "complete", functions: ["push", "pop", "peek"] },
      ["push", "pop"],
      ["there is no function peek"],
    ],
  ])("%s", (_, claim, found, against) => {
    const check = checkClaim(claim, truth);
    const outcome = against.length === 0 ? "HOLDS" : "REFUTED";
    expect(check).toEqual({ claim, outcome, source: "compiler", found, against });
    expect(parse(ClaimCheck, check).kind).toBe("ok");
  });

  test("against an empty truth, no claim holds", () => {
    const nothing: GroundTruth = { source: "language-server", tests: [], functions: [] };
    const claims: Claim[] = [
      { kind: "calls", test: "t", targets: ["f"] },
      { kind: "exists", function: "f" },
      { kind: "stub", function: "f" },
      { kind: "complete", functions: ["f"] },
    ];
    for (const claim of claims) expect(checkClaim(claim, nothing).outcome).toBe("REFUTED");
  });
});

test.each([
  ["to call nothing", { kind: "calls", test: "t", targets: [] }],
  ["that nothing is everything", { kind: "complete", functions: [] }],
  ["of an unknown kind", { kind: "works", function: "f" }],
  ["about a blank name", { kind: "exists", function: " " }],
])("a claim %s is refused", (_, claim) => {
  expect(parse(Claim, claim).kind).toBe("invalid");
});

test.each([["ClaimCheck", ClaimCheck]])(
  "%s converts to JSON Schema and holds no open object",
  (_, schema) => {
    const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
    expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
  },
);
