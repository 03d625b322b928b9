// Turns a proposed contract change into a candidate contract, whose version follows from what really changed.
import { parse } from "../parse.ts";
import type { Problem } from "../parse.ts";
import type { ProposedContractDelta } from "../people/interface-change.ts";
import { bump } from "../semver.ts";
import type { BumpLevel } from "../semver.ts";
import { breakingReasons, requiredBump } from "./compatibility.ts";
import { effectName, targetText } from "./contract-links.ts";
import { MicroModuleContract } from "./contract.ts";
import type { Effect, EntryPoint, Predicate } from "./contract.ts";

export type Candidate =
  | { kind: "candidate"; contract: MicroModuleContract; bump: BumpLevel; breaking: string[] }
  | { kind: "refused"; problems: Problem[] };

export function applyDelta(contract: MicroModuleContract, delta: ProposedContractDelta): Candidate {
  const problems = [
    ...misfits("inputs", contract.inputs, delta.added_inputs, delta.removed_inputs, delta.modified_inputs),
    ...misfits(
      "outputs",
      contract.outputs,
      delta.added_outputs,
      delta.removed_outputs,
      delta.modified_outputs,
    ),
    ...misfits("error_surfaces", contract.error_surfaces, delta.added_error_surfaces, [], []),
    ...misfits("effects", contract.effects.map(named), delta.added_effects.map(named), [], []),
    ...unplaced(contract, delta),
  ];
  if (problems.length > 0) return { kind: "refused", problems };

  const changed = withDimensions(contract, delta);
  const draft: MicroModuleContract = {
    ...changed,
    entry_points: entryPointsAfter(contract, delta),
    predicates: predicatesAfter(contract, changed),
  };
  const level = requiredBump(contract, draft);
  const parsed = parse(MicroModuleContract, {
    ...draft,
    module_version: bump(contract.module_version, level),
  });
  if (parsed.kind === "invalid") return { kind: "refused", problems: parsed.problems };
  return {
    kind: "candidate",
    contract: parsed.value,
    bump: level,
    breaking: breakingReasons(contract, parsed.value),
  };
}

interface Named {
  name: string;
}

/** Added things must be new, removed and modified ones must be there. The delta itself names nothing twice. */
function misfits(
  dimension: string,
  present: Named[],
  added: Named[],
  removed: string[],
  modified: Named[],
): Problem[] {
  const names = new Set(present.map((item) => item.name));
  return [
    ...added
      .filter((item) => names.has(item.name))
      .map((item) => misfit(`added_${dimension}`, "a new name", item.name)),
    ...removed
      .filter((name) => !names.has(name))
      .map((name) => misfit(`removed_${dimension}`, known(names), name)),
    ...modified
      .filter((item) => !names.has(item.name))
      .map((item) => misfit(`modified_${dimension}`, known(names), item.name)),
  ];
}

function misfit(key: string, expected: string, name: string): Problem {
  return { path: `$.${key}`, expected, found: `"${name}"` };
}

function known(names: Set<string>): string {
  return names.size === 0 ? "nothing, because the contract has none" : `one of ${[...names].join(", ")}`;
}

function named(effect: Effect): Named {
  return { name: effectName(effect) };
}

function withDimensions(contract: MicroModuleContract, delta: ProposedContractDelta): MicroModuleContract {
  return {
    ...contract,
    inputs: merged(contract.inputs, delta.added_inputs, delta.removed_inputs, delta.modified_inputs),
    outputs: merged(contract.outputs, delta.added_outputs, delta.removed_outputs, delta.modified_outputs),
    error_surfaces: [...contract.error_surfaces, ...delta.added_error_surfaces],
    effects: [...contract.effects, ...delta.added_effects],
    modes: delta.mode_changes ?? contract.modes,
  };
}

