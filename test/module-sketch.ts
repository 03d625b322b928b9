// A module as samples and the demo tell it in a few words, and the contract that comes of that.
import type { ContractDraft } from "../src/domain/contract/contract-draft.ts";

export interface ModuleSketch {
  tags: string[];
  /** The one function of its surface. */
  entry: string;
  signature: string;
  inputs: { name: string; type: string; constraint?: string; requires?: string }[];
  output: { name: string; type: string; invariant: string; ensures: string };
  error: { name: string; when: string; throws: string };
}

/** `uses` are the names of the modules that it builds on. */
export function contractOf(
  { tags, entry, signature, inputs, output, error }: ModuleSketch,
  uses: readonly string[],
): ContractDraft {
  const requires = inputs.flatMap(({ requires: expr }, index) =>
    expr === undefined
      ? []
      : [{ id: `R${index}`, of: `inputs.${index}.constraints.0`, entry, kind: "requires" as const, expr }],
  );
  return {
    tags,
    inputs: inputs.map(({ name, type, constraint }) => ({
      name,
      type,
      constraints: constraint === undefined ? [] : [constraint],
      optional: false,
    })),
    outputs: [{ name: output.name, type: output.type, invariants: [output.invariant] }],
    error_surfaces: [{ name: error.name, when: error.when, surface: "exception" }],
    effects: [],
    modes: { sync: true, async: false, notes: "" },
    entry_points: [
      {
        name: entry,
        signature,
        inputs: inputs.map(({ name }) => name),
        outputs: [output.name],
        errors: [error.name],
        effects: [],
      },
    ],
    predicates: [
      ...requires,
      { id: "E", of: "outputs.0.invariants.0", entry, kind: "ensures", expr: output.ensures },
      { id: "T", of: "error_surfaces.0", entry, kind: "throws", expr: error.throws },
    ],
    error_cases: [error.when],
    dependencies: uses.map((each) => ({ ref: `${idOf(each)}@^1.0.0`, why: "it builds on it" })),
    packages: [],
    latency_ms_p95: null,
    memory_mb_max: null,
    time_complexity: null,
    space_complexity: null,
  };
}

/** What a plan says of that contract before it is written. */
export function ioContractOf({ inputs, outputs, error_surfaces }: ContractDraft) {
  return {
    inputs: inputs.map(({ name, type }) => `${name}: ${type}`),
    outputs: outputs.map(({ name, type }) => `${name}: ${type}`),
    error_surfaces: error_surfaces.map(({ name, when }) => `${name} when ${when}`),
    effects: ["none"],
    modes: ["sync"],
  };
}

export function idOf(name: string): string {
  return `MM-${name.replaceAll("-", "_")}`;
}
