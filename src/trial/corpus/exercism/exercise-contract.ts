// The contract of an exercise, from what its exemplar offers and what its tests say of errors.
import type { ContractDraft } from "../../../domain/contract/contract-draft.ts";
import { contractOfEntries, type EntrySketch } from "../../../simulator/cases/module-sketch.ts";
import type { SeenEffect, SurfaceEntry } from "../../../toolchains/port.ts";
import { callsEntry } from "../test-file.ts";
import { errorsOf, type ExpectedError } from "./expected-errors.ts";
import { type Callable, callablesOf, holdsFor } from "./signatures.ts";

export interface Known {
  /** What tests use of the surface. */
  offered: readonly SurfaceEntry[];
  /** The code of the tests. */
  tests: string;
  errors: readonly ExpectedError[];
  effects: readonly SeenEffect[];
}

/** Methods that no test calls are the exemplar's own business. */
export function sketchesOf({ offered, tests, errors, effects: seen }: Known): EntrySketch[] {
  const thrown = new Set(offered.flatMap(({ throws }) => throws));
  const types = new Map<string, string>();
  const effects = effectsOf(seen);
  const isUsed = ({ entry }: Callable) => !entry.includes(".") || callsEntry(tests, entry);
  return offered
    .filter(({ name }) => !thrown.has(name))
    .flatMap((entry) =>
      callablesOf(entry, (member) => new RegExp(String.raw`\.${member}\b`).test(tests))
        .filter(isUsed)
        .map((callable) => ({
          entry: callable.entry,
          signature: callable.signature,
          inputs: inputsOf(callable, types),
          output: outputOf(callable),
          errors: entry.throws.map((name) => errorOf(name, errors)),
          ...(effects.length === 0 ? {} : { effects }),
        })),
    );
}

/** An error is looked for where a test shows it; at an entry point that never throws in tests nothing could be seen. */
export function contractOf(
  slug: string,
  entries: readonly EntrySketch[],
  errors: readonly ExpectedError[],
): ContractDraft {
  const contract = contractOfEntries({ tags: slug.split("-"), entries }, []);
  const isShown = ({ entry }: { entry: string }) => errorsOf(errors, entry).length > 0;
  const predicates = contract.predicates.filter(
    (each, index, all) =>
      each.kind !== "throws" ||
      isShown(each) ||
      (!all.some((other) => other.of === each.of && isShown(other)) &&
        all.findIndex((other) => other.of === each.of) === index),
  );
  return { ...contract, predicates };
}

/** Inputs of one name are one thing to a contract, so those of another type get the name of their entry point. */
function inputsOf({ entry, parameters }: Callable, types: Map<string, string>): EntrySketch["inputs"] {
  return parameters.map(({ name, type, optional }) => {
    const known = types.get(name) ?? type;
    const called = known === type ? name : `${entry}.${name}`;
    types.set(called, type);
    return { name: called, type, optional };
  });
}

function outputOf({ entry, gives }: Callable): EntrySketch["output"] {
  const ensures = holdsFor(gives);
  const name = `result of ${entry}`;
  return {
    name,
    type: gives,
    invariants: ensures === undefined ? [] : [{ invariant: `is of the type ${gives}`, ensures }],
  };
}

function errorOf(name: string, errors: readonly ExpectedError[]): EntrySketch["errors"][number] {
  const own = errors.filter((each) => each.name === undefined || each.name === name);
  const messages = [...new Set(own.flatMap(({ message }) => message ?? []))].filter((each) => each !== "");
  const titles = [...new Set(own.map(({ test }) => test.title))];
  return {
    name,
    when: titles.length === 0 ? "an input cannot be worked on" : titles.join("; "),
    throws:
      messages.length === 0 || own.some(({ message }) => message === undefined)
        ? `error.constructor.name === ${JSON.stringify(name)}`
        : messages.map((each) => `error.message.includes(${JSON.stringify(each)})`).join(" || "),
  };
}

/** One for each kind. */
function effectsOf(seen: readonly SeenEffect[]): ContractDraft["effects"] {
  const kinds = new Map(seen.map((each) => [each.type, each.what]));
  return [...kinds].map(([type, what]) => ({ type, target: what, description: `It uses ${what}.` }));
}
