// A proposed change becomes a valid candidate whose version tells the truth, or is refused with the reason.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts, slugifyContract } from "../../../test/arbitraries/contract.ts";
import { parse, renderProblem } from "../parse.ts";
import { ProposedContractDelta } from "../people/interface-change.ts";
import { applyDelta } from "./apply-delta.ts";
import type { Candidate } from "./apply-delta.ts";
import { targetText } from "./contract-links.ts";
import { MicroModuleContract } from "./contract.ts";

const NOTHING = {
  added_inputs: [],
  removed_inputs: [],
  modified_inputs: [],
  added_outputs: [],
  removed_outputs: [],
  modified_outputs: [],
  added_error_surfaces: [],
  added_effects: [],
  mode_changes: null,
} satisfies ProposedContractDelta;

function apply(change: Partial<ProposedContractDelta>, contract = slugifyContract()): Candidate {
  return applyDelta(contract, { ...NOTHING, ...change });
}

function summary(candidate: Candidate): string[] {
  return candidate.kind === "refused"
    ? candidate.problems.map(renderProblem)
    : [`${candidate.bump} ${candidate.contract.module_version}`, ...candidate.breaking];
}

function contractOf(change: Partial<ProposedContractDelta>, from = slugifyContract()): MicroModuleContract {
  const candidate = apply(change, from);
  if (candidate.kind === "refused") throw new Error(summary(candidate).join("\n"));
  return candidate.contract;
}

const max = { name: "max", type: "number", constraints: ["is positive"], optional: true as const };

describe("a candidate's version follows from the change", () => {
  test("an optional input goes to the only entry point and is minor", () => {
    const candidate = apply({ added_inputs: [max] });
    expect(summary(candidate)).toEqual(["minor 1.1.0"]);
    expect(candidate).toMatchObject({ contract: { entry_points: [{ inputs: ["title", "max"] }] } });
  });

  test("a required input is major, whatever its author expected", () => {
    const { optional: _, ...required } = max;
    expect(summary(apply({ added_inputs: [required] }))[0]).toBe("major 2.0.0");
  });

  test("a removed input takes its predicates along, and the others follow their constraints", () => {
    const two = slugifyContract();
    two.inputs.unshift({ name: "locale", type: "string", constraints: ["is a tag"] });
    two.entry_points[0]?.inputs.push("locale");
    two.predicates = [
      { id: "L", of: "inputs.0.constraints.0", entry: "slugify", kind: "requires", expr: "isTag(args[0])" },
      {
        id: "T",
        of: "inputs.1.constraints.1",
        entry: "slugify",
        kind: "requires",
        expr: "args[1].length <= 200",
      },
    ];
    const candidate = apply({ removed_inputs: ["locale"] }, two);
    expect(candidate).toMatchObject({
      contract: { predicates: [{ id: "T", of: "inputs.0.constraints.1" }] },
    });
    expect(summary(candidate)[0]).toBe("major 2.0.0");
  });

  test("another mode is major", () => {
    expect(summary(apply({ mode_changes: { sync: false, async: true, notes: "" } }))).toEqual([
      "major 2.0.0",
      "mode sync changed from true to false",
      "mode async changed from false to true",
    ]);
  });

  test("an entry point may be added together with what it returns", () => {
    const entry = {
      name: "measure",
      signature: "(title: string) => number",
      inputs: ["title"],
      outputs: ["length"],
      errors: [],
      effects: [],
    };
    const outputs = [{ name: "length", type: "number", invariants: [] }];
    const grown = apply({ added_outputs: outputs, changed_entry_points: [entry] });
    expect(grown).toMatchObject({
      kind: "candidate",
      contract: { entry_points: [{ name: "slugify" }, { name: "measure" }] },
    });
  });
});

describe("everything a delta names arrives in the candidate", () => {
  test("modified inputs and outputs replace those of the same name, and nothing else", () => {
    const title = { name: "title", type: "Title", constraints: ["is not empty"] };
    const slug = { name: "slug", type: "Slug", invariants: [] };
    const after = contractOf({ modified_inputs: [title], modified_outputs: [slug] });
    expect([after.inputs, after.outputs]).toEqual([[title], [slug]]);
    expect(after.predicates.map(({ id, of }) => `${id} ${of}`)).toEqual([
      "P1 inputs.0.constraints.0",
      "P4 error_surfaces.0",
    ]);
  });

  test("new errors, effects and outputs go to the only entry point", () => {
    const after = contractOf({
      added_error_surfaces: [{ name: "TooLong", when: "over 200", surface: "exception" }],
      added_effects: [{ type: "WRITE", target: "cache", description: "keeps it" }],
      added_outputs: [{ name: "length", type: "number", invariants: [] }],
    });
    expect(after.entry_points).toMatchObject([
      { outputs: ["slug", "length"], errors: ["EmptyTitle", "TooLong"], effects: ["WRITE cache"] },
    ]);
  });

  test("a removed output leaves its entry point too", () => {
    const two = slugifyContract();
    two.outputs.push({ name: "length", type: "number", invariants: ["is positive"] });
    two.entry_points[0]?.outputs.push("length");
    two.predicates.push({
      id: "L",
      of: "outputs.1.invariants.0",
      entry: "slugify",
      kind: "ensures",
      expr: "result.length > 0",
    });
    const after = contractOf({ removed_outputs: ["slug"] }, two);
    expect(after.entry_points[0]?.outputs).toEqual(["length"]);
    expect(after.predicates.at(-1)).toMatchObject({ id: "L", of: "outputs.0.invariants.0" });
    expect(after.predicates.map((predicate) => predicate.id)).toEqual(["P1", "P2", "P4", "L"]);
  });

  test("with two entry points, the one that is named gets it and the other stays as it was", () => {
    const two = slugifyContract();
    const other = {
      name: "slug",
      signature: "() => string",
      inputs: [],
      outputs: ["slug"],
      errors: [],
      effects: [],
    };
    two.entry_points.push(other);
    const changed = {
      ...slugifyContract().entry_points[0],
      name: "slugify",
      signature: "(title: string, max?: number) => string",
    };
    const entry = {
      ...other,
      ...changed,
      inputs: ["title", "max"],
      outputs: ["slug"],
      errors: ["EmptyTitle"],
    };
    const after = contractOf({ added_inputs: [max], changed_entry_points: [entry] }, two);
    expect(after.entry_points).toEqual([entry, other]);
  });
});

