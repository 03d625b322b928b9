// What comes back is what the plan and the rest of the contract say; how that is spelled is left to whoever drafts.
import { describe, expect, test } from "vitest";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import { widerThanOutputs, widerThanPlanned } from "./result-types.ts";

function againstPlan(planned: string, type: string): string[] {
  return widerThanPlanned({ outputs: [{ name: "slug", type, invariants: [] }] }, [planned]);
}

function againstOutputs(
  type: string,
  signature: string,
  surface: "exception" | "variant" = "exception",
): string[] {
  const { entry_points, error_surfaces } = slugifyContract();
  return widerThanOutputs({
    outputs: [{ name: "slug", type, invariants: [] }],
    error_surfaces: error_surfaces.map((error) => ({ ...error, surface })),
    entry_points: entry_points.map((entry) => ({ ...entry, signature })),
  });
}

describe("against the plan", () => {
  test.each([
    ["slug: string", "unknown", "unknown"],
    ["slug: string", "string | object", "object"],
    ["slug: string", "string | number", "number"],
    ["slug: string", "Promise<string | {}>", "{}"],
    ["slug: string[]", "string", "string"],
  ])("%s is not %s", (planned, type, other) => {
    expect(againstPlan(planned, type)).toEqual([
      `outputs: the plan says that slug is ${planned.slice(6)}, and by the contract it may be ${other}`,
    ]);
  });

  test.each([
    ["slug: string", "string"],
    ["slug: string", "string | null"],
    ["slug: string", "Promise<string>"],
    ["slug: string", "Promise<string | undefined>"],
    ["slug: string", "Slug"],
    ["slug: string", '"a" | "b"'],
    ["slug: string[]", "ReadonlyArray<string>"],
    ["slug: text of at most 80 letters", "unknown"],
    ["title: string", "unknown"],
  ])("%s may well be %s", (planned, type) => {
    expect(againstPlan(planned, type)).toEqual([]);
  });
});

describe("against its outputs", () => {
  test.each([
    ["string", "(title: string) => unknown", "unknown"],
    ["Slug", "(title: string) => object", "object"],
    ["string", "(title: string) => string | number", "number"],
    ["string", "(title: string) => Promise<any>", "any"],
  ])("%s is not what comes of %s", (type, signature, other) => {
    expect(againstOutputs(type, signature)).toEqual([
      `slugify: by its signature ${other} may come back, and its outputs are ${type.toLowerCase()}`,
    ]);
  });

  test.each([
    ["string", "(title: string) => string"],
    ["string", "(title: string) => Promise<string>"],
    ["Slug", "(title: string) => string"],
    ["string", "(title: string) => string | undefined"],
    ["readonly string[]", "(title: string) => Array<string>"],
    ["unknown", "(title: string) => unknown"],
    ["string", "<T extends string>(title: T) => T"],
    ["string", "new (title: string) => Slug"],
  ])("%s may well be what comes of %s", (type, signature) => {
    expect(againstOutputs(type, signature)).toEqual([]);
  });

  test("an error that comes back is another thing than an output", () => {
    expect(againstOutputs("string", "(title: string) => string | number", "variant")).toEqual([]);
  });
});
