// Whether a new contract still serves everyone who was built against the old one: judged from the two, never claimed.
import { diffContracts } from "./contract-diff.ts";
import type { DimensionChange } from "./contract-diff.ts";
import { targetText } from "./contract-links.ts";
import { ContractInput, ContractOutput } from "./contract.ts";
import type { EntryPoint, MicroModuleContract, Predicate } from "./contract.ts";
import { contractFingerprint, squeeze } from "./fingerprint.ts";
import type { BumpLevel } from "../semver.ts";

/** Why consumers of the old contract would break; empty when they would not. */
export function breakingReasons(before: MicroModuleContract, after: MicroModuleContract): string[] {
  const changes = diffContracts(before, after);
  return [
    ...(before.language === after.language
      ? []
      : [`the language changed from ${before.language} to ${after.language}`]),
    ...changes.flatMap((change) => reasonOf(change)),
    ...insertedBeforeOld(before, after),
    ...entryPointReasons(before, after),
    ...predicateReasons(before, after),
  ];
}

/** Breaking is major; a changed fingerprint that breaks nobody is minor; anything else is a patch. */
export function requiredBump(before: MicroModuleContract, after: MicroModuleContract): BumpLevel {
  if (breakingReasons(before, after).length > 0) return "major";
  return contractFingerprint(before) === contractFingerprint(after) ? "patch" : "minor";
}

function reasonOf(change: DimensionChange): string[] {
  switch (change.dimension) {
    case "inputs":
      return inputReason(change);
    case "outputs":
      return outputReason(change);
    case "error_surfaces":
      return change.kind === "removed" || change.kind === "changed"
        ? [`error surface ${change.name} was ${change.kind}; callers handle it as it was`]
        : [];
    case "effects":
      return change.kind === "reordered"
        ? []
        : [`effect ${change.name} was ${change.kind}; callers account for every effect`];
    case "modes":
      return change.name === "notes"
        ? []
        : [
            `mode ${change.name} changed from ${JSON.stringify(change.before)} to ${JSON.stringify(change.after)}`,
          ];
  }
}

function inputReason(change: DimensionChange): string[] {
  switch (change.kind) {
    case "removed":
      return [`input ${change.name} was removed; callers still pass it`];
    case "reordered":
      return [`input ${change.name} moved; callers pass it by position`];
    case "added":
      return ContractInput.parse(change.after).optional === true
        ? []
        : [`input ${change.name} was added and is required; callers do not pass it`];
    case "changed": {
      const before = ContractInput.parse(change.before);
      const after = ContractInput.parse(change.after);
      const tighter = after.constraints.filter((constraint) => !before.constraints.includes(constraint));
      return [
        ...(before.type === after.type
          ? []
          : [`input ${change.name} changed type from ${before.type} to ${after.type}`]),
        ...(before.optional === true && after.optional !== true
          ? [`input ${change.name} became required`]
          : []),
        ...tighter.map((constraint) => `input ${change.name} has the new constraint "${constraint}"`),
      ];
    }
  }
}

function outputReason(change: DimensionChange): string[] {
  switch (change.kind) {
    case "added":
      return [];
    case "removed":
      return [`output ${change.name} was removed; callers rely on it`];
    case "reordered":
      return [`output ${change.name} moved; callers may read it by position`];
    case "changed": {
      const before = ContractOutput.parse(change.before);
      const after = ContractOutput.parse(change.after);
      const lost = before.invariants.filter((invariant) => !after.invariants.includes(invariant));
      return [
        ...(before.type === after.type
          ? []
          : [`output ${change.name} changed type from ${before.type} to ${after.type}`]),
        ...lost.map((invariant) => `output ${change.name} no longer promises "${invariant}"`),
      ];
    }
  }
}

