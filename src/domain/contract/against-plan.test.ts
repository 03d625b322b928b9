// A contract that says less than its plan is told what is missing; one that says it in other words, or says more, is not.
import { describe, expect, test } from "vitest";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import { leftOutOfPlan } from "./against-plan.ts";
import type { MicroModuleContract } from "./contract.ts";

/** `(title: string, limit: number) => string`, which throws EmptyTitle. */
function contractWith(change: Partial<MicroModuleContract> = {}): MicroModuleContract {
  const contract = slugifyContract();
  const [entry] = contract.entry_points;
  if (entry === undefined) throw new Error("the sample has an entry point");
  return {
    ...contract,
    inputs: [
      { name: "title", type: "string", constraints: [] },
      { name: "limit", type: "number", constraints: [] },
    ],
    outputs: [{ name: "slug", type: "string", invariants: [] }],
    error_surfaces: [{ name: "EmptyTitle", when: "the title is blank", surface: "exception" }],
    entry_points: [{ ...entry, signature: "(title: string, limit: number) => string" }],
    ...change,
  };
}

const PLAN = {
  inputs: ["title: string", "limit: number, at least 1"],
  outputs: ["slug: string"],
  error_surfaces: ["EmptyTitle when the title is blank"],
};

const ONE_INPUT = {
  inputs: [{ name: "title", type: "string", constraints: [] }],
  entry_points: withSignature("(title: string) => string"),
};

function withSignature(signature: string): MicroModuleContract["entry_points"] {
  return contractWith().entry_points.map((entry) => ({ ...entry, signature }));
}

function output(type: string): Partial<MicroModuleContract> {
  return { outputs: [{ name: "slug", type, invariants: [] }] };
}

describe("is told", () => {
  test.each<[string, Partial<MicroModuleContract>, Partial<typeof PLAN>, string]>([
    ["an input that is gone", ONE_INPUT, {}, "inputs: the plan has limit,"],
    [
      "an input of a line that has several",
      ONE_INPUT,
      { inputs: ["title: string, limit: number"] },
      "inputs: the plan has limit,",
    ],
    ["an output that may be anything", output("unknown"), {}, "outputs: the plan says that slug is string,"],
    [
      "an output that may be something else",
      output("string | object"),
      {},
      "outputs: the plan says that slug is string,",
    ],
    ["an output that is gone", { outputs: [] }, {}, "outputs: the plan has slug,"],
    ["an error that is gone", { error_surfaces: [] }, {}, "error_surfaces: the plan declares EmptyTitle,"],
    [
      "an error in the place of another",
      { error_surfaces: [{ name: "NeverThrown", when: "the moon is full", surface: "exception" }] },
      {},
      "error_surfaces: the plan declares EmptyTitle,",
    ],
    [
      "the second of two errors",
      {},
      { error_surfaces: ["EmptyTitle when the title is blank; BadLimit if it is below 1"] },
      "error_surfaces: the plan declares BadLimit,",
    ],
  ])("%s", (_, change, plan, message) => {
    const told = leftOutOfPlan(contractWith(change), { ...PLAN, ...plan });
    expect(told.map((each) => each.slice(0, message.length))).toEqual([message]);
  });
});

describe("is not told of", () => {
  test.each<[string, Partial<MicroModuleContract>, Partial<typeof PLAN>]>([
    ["a contract that is what was planned", {}, {}],
    [
      "an input under another name",
      { inputs: [{ name: "text", type: "string", constraints: [] }, ...contractWith().inputs.slice(1)] },
      {},
    ],
    [
      "inputs that have become one",
      {
        inputs: [{ name: "request", type: "{ title: string; limit: number }", constraints: [] }],
        entry_points: withSignature("(request: { title: string; limit: number }) => string"),
      },
      {},
    ],
    [
      "what goes beyond the plan",
      { outputs: [...contractWith().outputs, { name: "wasCut", type: "boolean", invariants: [] }] },
      {},
    ],
    [
      "an error that is one case of another",
      { error_surfaces: [{ name: "BadInput", when: "EmptyTitle: the title is blank", surface: "variant" }] },
      {},
    ],
    [
      "prose that names nothing",
      { error_surfaces: [] },
      {
        inputs: ["a title"],
        outputs: ["a slug"],
        error_surfaces: ["The title is blank", "GitHub cannot be reached", "HTTP errors"],
      },
    ],
    ["none", { inputs: [], error_surfaces: [] }, { inputs: ["none"], error_surfaces: ["none"] }],
    [
      "what is said of a value",
      ONE_INPUT,
      { inputs: ["title: string, default: none, example: a title; max: 80"] },
    ],
    ["a part of what is there", {}, { inputs: ["title.text: string", "limit: number"] }],
    [
      "inputs that are called by the function that takes them",
      {
        inputs: ["slugify.title", "slugify.limit"].map((name) => ({ name, type: "string", constraints: [] })),
      },
      { inputs: ["slugify.title: string", "slugify.limit: string"] },
    ],
    ["commas inside of a type", ONE_INPUT, { inputs: ["title: Map<string, { limit: number, of: string }>"] }],
  ])("%s", (_, change, plan) => {
    expect(leftOutOfPlan(contractWith(change), { ...PLAN, ...plan })).toEqual([]);
  });
});
