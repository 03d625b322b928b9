// A module as cases, samples and the demo tell it in a few words, and the contract that comes of that.
import type { DraftedModule } from "../../domain/agent/plan-roles.ts";
import type { ContractDraft } from "../../domain/contract/contract-draft.ts";

export interface ModuleSketch extends Omit<EntrySketch, "output" | "errors"> {
  tags: string[];
  output: { name: string; type: string; invariant: string; ensures: string };
  error: ErrorSketch;
}

/** One function of a surface. */
export interface EntrySketch {
  entry: string;
  signature: string;
  inputs: InputSketch[];
  output: { name: string; type: string; invariants: { invariant: string; ensures: string }[] };
  errors: ErrorSketch[];
  /** None unless told. */
  effects?: ContractDraft["effects"];
}

interface InputSketch {
  name: string;
  type: string;
  constraint?: string;
  requires?: string;
  /** False unless told. */
  optional?: boolean;
}

interface ErrorSketch {
  name: string;
  when: string;
  throws: string;
}

/** `uses` are the names of the modules that it builds on. */
export function contractOf(
  { tags, output: { name, type, ...promise }, error, ...entry }: ModuleSketch,
  uses: readonly string[],
): ContractDraft {
  const only = { ...entry, output: { name, type, invariants: [promise] }, errors: [error] };
  return contractOfEntries({ tags, entries: [only] }, uses);
}

/** Inputs and errors of the same name are the same; what gives a promise makes the module asynchronous. */
export function contractOfEntries(
  { tags, entries }: { tags: string[]; entries: readonly EntrySketch[] },
  uses: readonly string[],
): ContractDraft {
  const inputs = byName(entries.flatMap((each) => each.inputs));
  const outputs = byName(entries.map(({ output }) => output));
  const errors = byName(entries.flatMap((each) => each.errors));
  const effects = byText(entries.flatMap((each) => each.effects ?? []));
  const isAsync = entries.some(({ signature }) => /=> Promise</.test(signature));
  return {
    tags,
    inputs: inputs.map(({ name, type, constraint, optional = false }) => ({
      name,
      type,
      constraints: constraint === undefined ? [] : [constraint],
      optional,
    })),
    outputs: outputs.map(({ name, type, invariants }) => ({
      name,
      type,
      invariants: invariants.map(({ invariant }) => invariant),
    })),
    error_surfaces: errors.map(({ name, when }) => ({ name, when, surface: "exception" })),
    effects,
    modes: { sync: !isAsync, async: isAsync, notes: "" },
    entry_points: entries.map((each) => ({
      name: each.entry,
      signature: each.signature,
      inputs: each.inputs.map(({ name }) => name),
      outputs: [each.output.name],
      errors: each.errors.map(({ name }) => name),
      effects: (each.effects ?? []).map(effectText),
    })),
    predicates: numbered(entries.flatMap((each) => predicatesOf(each, { inputs, outputs, errors }))),
    error_cases: errors.map(({ when }) => when),
    dependencies: uses.map((each) => ({ ref: `${idOf(each)}@^1.0.0`, why: "it builds on it" })),
    packages: [],
    latency_ms_p95: null,
    memory_mb_max: null,
    time_complexity: null,
    space_complexity: null,
  };
}

type Sketched = ContractDraft["predicates"][number];
type Named = readonly { name: string }[];

function predicatesOf(
  { entry, inputs, output, errors }: EntrySketch,
  all: { inputs: Named; outputs: Named; errors: Named },
): Sketched[] {
  const at = (list: Named, name: string) => list.findIndex((each) => each.name === name);
  return [
    ...inputs.flatMap(({ name, requires }): Sketched[] => {
      const index = at(all.inputs, name);
      const of = `inputs.${index}.constraints.0`;
      return requires === undefined ? [] : [{ id: `R${index}`, of, entry, kind: "requires", expr: requires }];
    }),
    ...output.invariants.map(({ ensures }, index): Sketched => {
      const of = `outputs.${at(all.outputs, output.name)}.invariants.${index}`;
      return { id: "E", of, entry, kind: "ensures", expr: ensures };
    }),
    ...errors.map(({ name, throws }): Sketched => {
      const of = `error_surfaces.${at(all.errors, name)}`;
      return { id: "T", of, entry, kind: "throws", expr: throws };
    }),
  ];
}

