// Applying amendments may change what they name and what hangs on it; whatever else was debated is still there afterwards.
import { describe, expect, test } from "vitest";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import type { MicroModuleContract } from "../contract/contract.ts";
import { beyondAmendments } from "./beyond-amendments.ts";

type Change = (contract: MicroModuleContract) => void;

function told(target: string, change: Change): string[] {
  const after = slugifyContract();
  change(after);
  return beyondAmendments([{ target }], slugifyContract(), after);
}

/** What the Arbiter asked for in each case, and was given. */
const TAGGED: Change = (contract) => contract.tags.push("seo");

const weaker: Change = ({ predicates }) =>
  Object.assign(predicates[2] ?? {}, { expr: 'typeof result === "string"' });

describe("is told", () => {
  test.each<[string, Change, string]>([
    [
      "a promise that is gone with what decides it",
      ({ outputs, predicates }) => {
        outputs[0]?.invariants.splice(0);
        predicates.splice(2, 1);
      },
      '"matches [a-z0-9-]+" of the output slug is gone',
    ],
    ["a promise that something weaker decides", weaker, 'what decides "matches [a-z0-9-]+" of slugify'],
    [
      "an error that is gone",
      ({ error_surfaces, entry_points, predicates }) => {
        error_surfaces.splice(0);
        entry_points[0]?.errors.splice(0);
        predicates.splice(3, 1);
      },
      "the error EmptyTitle when title is empty is gone",
    ],
    [
      "an effect that nobody asked for",
      ({ effects }) => effects.push({ type: "CLOCK", target: "now", description: "reads the time" }),
      "the effect CLOCK now is new",
    ],
  ])("%s", (_, change, message) => {
    const lines = told("tags.2", (contract) => {
      TAGGED(contract);
      change(contract);
    });
    expect(lines[0]).toContain(message);
  });

  test("a limit that is gone", () => {
    const before = { ...slugifyContract(), runtime_budgets: { latency_ms_p95: 50 } };
    expect(beyondAmendments([{ target: "tags.2" }], before, slugifyContract())).toEqual([
      "latency_ms_p95 50 is gone",
    ]);
  });
});

describe("is not told of", () => {
  test.each<[string, string, Change]>([
    ["what was asked for alone", "tags.2", TAGGED],
    ["a promise that was amended, by its path", "outputs.0.invariants.0", weaker],
    ["a promise that was amended, by the name of its output", "slug", weaker],
    ["what decides a promise, where that was amended", "predicates.2.expr", weaker],
    [
      "the requirement that an amended error answers to",
      "EmptyTitle",
      ({ inputs, predicates, error_surfaces }) => {
        Object.assign(error_surfaces[0] ?? {}, { when: "title is blank" });
        inputs[0]?.constraints.splice(0, 1, "is not blank");
        Object.assign(predicates[0] ?? {}, { expr: 'args[0].trim() !== ""' });
      },
    ],
    [
      "an input that was added, with the signature that takes it and what is required of it",
      "limit",
      ({ inputs, entry_points: [entry], predicates }) => {
        inputs.push({ name: "limit", type: "number", constraints: ["is at least 1"] });
        entry?.inputs.push("limit");
        Object.assign(entry ?? {}, { signature: "(title: string, limit: number) => string" });
        predicates.push({
          id: "P5",
          of: "inputs.1.constraints.0",
          entry: "slugify",
          kind: "requires",
          expr: "args[1] >= 1",
        });
      },
    ],
    [
      "an effect that was asked for",
      "effects.0",
      ({ effects }) => effects.push({ type: "CLOCK", target: "now", description: "reads the time" }),
    ],
    [
      "another layout of what decides a promise",
      "tags.2",
      ({ predicates }) =>
        Object.assign(predicates[0] ?? {}, { expr: "args[0].length  >  0".replaceAll("  ", " ") }),
    ],
  ])("%s", (_, target, change) => {
    expect(told(target, change)).toEqual([]);
  });
});
