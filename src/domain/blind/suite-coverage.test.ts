// Coverage follows from claims that were checked; whatever an agent says besides counts for nothing.
import { describe, expect, test } from "vitest";
import { checkClaim, type GroundTruth } from "../evidence/claim.ts";
import { NO_SPACES, SLUG_SPEC, specOf } from "./blind.suite.ts";
import { claimsOf, coverageOf, type PropertyWritten } from "./suite-coverage.ts";

const SPECS = [SLUG_SPEC, specOf("shorten")];

function written(change: Partial<PropertyWritten>): PropertyWritten {
  return { ...NO_SPACES, ...change };
}

const TRUTH: GroundTruth = {
  source: "compiler",
  tests: [
    { name: "has no spaces", calls: ["slugify"] },
    { name: "calls nothing", calls: [] },
  ],
  functions: [{ name: "slugify", isStub: true }],
};

function covered(properties: PropertyWritten[]) {
  return coverageOf(
    SPECS,
    properties,
    claimsOf(properties).map((claim) => checkClaim(claim, TRUTH)),
  );
}

test("a claim that holds covers its function, its sketch and its example", () => {
  expect(covered([written({})])).toEqual({
    functionsCovered: ["slugify"],
    functionsUncovered: ["shorten"],
    examplesCovered: 1,
    examplesTotal: 2,
    sketchesCovered: ["noSpaces"],
    sketchesUncovered: ["shortenHolds"],
  });
});

describe("nothing is covered by", () => {
  const nothing = { functionsCovered: [], sketchesCovered: [], examplesCovered: 0 };
  test.each([
    ["a test that does not exist", written({ name: "imagined" })],
    ["a test that calls nothing", written({ name: "calls nothing" })],
    ["a test that calls one function of two it claims", written({ targetFunctions: ["slugify", "shorten"] })],
  ])("%s", (_, property) => {
    expect(covered([property])).toMatchObject(nothing);
  });

  test("claims that nobody checked", () => {
    expect(coverageOf(SPECS, [written({})], [])).toMatchObject(nothing);
  });
});

test("a sketch is not covered by a test of another function, nor an example that does not exist", () => {
  const report = covered([written({ coversSketch: "shortenHolds", coversExamples: [7] })]);
  expect(report).toMatchObject({ sketchesCovered: [], examplesCovered: 0, functionsCovered: ["slugify"] });
});