/** A new input in front of old ones shifts every position behind it, optional or not. */
function insertedBeforeOld(before: MicroModuleContract, after: MicroModuleContract): string[] {
  const known = new Set(before.inputs.map((input) => input.name));
  const lastOld = after.inputs.findLastIndex((input) => known.has(input.name));
  return after.inputs
    .slice(0, Math.max(0, lastOld))
    .filter((input) => !known.has(input.name) && input.optional === true)
    .map((input) => `input ${input.name} was inserted before inputs that callers pass by position`);
}

function entryPointReasons(before: MicroModuleContract, after: MicroModuleContract): string[] {
  return before.entry_points.flatMap((old) => {
    const fresh = after.entry_points.find((entry) => entry.name === old.name);
    if (fresh === undefined) return [`entry point ${old.name} was removed`];
    const lost = [...missing(old.inputs, fresh.inputs), ...missing(old.outputs, fresh.outputs)];
    const required = missing(fresh.inputs, old.inputs).filter(
      (name) => after.inputs.find((input) => input.name === name)?.optional !== true,
    );
    const keptInputs = fresh.inputs.slice(0, old.inputs.length);
    return [
      ...(lost.length > 0 || sameList(old.inputs, keptInputs)
        ? []
        : [`entry point ${old.name} takes its inputs in another order`]),
      ...lost.map((name) => `entry point ${old.name} no longer has ${name}`),
      ...required.map((name) => `entry point ${old.name} now requires ${name}`),
      ...missing(fresh.effects, old.effects).map((name) => `entry point ${old.name} now also does ${name}`),
      ...unexplainedSignature(old, fresh),
    ];
  });
}

/**
 * Types are opaque here, so a changed signature is believed only where the old one can be seen in it: the same
 * parameters first, the same result, and nothing but new parameters behind.
 */
function unexplainedSignature(old: EntryPoint, fresh: EntryPoint): string[] {
  const [before, after] = [signatureParts(old.signature), signatureParts(fresh.signature)];
  const grown = fresh.inputs.length > old.inputs.length;
  const kept =
    before.result === after.result &&
    (before.parameters === after.parameters ||
      (grown && (before.parameters === "" || after.parameters.startsWith(`${before.parameters},`))));
  return kept ? [] : [`entry point ${old.name} changed its signature to ${fresh.signature}`];
}

/** `(parameters) => result` or `(parameters) -> result`; anything else counts as one piece. */
function signatureParts(signature: string): { parameters: string; result: string } {
  const [, parameters, result] = /^\((.*)\) ?[=-]> ?(.+)$/.exec(squeeze(signature)) ?? [];
  if (parameters === undefined || result === undefined) return { parameters: "", result: squeeze(signature) };
  return { parameters: parameters.trim(), result };
}

/** Predicates lie outside the fingerprint, but another test of the same promise is another promise. */
function predicateReasons(before: MicroModuleContract, after: MicroModuleContract): string[] {
  const same = (a: Predicate, b: Predicate): boolean =>
    a.entry === b.entry && a.kind === b.kind && targetText(before, a.of) === targetText(after, b.of);
  const changed = before.predicates.filter((old) => {
    const rivals = after.predicates.filter((predicate) => same(old, predicate));
    return rivals.length > 0 && !rivals.some((predicate) => squeeze(predicate.expr) === squeeze(old.expr));
  });
  const tightened = after.predicates.filter((fresh) => {
    const known = before.predicates.filter((old) => same(old, fresh));
    const seen = known.some((old) => squeeze(old.expr) === squeeze(fresh.expr));
    return fresh.kind === "requires" && known.length > 0 && !seen;
  });
  return [
    ...changed.map((old) => `the ${old.kind} predicate ${old.id} of ${old.entry} now checks something else`),
    ...tightened.map((fresh) => `the predicate ${fresh.id} of ${fresh.entry} requires more than before`),
  ];
}

function missing(wanted: string[], present: string[]): string[] {
  return wanted.filter((name) => !present.includes(name));
}

function sameList(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