describe("refusals", () => {
  const cases: [string, Partial<ProposedContractDelta>, string][] = [
    [
      "adding what is there",
      { added_inputs: [{ ...max, name: "title" }] },
      '$.added_inputs: expected a new name, found "title"',
    ],
    [
      "removing what is not there",
      { removed_outputs: ["size"] },
      '$.removed_outputs: expected one of slug, found "size"',
    ],
    [
      "modifying what is not there",
      { modified_inputs: [max] },
      '$.modified_inputs: expected one of title, found "max"',
    ],
    [
      "an error twice",
      { added_error_surfaces: [{ name: "EmptyTitle", when: "x", surface: "code" }] },
      '$.added_error_surfaces: expected a new name, found "EmptyTitle"',
    ],
  ];

  test.each(cases)("%s", (_name, change, message) => {
    expect(summary(apply(change))).toEqual([message]);
  });

  test("an effect that is there already", () => {
    const writing = slugifyContract();
    const effect = { type: "WRITE" as const, target: "cache", description: "keeps it" };
    writing.effects.push(effect);
    writing.entry_points[0]?.effects.push("WRITE cache");
    expect(summary(apply({ added_effects: [effect] }, writing))).toEqual([
      '$.added_effects: expected a new name, found "WRITE cache"',
    ]);
  });

  test("removing from an empty dimension says that there is nothing", () => {
    const none = slugifyContract();
    none.outputs = [];
    none.entry_points.forEach((entry) => Object.assign(entry, { outputs: [] }));
    none.predicates = [];
    expect(summary(apply({ removed_outputs: ["slug"] }, none))).toEqual([
      '$.removed_outputs: expected nothing, because the contract has none, found "slug"',
    ]);
  });

  test("with several entry points, somebody must say who gets the new input", () => {
    const two = slugifyContract();
    two.entry_points.push({
      name: "slug",
      signature: "() => string",
      inputs: [],
      outputs: ["slug"],
      errors: [],
      effects: [],
    });
    expect(summary(apply({ added_inputs: [max] }, two))).toEqual([
      '$.changed_entry_points: expected an entry point that lists "max", one of slugify, slug, found none',
    ]);
  });

  test("an entry point that points nowhere is refused by the contract's own rules", () => {
    const entry = {
      name: "slugify",
      signature: "() => string",
      inputs: ["nobody"],
      outputs: [],
      errors: [],
      effects: [],
    };
    expect(summary(apply({ changed_entry_points: [entry] }))).toContain(
      `$.entry_points[0].inputs[0]: expected one of the contract's inputs: title, found "nobody"`,
    );
  });
});

test("any applicable delta gives a valid contract with the wanted names, and predicates keep their meaning", () => {
  fc.assert(
    fc.property(contracts(), contracts(), (before, wanted) => {
      const names = before.inputs.map((input) => input.name);
      const delta = parse(ProposedContractDelta, {
        added_inputs: wanted.inputs.filter((input) => !names.includes(input.name)),
        removed_inputs: names.filter((name) => !wanted.inputs.some((input) => input.name === name)),
        modified_inputs: wanted.inputs.filter((input) => names.includes(input.name)),
        mode_changes: wanted.modes,
      });
      if (delta.kind === "invalid") throw new Error(delta.problems.map(renderProblem).join("\n"));
      const candidate = applyDelta(before, delta.value);
      if (candidate.kind === "refused") throw new Error(summary(candidate).join("\n"));
      const after = candidate.contract;

      expect(parse(MicroModuleContract, after).kind).toBe("ok");
      expect(new Set(after.inputs.map((input) => input.name))).toEqual(
        new Set(wanted.inputs.map((input) => input.name)),
      );
      expect(after.outputs).toEqual(before.outputs);
      for (const predicate of after.predicates) {
        const old = before.predicates.find((other) => other.id === predicate.id);
        expect(targetText(after, predicate.of)).toBe(targetText(before, old?.of ?? ""));
      }
      const dropped = before.predicates.filter(
        (old) => !after.predicates.some((predicate) => predicate.id === old.id),
      );
      const texts = after.inputs.flatMap((input) => input.constraints.map((text) => `${input.name}:${text}`));
      for (const old of dropped) {
        const input = before.inputs[Number(old.of.split(".")[1])];
        expect(texts).not.toContain(`${input?.name}:${targetText(before, old.of)}`);
      }
    }),
  );
});
