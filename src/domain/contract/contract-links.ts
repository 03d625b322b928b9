// The cross-field rules of a contract: every name means one thing, and every reference leads somewhere.
import type { z } from "zod";
import { refuse } from "../parse.ts";

type Context = z.core.$RefinementCtx;

/** The parts of a contract that its links run between. */
interface LinkedContract extends Provable {
  effects: EffectIdentity[];
  entry_points: LinkedEntryPoint[];
  predicates: { id: string; of: string; entry: string; kind: string }[];
}

interface Provable {
  inputs: { name: string; constraints: string[] }[];
  outputs: { name: string; invariants: string[] }[];
  error_surfaces: { name: string; when: string }[];
}

interface EffectIdentity {
  type: string;
  target: string;
}

interface LinkedEntryPoint {
  name: string;
  inputs: string[];
  outputs: string[];
  errors: string[];
  effects: string[];
}

export function checkContractLinks(contract: LinkedContract, context: Context): void {
  const names = {
    inputs: contract.inputs.map((input) => input.name),
    outputs: contract.outputs.map((output) => output.name),
    errors: contract.error_surfaces.map((surface) => surface.name),
    effects: contract.effects.map(effectName),
  };
  refuseRepeats(context, "inputs", names.inputs);
  refuseRepeats(context, "outputs", names.outputs);
  refuseRepeats(context, "error_surfaces", names.errors);
  refuseRepeats(context, "effects", names.effects);
  refuseRepeats(
    context,
    "entry_points",
    contract.entry_points.map((entry) => entry.name),
  );
  refuseRepeats(
    context,
    "predicates",
    contract.predicates.map((predicate) => predicate.id),
  );

  for (const key of ["inputs", "outputs", "errors", "effects"] as const) {
    checkEntryPointRefs(contract.entry_points, key, names[key], context);
  }
  checkPredicates(contract, context);
}

/** How entry points and diffs name an effect. */
export function effectName(effect: EffectIdentity): string {
  return `${effect.type} ${effect.target}`;
}

function refuseRepeats(context: Context, key: string, names: string[]): void {
  names.forEach((name, index) => {
    const first = names.indexOf(name);
    if (first !== index)
      refuse(context, [key, index], `a name that ${key}[${first}] does not have`, `"${name}" again`);
  });
}

function checkEntryPointRefs(
  entryPoints: LinkedEntryPoint[],
  key: "inputs" | "outputs" | "errors" | "effects",
  declared: string[],
  context: Context,
): void {
  const used = new Set<string>();
  entryPoints.forEach((entry, index) => {
    entry[key].forEach((name, position) => {
      used.add(name);
      if (!declared.includes(name)) {
        refuse(
          context,
          ["entry_points", index, key, position],
          `one of the contract's ${key}: ${list(declared)}`,
          `"${name}"`,
        );
      }
    });
  });
  const orphan = declared.find((name) => !used.has(name));
  if (orphan !== undefined) {
    refuse(
      context,
      ["entry_points"],
      `some entry point to list "${orphan}" among its ${key}`,
      "none that does",
    );
  }
}

const PROVEN_BY = {
  inputs: ["requires", "throws"],
  outputs: ["ensures"],
  error_surfaces: ["throws"],
} as const;

function checkPredicates(contract: LinkedContract, context: Context): void {
  const entries = contract.entry_points.map((entry) => entry.name);
  contract.predicates.forEach((predicate, index) => {
    if (!entries.includes(predicate.entry)) {
      refuse(
        context,
        ["predicates", index, "entry"],
        `one of the entry points: ${list(entries)}`,
        `"${predicate.entry}"`,
      );
    }
    if (targetText(contract, predicate.of) === undefined) {
      refuse(
        context,
        ["predicates", index, "of"],
        "the path of a constraint, invariant or error surface",
        `"${predicate.of}", which does not exist`,
      );
      return;
    }
    const allowed: readonly string[] = PROVEN_BY[dimensionOf(predicate.of)];
    if (!allowed.includes(predicate.kind)) {
      refuse(
        context,
        ["predicates", index, "kind"],
        `${allowed.join(" or ")} for ${predicate.of}`,
        predicate.kind,
      );
    }
  });
}

function dimensionOf(path: string): keyof typeof PROVEN_BY {
  if (path.startsWith("inputs")) return "inputs";
  return path.startsWith("outputs") ? "outputs" : "error_surfaces";
}

/** The wording a predicate proves, or undefined when its path leads nowhere. */
export function targetText(contract: Provable, path: string): string | undefined {
  const [dimension, item = "", , position = ""] = path.split(".");
  if (dimension === "inputs") return contract.inputs[Number(item)]?.constraints[Number(position)];
  if (dimension === "outputs") return contract.outputs[Number(item)]?.invariants[Number(position)];
  return contract.error_surfaces[Number(item)]?.when;
}

function list(names: string[]): string {
  return names.length === 0 ? "none are declared" : names.join(", ");
}
