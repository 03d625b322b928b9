// Code whose public face is not the one that was promised: both fingerprints, and what differs in which dimension.
import { canonicalHash } from "../../domain/canonical.ts";
import { diffContracts } from "../../domain/contract/contract-diff.ts";
import type { EntryPoint, MicroModuleContract } from "../../domain/contract/contract.ts";
import { surfaceFingerprint } from "../../domain/contract/fingerprint.ts";
import { FingerprintMismatch } from "../../domain/people/escalation.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { SurfaceDifference } from "../../toolchains/port.ts";

/** Undefined where nothing differs. */
export function surfaceMismatch(
  contract: MicroModuleContract,
  differences: readonly SurfaceDifference[],
): FingerprintMismatch | undefined {
  if (differences.length === 0) return undefined;
  const shown = asShown(contract, differences);
  const locked = surfaceFingerprint(contract.entry_points);
  const fingerprint = surfaceFingerprint(shown.entry_points);
  return parseOrThrow(
    FingerprintMismatch,
    {
      module_id: contract.module_id,
      module_version: contract.module_version,
      locked_fingerprint: locked,
      // Where the difference leaves the entry points as they are written, it is part of the fingerprint itself.
      actual_fingerprint:
        fingerprint === locked ? canonicalHash([locked, differences.map(({ found }) => found)]) : fingerprint,
      changes: diffContracts(contract, shown),
    },
    "the mismatch",
  );
}

export function mismatchText({ locked_fingerprint, actual_fingerprint }: FingerprintMismatch): string {
  return `Interface fingerprint mismatch: expected ${locked_fingerprint}, got ${actual_fingerprint}`;
}

/** The contract that the code would keep, as far as its surface tells. */
function asShown(
  contract: MicroModuleContract,
  differences: readonly SurfaceDifference[],
): MicroModuleContract {
  let shown = contract;
  for (const difference of differences) shown = applied(shown, difference);
  return shown;
}

function applied(
  contract: MicroModuleContract,
  { entry, what, found }: SurfaceDifference,
): MicroModuleContract {
  const point = contract.entry_points.find(({ name }) => name === entry);
  switch (what) {
    case "missing":
      return withoutUnused({
        ...contract,
        entry_points: contract.entry_points.filter(({ name }) => name !== entry),
      });
    case "extra": {
      const added = { name: entry, signature: found, inputs: [], outputs: [], errors: [], effects: [] };
      return withSignature({ ...contract, entry_points: [...contract.entry_points, added] }, added, found);
    }
    case "signature":
      return point === undefined ? contract : withSignature(contract, point, found);
    case "mode": {
      const modes = { ...contract.modes, sync: found === "sync", async: found === "async" };
      return { ...contract, modes };
    }
    case "errors": {
      if (point === undefined) return contract;
      const errors = found === "none" ? [] : found.split(", ");
      const known = new Set(contract.error_surfaces.map(({ name }) => name));
      const added = errors
        .filter((name) => !known.has(name))
        .map((name) => ({ name, when: `${entry} throws it`, surface: "exception" as const }));
      const grown = { ...contract, error_surfaces: [...contract.error_surfaces, ...added] };
      return withoutUnused(withEntry(grown, { ...point, errors }));
    }
  }
}

/** Parameters stand for inputs by their place, the result for the first output. */
function withSignature(
  contract: MicroModuleContract,
  point: EntryPoint,
  signature: string,
): MicroModuleContract {
  const parts = partsOf(signature);
  if (parts === undefined) return withEntry(contract, { ...point, signature });
  const inputs = parts.parameters.map(({ name, type, optional }, index) => {
    const known = contract.inputs.find((input) => input.name === point.inputs[index]);
    const mode = optional ? { optional: true as const } : {};
    return known === undefined
      ? { name: freeName(name, contract, point), type, constraints: [], ...mode }
      : { name: known.name, type, constraints: known.constraints, ...mode };
  });
  const [result] = point.outputs;
  const names = new Map(inputs.map((input) => [input.name, input]));
  const added = inputs.filter(({ name }) => !contract.inputs.some((input) => input.name === name));
  const grown = {
    ...contract,
    inputs: [...contract.inputs.map((input) => names.get(input.name) ?? input), ...added],
    outputs: contract.outputs.map((output) =>
      output.name === result ? { ...output, type: parts.result } : output,
    ),
  };
  const changed = { ...point, signature, inputs: inputs.map(({ name }) => name) };
  return withoutUnused(withEntry(grown, changed));
}

function freeName(name: string, contract: MicroModuleContract, point: EntryPoint): string {
  return contract.inputs.some((input) => input.name === name) ? `${point.name}.${name}` : name;
}

function withEntry(contract: MicroModuleContract, point: EntryPoint): MicroModuleContract {
  const entry_points = contract.entry_points.map((each) => (each.name === point.name ? point : each));
  return { ...contract, entry_points };
}

/** What no entry point has any more is gone. */
function withoutUnused(contract: MicroModuleContract): MicroModuleContract {
  const { entry_points: points } = contract;
  const uses = (part: "inputs" | "outputs" | "errors", name: string) =>
    points.some((point) => point[part].includes(name));
  return {
    ...contract,
    inputs: contract.inputs.filter(({ name }) => uses("inputs", name)),
    outputs: contract.outputs.filter(({ name }) => uses("outputs", name)),
    error_surfaces: contract.error_surfaces.filter(({ name }) => uses("errors", name)),
  };
}

interface Parts {
  parameters: { name: string; type: string; optional: boolean }[];
  result: string;
}

/** Of `(name: type, other?: type) => result`; undefined for any other form. */
function partsOf(signature: string): Parts | undefined {
  if (!signature.startsWith("(")) return undefined;
  const end = closing(signature);
  const rest = signature.slice(end + 1).trim();
  if (end < 0 || !/^[=-]>/.test(rest)) return undefined;
  const parameters = split(signature.slice(1, end)).map((text) => {
    const [, name = text, mark = "", type = "unknown"] =
      /^(?:\.\.\.)?([\w$]+)(\?)?\s*:\s*([^]+)$/.exec(text) ?? [];
    return { name, type: type.trim(), optional: mark === "?" };
  });
  return { parameters, result: rest.slice(2).trim() };
}

const OPEN = "([{<";
const CLOSE = ")]}>";

/** Where the bracket at the beginning is closed. */
function closing(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (OPEN.includes(text[at] ?? " ")) depth++;
    else if (isClosing(text, at) && --depth === 0) return at;
  }
  return -1;
}

function split(parameters: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= parameters.length; at++) {
    if (at === parameters.length || (parameters[at] === "," && depth === 0)) {
      parts.push(parameters.slice(from, at).trim());
      from = at + 1;
    } else if (OPEN.includes(parameters[at] ?? " ")) depth++;
    else if (isClosing(parameters, at)) depth--;
  }
  return parts.filter((part) => part !== "");
}

/** The arrow of a function type closes nothing. */
function isClosing(text: string, at: number): boolean {
  return CLOSE.includes(text[at] ?? " ") && !(text[at] === ">" && /[=-]/.test(text[at - 1] ?? ""));
}
