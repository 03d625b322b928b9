// Whether research can be built on: every kind of example that applies, all of them about this module, none twice, and none
// against another.
import { outputOf } from "../evidence/example-output.ts";
import { placeholderIn } from "../evidence/example-placeholder.ts";
import { ioNameOf } from "../plan/io-types.ts";
import type { PlannedModule } from "../plan/micro-plan.ts";
import type { ModuleResearch, ResearchExample, ResearchKind } from "./module-research.ts";

type Sketch = PlannedModule["io_contract"];

/** In words that its author can act on; none for research that stands. */
export function researchProblems(
  { inputs, examples }: ModuleResearch,
  { io_contract: sketch }: Pick<PlannedModule, "io_contract">,
): string[] {
  return [
    ...missingKinds(examples, sketch),
    ...inputsOff(
      inputs.map(({ name }) => name),
      sketch,
      "inputs",
    ),
    ...neverGiven(examples, sketch),
    ...examples.flatMap((example) => exampleProblems(example, sketch)),
    ...alike(examples, sketch),
  ];
}

function missingKinds(examples: readonly ResearchExample[], sketch: Sketch): string[] {
  const due: [ResearchKind, boolean, string][] = [
    ["happy_path", true, "show what the module is for"],
    ["edge_case", !isNone(sketch.inputs), "show an input at a boundary: empty, one, largest, odd"],
    ["error_case", !isNone(sketch.error_surfaces), "show the input that leads to a declared error"],
  ];
  const missing = due.flatMap(([kind, isDue, todo]) =>
    isDue && !examples.some((example) => example.kind === kind) ? [`there is no ${kind}: ${todo}`] : [],
  );
  const shown = new Set(examples.flatMap((example) => errorOf(example)?.name ?? []));
  const unshown = errorNames(sketch).filter((name) => !shown.has(name));
  return [
    ...missing,
    ...unshown.map((name) => `no example throws ${name}, which the plan declares: show one`),
  ];
}

function exampleProblems(example: ResearchExample, sketch: Sketch): string[] {
  const { name, inputs } = example;
  const told = [...inputs.map(({ value }) => value), example.gives ?? "", example.throws ?? ""];
  const placeholder = told.map(placeholderIn).find((found) => found !== undefined);
  return [
    ...unknownInputs(
      inputs.map((input) => input.name),
      sketch,
      `"${name}"`,
    ),
    ...(placeholder === undefined
      ? []
      : [`"${name}": ${placeholder.found} stands for a value; write a concrete one`]),
    ...outcomeProblems(example, sketch),
  ];
}

function outcomeProblems(example: ResearchExample, sketch: Sketch): string[] {
  const { name, kind, gives, throws } = example;
  if ((gives === null) === (throws === null))
    return [`"${name}": say either what it gives or what it throws, and null for the other`];
  if (throws === null)
    return kind === "error_case" ? [`"${name}" is an error_case, but it throws nothing`] : [];
  if (kind === "happy_path") return [`"${name}" is a happy_path, but it throws`];
  const error = errorOf(example);
  if (error === undefined) return [`"${name}": write what it throws as Class: message`];
  if (error.message === "")
    return [`"${name}": say which message ${error.name} has, so that everybody builds the same`];
  if (isNone(sketch.error_surfaces))
    return [`"${name}" throws ${error.name}, but the plan declares no error`];
  const names = errorNames(sketch);
  return names.length === 0 || names.includes(error.name)
    ? []
    : [`"${name}" throws ${error.name}, but the plan declares ${names.join(", ")}`];
}

function inputsOff(given: readonly string[], sketch: Sketch, where: string): string[] {
  return [
    ...unknownInputs(given, sketch, where),
    ...needed(sketch)
      .filter((name) => !given.includes(name))
      .map((name) => `${where}: the input ${name} is missing`),
  ];
}

/** An example calls one function of the module, which need not take every input; but some example gives each. */
function neverGiven(examples: readonly ResearchExample[], sketch: Sketch): string[] {
  const given = new Set(examples.flatMap(({ inputs }) => inputs.map(({ name }) => name)));
  return needed(sketch)
    .filter((name) => !given.has(name))
    .map((name) => `no example gives the input ${name}: show what it does`);
}

function unknownInputs(given: readonly string[], sketch: Sketch, where: string): string[] {
  const known = namedInputs(sketch)?.map(({ name }) => name);
  const isKnown = (name: string) => known === undefined || known.includes(name);
  return [
    ...given.filter((name) => !isKnown(name)).map((name) => `${where}: the plan has no input ${name}`),
    ...given
      .filter((name, index) => given.indexOf(name) !== index)
      .map((name) => `${where}: ${name} is there twice`),
  ];
}

function needed(sketch: Sketch): string[] {
  return (namedInputs(sketch) ?? []).flatMap(({ name, optional }) => (optional ? [] : [name]));
}

/** Undefined where the plan does not name all of them: only what it names can be held against it. */
function namedInputs({ inputs }: Sketch): { name: string; optional: boolean }[] | undefined {
  if (isNone(inputs)) return [];
  const known = inputs.map(ioNameOf).flatMap((each) => (each === undefined ? [] : [each]));
  return known.length < inputs.length ? undefined : known;
}

/** The same call twice says nothing new, or one of the two is wrong; what has effects may well differ. */
function alike(examples: readonly ResearchExample[], sketch: Sketch): string[] {
  const isPure = isNone(sketch.effects);
  const calls = new Map<string, ResearchExample>();
  const names = new Set<string>();
  return examples.flatMap((example) => {
    const problems = names.has(example.name) ? [`"${example.name}" is the name of two examples`] : [];
    names.add(example.name);
    const call = callOf(example);
    const first = calls.get(call);
    if (first === undefined) calls.set(call, example);
    else if (outcomeOf(first) === outcomeOf(example))
      problems.push(`"${example.name}" shows the same as "${first.name}": drop one of them`);
    else if (isPure)
      problems.push(
        `"${example.name}" contradicts "${first.name}": for the same inputs one ${outcomeOf(example)}, the other ${outcomeOf(first)}`,
      );
    return problems;
  });
}

function callOf({ situation, inputs }: ResearchExample): string {
  const sorted = inputs.map(({ name, value }) => `${name}=${spelled(value)}`).toSorted();
  return [situation?.trim() ?? "", ...sorted].join("\n");
}

function outcomeOf({ gives, throws }: ResearchExample): string {
  return throws === null ? `gives ${spelled(gives ?? "")}` : `throws ${throws.trim()}`;
}

/** The same value however it is spaced; text in quotes counts as it is. */
function spelled(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return value.trim();
  }
}

export function errorOf({
  throws,
}: Pick<ResearchExample, "throws">): { name: string; message: string } | undefined {
  if (throws === null) return undefined;
  const read = outputOf({ kind: "block", language: "error", text: throws, line: 1 });
  return typeof read !== "string" && read.form === "error" ? read : undefined;
}

/** A line that does not begin with the name of a class is for people. */
function errorNames({ error_surfaces }: Sketch): string[] {
  if (isNone(error_surfaces)) return [];
  return error_surfaces.flatMap((line) => /^\p{Lu}[\p{L}\p{N}_$]*/u.exec(line.trim())?.[0] ?? []);
}

function isNone(lines: readonly string[]): boolean {
  return lines.every((line) => /^none\b/i.test(line.trim()));
}
