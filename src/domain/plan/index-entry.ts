// The entry of a shipped module in the Code Index: a function of what was sealed, so that making it again changes nothing.
import type { MicroModuleContract } from "../contract/contract.ts";
import type { CodeIndexEntry } from "./reuse.ts";

export interface SealedRefs {
  contract_ref: string;
  examples_ref: string;
  ship_ref: string;
}

export function indexEntryOf(contract: MicroModuleContract, refs: SealedRefs): CodeIndexEntry {
  const { module_id, module_version, name, purpose, tags, dependencies } = contract;
  return {
    module_id,
    version: module_version,
    name,
    purpose,
    tags,
    ...refs,
    io_summary: summaryOf(contract),
    dependencies: dependencies.map(({ ref }) => ref),
    status: "SHIPPED",
    notes: "",
  };
}

/** `name: type (what must hold)`: the form that `ioTypesOf` reads types from. */
function summaryOf(contract: MicroModuleContract): CodeIndexEntry["io_summary"] {
  const { inputs, outputs, error_surfaces, effects, modes } = contract;
  return {
    inputs: inputs.map(
      ({ name, type, optional, constraints }) =>
        `${name}${optional === true ? "?" : ""}: ${type}${remark(constraints)}`,
    ),
    outputs: outputs.map(({ name, type, invariants }) => `${name}: ${type}${remark(invariants)}`),
    error_surfaces: error_surfaces.map(({ name, when }) => `${name}: ${when}`),
    effects: effects.map(({ type, target, description }) => `${type} ${target}: ${description}`),
    modes: [...(modes.sync ? ["sync"] : []), ...(modes.async ? ["async"] : [])],
  };
}

function remark(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : ` (${conditions.join("; ")})`;
}
