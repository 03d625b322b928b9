// Backward compatibility is judged from the two contracts, against a second opinion written from the caller's side.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts, slugifyContract } from "../../../test/arbitraries/contract.ts";
import { breakingReasons, requiredBump } from "./compatibility.ts";
import type { MicroModuleContract } from "./contract.ts";
import { contractFingerprint } from "./fingerprint.ts";

type Change = (contract: MicroModuleContract) => unknown;

function changed(change: Change): MicroModuleContract {
  const contract = slugifyContract();
  change(contract);
  return contract;
}

const maxInput = { name: "max", type: "number", constraints: [] };

function takeMax(contract: MicroModuleContract): void {
  contract.entry_points[0]?.inputs.push("max");
  Object.assign(contract.entry_points[0] ?? {}, { signature: "(title: string, max?: number) => string" });
}

describe("breaks nobody", () => {
  const cases: [string, Change, "patch" | "minor"][] = [
    [
      "white space in a signature",
      (c) => Object.assign(c.entry_points[0] ?? {}, { signature: " (title:  string) =>\n string " }),
      "patch",
    ],
    [
      "white space in a predicate",
      (c) => Object.assign(c.predicates[0] ?? {}, { expr: "args[0].length   > 0 " }),
      "patch",
    ],
    ["a predicate taken away", (c) => c.predicates.pop(), "patch"],
    [
      "a predicate of another entry point",
      (c) =>
        c.predicates.push({
          id: "P9",
          of: "inputs.0.constraints.0",
          entry: "slug",
          kind: "requires",
          expr: "true",
        }),
      "patch",
    ],
    [
      "a throws beside a requires",
      (c) =>
        c.predicates.push({
          id: "P9",
          of: "inputs.0.constraints.0",
          entry: "slugify",
          kind: "throws",
          expr: "true",
        }),
      "patch",
    ],
    ["other words about it", (c) => Object.assign(c, { purpose: "Else.", tags: [] }), "patch"],
    ["more examples of errors", (c) => c.error_cases.push("an emoji"), "patch"],
    [
      "a new optional input at the end",
      (c) => {
        c.inputs.push({ ...maxInput, optional: true });
        takeMax(c);
      },
      "minor",
    ],
    ["an input that accepts more", (c) => c.inputs[0]?.constraints.pop(), "minor"],
    ["an input that became optional", (c) => Object.assign(c.inputs[0] ?? {}, { optional: true }), "minor"],
    ["a stronger promise", (c) => c.outputs[0]?.invariants.push("has at most 64 characters"), "minor"],
    ["one more output", (c) => c.outputs.push({ name: "length", type: "number", invariants: [] }), "minor"],
    [
      "one more error",
      (c) => c.error_surfaces.push({ name: "TooLong", when: "too long", surface: "exception" }),
      "minor",
    ],
    ["another remark on modes", (c) => Object.assign(c.modes, { notes: "fast" }), "minor"],
    [
      "a predicate for what was unproven",
      (c) =>
        c.predicates.push({
          id: "P9",
          of: "error_surfaces.0",
          entry: "slugify",
          kind: "throws",
          expr: "error.name === 'EmptyTitle'",
        }),
      "patch",
    ],
    [
      "one more entry point",
      (c) =>
        c.entry_points.push({
          name: "slug",
          signature: "() => string",
          inputs: [],
          outputs: [],
          errors: [],
          effects: [],
        }),
      "patch",
    ],
  ];

  test.each(cases)("%s", (_name, change, level) => {
    expect(breakingReasons(slugifyContract(), changed(change))).toEqual([]);
    expect(requiredBump(slugifyContract(), changed(change))).toBe(level);
  });
});