/** The second of an id gets a 2, and so on. */
function numbered(predicates: readonly Sketched[]): Sketched[] {
  return predicates.map((each, index) => {
    const before = predicates.slice(0, index).filter(({ id }) => id === each.id).length;
    return before === 0 ? each : { ...each, id: `${each.id}-${before + 1}` };
  });
}

function byName<T extends { name: string }>(list: readonly T[]): T[] {
  return list.filter(({ name }, index) => list.findIndex((each) => each.name === name) === index);
}

function byText(effects: ContractDraft["effects"]): ContractDraft["effects"] {
  const texts = effects.map(effectText);
  return effects.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
}

/** What a plan says of that contract before it is written. */
export function ioContractOf(contract: ContractDraft) {
  const { inputs, outputs, error_surfaces, effects, modes, entry_points } = contract;
  const isOfAll = (name: string) => entry_points.every((entry) => entry.inputs.includes(name));
  return {
    inputs:
      inputs.length === 0
        ? ["none"]
        : inputs.map(({ name, type }) => `${name}${isOfAll(name) ? "" : "?"}: ${type}`),
    outputs: outputs.map(({ name, type }) => `${name}: ${type}`),
    error_surfaces:
      error_surfaces.length === 0 ? ["none"] : error_surfaces.map(({ name, when }) => `${name} when ${when}`),
    effects: effects.length === 0 ? ["none"] : effects.map(effectText),
    modes: modes.async ? ["async"] : ["sync"],
  };
}

export interface SketchedModule {
  name: string;
  purpose: string;
  /** The names of the modules that it builds on. */
  uses: readonly string[];
  contract: ContractDraft;
}

/** As a micro planner plans it; `considered` is what the Code Index offered, and why that will not do. */
export function draftedFrom(
  { name, purpose, uses, contract }: SketchedModule,
  considered: { refs: readonly string[]; why: string },
): DraftedModule {
  return {
    module_id: idOf(name),
    module_version: null,
    name,
    purpose,
    io_contract: ioContractOf(contract),
    error_cases: contract.error_cases,
    depends_on: uses.map((each) => `${idOf(each)}@1.0.0`),
    reuse_candidate_refs: [...considered.refs],
    reuse_decision: "CREATE_NEW",
    reuse_justification: considered.why,
  };
}

export function idOf(name: string): string {
  return `MM-${name.replaceAll("-", "_")}`;
}

function effectText({ type, target }: ContractDraft["effects"][number]): string {
  return `${type} ${target}`;
}

/** One entry of examples.md, with a call of the entry point alone. */
export function example(
  entry: string,
  module: string,
  title: string,
  call: string,
  form: string,
  output: string,
): string {
  return exampleText(entry, title, codeOf(call, [entry], module), { form, text: output });
}

export function exampleText(
  entry: string,
  title: string,
  code: string,
  { form, text }: { form: string; text: string },
): string {
  return `## ${entry}: ${title}\n\nThis is what comes of it.\n\n\`\`\`ts\n${code}\n\`\`\`\n\n\`\`\`${form}\n${text}\n\`\`\`\n`;
}

/** A call as whoever imports the module writes it; methods come with their class. */
export function codeOf(call: string, entries: readonly string[], module: string): string {
  const names = new Set(entries.map((entry) => entry.split(".")[0] ?? entry));
  const used = [...names].filter((name) => new RegExp(String.raw`(?<![\w$.])${name}(?![\w$])`).test(call));
  return `import { ${used.join(", ")} } from "#modules/${module}";\n\n${call};`;
}
