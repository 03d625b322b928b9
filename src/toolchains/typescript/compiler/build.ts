// Type errors of a module's sources and tests.
import type { Diagnostic } from "typescript/unstable/sync";
import { DiagnosticCategory } from "typescript/unstable/sync";
import { CupelError } from "../../../domain/error.ts";
import type { BuildReport, Place } from "../../port.ts";
import type { ModuleView } from "./module-view.ts";
import { type Program, withProgram } from "./program.ts";

export function build(view: ModuleView): BuildReport {
  try {
    return withProgram(view, buildReport);
  } catch (error) {
    if (!(error instanceof CupelError && error.code === "cannot_start")) throw error;
    const message = `${error.message}: ${error.expected ?? ""}`;
    return { kind: "broken", files: 0, errors: [{ file: view.layout.entry, line: 1, message }] };
  }
}

export function buildReport(program: Program): BuildReport {
  const { sources, tests } = program.layout;
  const paths = [
    ...new Set([...sources, ...tests, ...program.own().flatMap((file) => program.pathOf(file) ?? [])]),
  ];
  const missing = paths.filter((path) => program.file(path) === undefined);
  const checked = paths.filter((path) => !missing.includes(path));
  const errors = [
    ...program.refused,
    ...missing.map((file) => ({ file, line: 1, message: "this file is not there or is no code" })),
    ...program
      .globalDiagnostics()
      .filter(isError)
      .map((each) => placeOf(program, each)),
    ...checked.flatMap((path) =>
      program
        .diagnostics(path)
        .filter(isError)
        .map((each) => placeOf(program, each)),
    ),
  ];
  const distinct = [...new Map(errors.map((each) => [JSON.stringify(each), each])).values()];
  if (distinct.length === 0 && checked.length > 0) return { kind: "built", files: checked.length };
  const errorsInOrder = [...program.leftOut, ...distinct.toSorted(inOrder)];
  return { kind: "broken", files: checked.length, errors: bounded(errorsInOrder) };
}

const MOST_ERRORS = 50;
const MOST_CHARACTERS = 1_000;

/** A hostile module can have as many errors as it likes; people read the first. */
function bounded(errors: Place[]): Place[] {
  if (errors.length === 0) return [{ file: "", line: 1, message: "there is no file to check" }];
  const shown = errors.slice(0, MOST_ERRORS);
  const last = shown.at(-1);
  if (errors.length === shown.length || last === undefined) return shown;
  return [...shown, { ...last, message: `and ${errors.length - shown.length} more errors` }];
}

function isError({ category }: Diagnostic): boolean {
  return category === DiagnosticCategory.Error;
}

function placeOf(program: Program, diagnostic: Diagnostic): Place {
  const message = messageOf(diagnostic, 0).replaceAll(/\/cupel\/[0-9a-z]+\/(?:[0-9a-f]{64}\/)?/g, "");
  const source = [...program.texts.keys()].find((path) => diagnostic.fileName?.endsWith(`/${path}`));
  const line =
    source === undefined ? 1 : (program.texts.get(source) ?? "").slice(0, diagnostic.pos).split("\n").length;
  return {
    file: source ?? "tsconfig.json",
    line,
    message: `TS${diagnostic.code}: ${message}`.slice(0, MOST_CHARACTERS),
  };
}

function messageOf({ text, messageChain }: Diagnostic, depth: number): string {
  const inner = depth > 4 ? [] : (messageChain ?? []).map((each) => messageOf(each, depth + 1));
  return [text, ...inner].join(" ");
}

function inOrder(one: Place, other: Place): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || (one.message < other.message ? -1 : 1);
}