describe("breaks callers, and says why", () => {
  const cases: [string, Change, string][] = [
    [
      "an entry point that requires more",
      (c) => {
        c.inputs.push(maxInput);
        c.entry_points[0]?.inputs.push("max");
      },
      "entry point slugify now requires max",
    ],
    [
      "an entry point that does more",
      (c) => {
        c.effects.push({ type: "WRITE", target: "cache", description: "keeps it" });
        c.entry_points[0]?.effects.push("WRITE cache");
      },
      "entry point slugify now also does WRITE cache",
    ],
    [
      "a second requirement beside the first",
      (c) =>
        c.predicates.push({
          id: "P9",
          of: "inputs.0.constraints.0",
          entry: "slugify",
          kind: "requires",
          expr: "false",
        }),
      "the predicate P9 of slugify requires more than before",
    ],
    [
      "a signature rewritten under cover of a new optional input",
      (c) => {
        c.inputs.push({ ...maxInput, optional: true });
        takeMax(c);
        Object.assign(c.entry_points[0] ?? {}, {
          signature: "(title: Buffer, max?: number) => Promise<void>",
        });
      },
      "entry point slugify changed its signature to (title: Buffer, max?: number) => Promise<void>",
    ],
    [
      "a new input in front of the old one",
      (c) => {
        c.inputs.push({ ...maxInput, optional: true });
        Object.assign(c.entry_points[0] ?? {}, { inputs: ["max", "title"] });
      },
      "entry point slugify takes its inputs in another order",
    ],
    [
      "another language",
      (c) => Object.assign(c, { language: "python" }),
      "the language changed from typescript to python",
    ],
    ["an input removed", (c) => c.inputs.splice(0), "input title was removed; callers still pass it"],
    [
      "a required input added",
      (c) => c.inputs.push(maxInput),
      "input max was added and is required; callers do not pass it",
    ],
    [
      "an optional input in front",
      (c) => c.inputs.unshift({ ...maxInput, optional: true }),
      "input max was inserted before inputs that callers pass by position",
    ],
    [
      "another input type",
      (c) => Object.assign(c.inputs[0] ?? {}, { type: "URL" }),
      "input title changed type from string to URL",
    ],
    [
      "a tighter input",
      (c) => c.inputs[0]?.constraints.push("is ASCII"),
      'input title has the new constraint "is ASCII"',
    ],
    [
      "a weaker promise",
      (c) => c.outputs[0]?.invariants.pop(),
      'output slug no longer promises "matches [a-z0-9-]+"',
    ],
    ["an output removed", (c) => c.outputs.splice(0), "output slug was removed; callers rely on it"],
    [
      "another output type",
      (c) => Object.assign(c.outputs[0] ?? {}, { type: "Slug" }),
      "output slug changed type from string to Slug",
    ],
    [
      "an error removed",
      (c) => c.error_surfaces.splice(0),
      "error surface EmptyTitle was removed; callers handle it as it was",
    ],
    [
      "an error under another condition",
      (c) => Object.assign(c.error_surfaces[0] ?? {}, { when: "title is blank" }),
      "error surface EmptyTitle was changed; callers handle it as it was",
    ],
    [
      "a new effect",
      (c) => c.effects.push({ type: "WRITE", target: "cache", description: "keeps it" }),
      "effect WRITE cache was added; callers account for every effect",
    ],
    ["another mode", (c) => Object.assign(c.modes, { async: true }), "mode async changed from false to true"],
    [
      "an entry point renamed",
      (c) => Object.assign(c.entry_points[0] ?? {}, { name: "slug" }),
      "entry point slugify was removed",
    ],
    [
      "a signature nothing explains",
      (c) => Object.assign(c.entry_points[0] ?? {}, { signature: "(t: any) => string" }),
      "entry point slugify changed its signature to (t: any) => string",
    ],
    [
      "an entry point that drops an output",
      (c) => c.entry_points[0]?.outputs.pop(),
      "entry point slugify no longer has slug",
    ],
    [
      "the same words proven by another predicate",
      (c) => Object.assign(c.predicates[1] ?? {}, { expr: "args[0].length <= 20" }),
      "the requires predicate P2 of slugify now checks something else",
    ],
  ];

  test.each(cases)("%s", (_name, change, reason) => {
    expect(breakingReasons(slugifyContract(), changed(change))).toContain(reason);
    expect(requiredBump(slugifyContract(), changed(change))).toBe("major");
  });

  test("inputs and outputs in another order", () => {
    expect(breakingReasons(pair("a", "b"), pair("b", "a"))).toEqual(
      expect.arrayContaining([
        "input a moved; callers pass it by position",
        "output a moved; callers may read it by position",
      ]),
    );
  });

  test("an optional input that became required", () => {
    const before = changed((c) => Object.assign(c.inputs[0] ?? {}, { optional: true }));
    expect(breakingReasons(before, slugifyContract())).toEqual(["input title became required"]);
  });
});

test("the verdict agrees with an independent reading from the caller's side", () => {
  fc.assert(
    fc.property(
      contracts(),
      contracts(),
      fc.array(fc.constantFrom("inputs", "outputs", "error_surfaces", "effects", "modes")),
      (a, b, take) => {
        // Mixing one contract's dimensions into the other gives near misses instead of two strangers.
        const mixed: MicroModuleContract = structuredClone(a);
        for (const dimension of take) Object.assign(mixed, { [dimension]: b[dimension] });
        const [before, after] = [
          { ...a, predicates: [], entry_points: [] },
          { ...mixed, predicates: [], entry_points: [] },
        ];
        expect(breakingReasons(before, after).length === 0).toBe(callersSurvive(before, after));
        const level = requiredBump(before, after);
        expect(level === "patch").toBe(contractFingerprint(before) === contractFingerprint(after));
      },
    ),
    { numRuns: 2000 },
  );
});

function callersSurvive(before: MicroModuleContract, after: MicroModuleContract): boolean {
  const inputsFit = before.inputs.every((old, position) => {
    const now = after.inputs[position];
    if (now?.name !== old.name || now.type !== old.type) return false;
    const required = old.optional === true && now.optional === undefined;
    return !required && now.constraints.every((text) => old.constraints.includes(text));
  });
  const extrasOptional = after.inputs.slice(before.inputs.length).every((input) => input.optional === true);
  const places = before.outputs.map((old) => after.outputs.findIndex((now) => now.name === old.name));
  const outputsFit = before.outputs.every((old, position) => {
    const now = after.outputs[places[position] ?? -1];
    return now?.type === old.type && old.invariants.every((text) => now.invariants.includes(text));
  });
  const inOrder = places.every((place, position) => position === 0 || place > (places[position - 1] ?? -1));
  const errorsKept = before.error_surfaces.every((old) =>
    after.error_surfaces.some(
      (now) => now.name === old.name && now.when === old.when && now.surface === old.surface,
    ),
  );
  const modesKept = before.modes.sync === after.modes.sync && before.modes.async === after.modes.async;
  return (
    inputsFit &&
    extrasOptional &&
    outputsFit &&
    inOrder &&
    errorsKept &&
    effectsOf(before) === effectsOf(after) &&
    modesKept
  );
}

function effectsOf(contract: MicroModuleContract): string {
  return contract.effects
    .map((effect) => `${effect.type}|${effect.target}|${effect.description}`)
    .toSorted()
    .join("\n");
}

function pair(...names: string[]): MicroModuleContract {
  return changed((contract) => {
    contract.inputs = names.map((name) => ({ name, type: "string", constraints: [] }));
    contract.outputs = names.map((name) => ({ name, type: "string", invariants: [] }));
    contract.predicates = [];
  });
}