function merged<T extends Named>(present: T[], added: T[], removed: string[], modified: T[]): T[] {
  const kept = present
    .filter((item) => !removed.includes(item.name))
    .map((item) => modified.find((change) => change.name === item.name) ?? item);
  return [...kept, ...added];
}

/** With several entry points, somebody has to say which one gets what is new. */
function unplaced(contract: MicroModuleContract, delta: ProposedContractDelta): Problem[] {
  if (contract.entry_points.length === 1) return [];
  const placed = new Set(
    (delta.changed_entry_points ?? []).flatMap((entry) => [
      ...entry.inputs,
      ...entry.outputs,
      ...entry.errors,
      ...entry.effects,
    ]),
  );
  return newNames(delta)
    .all.filter((name) => !placed.has(name))
    .map((name) => ({
      path: "$.changed_entry_points",
      expected: `an entry point that lists "${name}", one of ${contract.entry_points.map((entry) => entry.name).join(", ")}`,
      found: "none",
    }));
}

function entryPointsAfter(contract: MicroModuleContract, delta: ProposedContractDelta): EntryPoint[] {
  const changed = delta.changed_entry_points ?? [];
  const fresh = newNames(delta);
  const only = contract.entry_points.length === 1;
  const old = contract.entry_points.map((entry) => {
    const replacement = changed.find((candidate) => candidate.name === entry.name);
    if (replacement !== undefined) return replacement;
    const grown = only ? fresh : { inputs: [], outputs: [], errors: [], effects: [] };
    return {
      ...entry,
      inputs: [...entry.inputs.filter((name) => !delta.removed_inputs.includes(name)), ...grown.inputs],
      outputs: [...entry.outputs.filter((name) => !delta.removed_outputs.includes(name)), ...grown.outputs],
      errors: [...entry.errors, ...grown.errors],
      effects: [...entry.effects, ...grown.effects],
    };
  });
  return [
    ...old,
    ...changed.filter((entry) => !contract.entry_points.some((known) => known.name === entry.name)),
  ];
}

function newNames(delta: ProposedContractDelta) {
  const inputs = delta.added_inputs.map((input) => input.name);
  const outputs = delta.added_outputs.map((output) => output.name);
  const errors = delta.added_error_surfaces.map((surface) => surface.name);
  const effects = delta.added_effects.map(effectName);
  return { inputs, outputs, errors, effects, all: [...inputs, ...outputs, ...errors, ...effects] };
}

/** Paths are positions: a predicate follows its constraint to the new place and goes with it when it is gone. */
function predicatesAfter(before: MicroModuleContract, after: MicroModuleContract): Predicate[] {
  return before.predicates.flatMap((predicate) => {
    const of = movedPath(before, after, predicate.of);
    return of === undefined ? [] : [{ ...predicate, of }];
  });
}

function movedPath(
  before: MicroModuleContract,
  after: MicroModuleContract,
  path: string,
): string | undefined {
  const [dimension, item = "", list] = path.split(".");
  const text = targetText(before, path);
  if (text === undefined) return undefined;
  if (dimension === "error_surfaces") {
    const name = before.error_surfaces[Number(item)]?.name;
    return pathOf(
      "error_surfaces",
      after.error_surfaces.findIndex((surface) => surface.name === name),
    );
  }
  if (dimension === "inputs") {
    const name = before.inputs[Number(item)]?.name;
    const place = after.inputs.findIndex((input) => input.name === name);
    return pathOf("inputs", place, list, after.inputs[place]?.constraints.indexOf(text));
  }
  const name = before.outputs[Number(item)]?.name;
  const place = after.outputs.findIndex((output) => output.name === name);
  return pathOf("outputs", place, list, after.outputs[place]?.invariants.indexOf(text));
}

function pathOf(dimension: string, place: number, list?: string, position?: number): string | undefined {
  if (place < 0) return undefined;
  if (list === undefined) return `${dimension}.${place}`;
  return position === undefined || position < 0 ? undefined : `${dimension}.${place}.${list}.${position}`;
}
