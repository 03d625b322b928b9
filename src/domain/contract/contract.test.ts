// A contract is accepted only when every name means one thing and every reference leads somewhere.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts, slugifyContract } from "../../../test/arbitraries/contract.ts";
import { parse, renderProblem } from "../parse.ts";
import { DIMENSIONS, MicroModuleContract } from "./contract.ts";

function problems(change: (contract: MicroModuleContract) => void): string[] {
  const contract = slugifyContract();
  change(contract);
  const parsed = parse(MicroModuleContract, contract);
  return parsed.kind === "ok" ? [] : parsed.problems.map(renderProblem);
}

test("arbitrary well-linked contracts are accepted", () => {
  fc.assert(
    fc.property(contracts(), (contract) => {
      expect(parse(MicroModuleContract, contract)).toMatchObject({ kind: "ok" });
    }),
  );
});

test.each(DIMENSIONS)("leaving out %s is refused: none is an empty list, not a missing one", (dimension) => {
  const { [dimension]: _, ...rest } = slugifyContract();
  const parsed = parse(MicroModuleContract, rest);
  expect(parsed).toMatchObject({ kind: "invalid", problems: [{ path: `$.${dimension}`, found: "nothing" }] });
});

describe("refusals", () => {
  const cases: [string, (contract: MicroModuleContract) => void, string][] = [
    [
      "an input twice",
      (c) => c.inputs.push({ name: "title", type: "string", constraints: [] }),
      '$.inputs[1]: expected a name that inputs[0] does not have, found "title" again',
    ],
    [
      "an effect twice",
      (c) => {
        c.effects = [1, 2].map((n) => ({ type: "WRITE", target: "cache", description: `${n}` }));
        c.entry_points[0]?.effects.push("WRITE cache");
      },
      '$.effects[1]: expected a name that effects[0] does not have, found "WRITE cache" again',
    ],
    [
      "an entry point with an input that the contract does not have",
      (c) => c.entry_points[0]?.inputs.push("colour"),
      `$.entry_points[0].inputs[1]: expected one of the contract's inputs: title, found "colour"`,
    ],
    [
      "an output that no entry point returns",
      (c) => c.outputs.push({ name: "length", type: "number", invariants: [] }),
      '$.entry_points: expected some entry point to list "length" among its outputs, found none that does',
    ],
    [
      "an effect that no entry point has",
      (c) => c.effects.push({ type: "WRITE", target: "cache", description: "keeps it" }),
      '$.entry_points: expected some entry point to list "WRITE cache" among its effects, found none that does',
    ],
    ...(["outputs", "error_surfaces", "entry_points", "predicates"] as const).map(
      (key): [string, (contract: MicroModuleContract) => void, string] => [
        `one of ${key} twice`,
        (c) => Object.assign(c, { [key]: [...c[key].slice(0, 1), ...c[key]] }),
        `$.${key}[1]: expected a name that ${key}[0] does not have, found "${nameIn(slugifyContract(), key)}" again`,
      ],
    ),
    [
      "an effect of an entry point where the contract has none",
      (c) => c.entry_points[0]?.effects.push("CLOCK now"),
      `$.entry_points[0].effects[0]: expected one of the contract's effects: none are declared, found "CLOCK now"`,
    ],
    [
      "a predicate path of another form",
      (c) => Object.assign(c.predicates[0] ?? {}, { of: "inputs.0" }),
      '$.predicates[0].of: expected a path such as inputs.0.constraints.1, outputs.0.invariants.0 or error_surfaces.0, found "inputs.0"',
    ],
    [
      "an input proven by a promise",
      (c) => Object.assign(c.predicates[0] ?? {}, { kind: "ensures" }),
      "$.predicates[0].kind: expected requires or throws for inputs.0.constraints.0, found ensures",
    ],
    [
      "no entry point",
      (c) => c.entry_points.splice(0),
      "$.entry_points: expected at least 1 entry, found []",
    ],
    [
      "a predicate of a constraint that is not there",
      (c) =>
        c.predicates.push({
          id: "P5",
          of: "inputs.0.constraints.9",
          entry: "slugify",
          kind: "requires",
          expr: "true",
        }),
      '$.predicates[4].of: expected the path of a constraint, invariant or error surface, found "inputs.0.constraints.9", which does not exist',
    ],
    [
      "a predicate of an entry point that is not there",
      (c) =>
        c.predicates.push({ id: "P5", of: "error_surfaces.0", entry: "slug", kind: "throws", expr: "true" }),
      '$.predicates[4].entry: expected one of the entry points: slugify, found "slug"',
    ],
    [
      "a promise about an output that is proven on the way in",
      (c) =>
        c.predicates.push({
          id: "P5",
          of: "outputs.0.invariants.0",
          entry: "slugify",
          kind: "requires",
          expr: "true",
        }),
      "$.predicates[4].kind: expected ensures for outputs.0.invariants.0, found requires",
    ],
    [
      "neither sync nor async",
      (c) => Object.assign(c.modes, { sync: false }),
      "$.modes: expected sync, async or both to be true, found neither",
    ],
    [
      "optional: false, the second spelling of required",
      (c) => Object.assign(c.inputs[0] ?? {}, { optional: false }),
      "$.inputs[0].optional: expected true, found false",
    ],
    [
      "a misspelt key",
      (c) => Object.assign(c, { entrypoints: [] }),
      '$.entrypoints: expected the key "entry_points", found the unknown key "entrypoints"',
    ],
    [
      "an effect that Cupel does not know",
      (c) => Object.assign(c, { effects: [{ type: "DELETE", target: "x", description: "y" }] }),
      '$.effects[0].type: expected one of "POST", "PUT", "PATCH", "WRITE", "CALL", "MUTATION", "READ", "NETWORK", "CLOCK", "RANDOM", found "DELETE"',
    ],
  ];

  test.each(cases)("%s", (_name, change, message) => {
    expect(problems(change)).toContain(message);
  });

  test("the example itself has no problem, so each refusal above is its change's doing", () => {
    expect(problems(() => {})).toEqual([]);
  });
});

test("paths with two digits are paths", () => {
  const contract = slugifyContract();
  contract.inputs[0]?.constraints.push(...Array.from({ length: 10 }, (_, n) => `rule ${n}`));
  contract.predicates.push({
    id: "P9",
    of: "inputs.0.constraints.11",
    entry: "slugify",
    kind: "requires",
    expr: "true",
  });
  expect(parse(MicroModuleContract, contract).kind).toBe("ok");
});

function nameIn(
  contract: MicroModuleContract,
  key: "outputs" | "error_surfaces" | "entry_points" | "predicates",
): string {
  const [first] = contract[key];
  return first === undefined ? "" : "id" in first ? first.id : first.name;
}
