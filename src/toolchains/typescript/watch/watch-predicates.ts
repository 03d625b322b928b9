// Prepares the watch on a module's entry points for a test run, and reads what it has seen.
import ts from "typescript6";
import type { Predicate } from "../../../domain/contract/contract.ts";
import { CupelError } from "../../../domain/error.ts";
import type { PredicateEvaluations } from "../../../domain/evidence/predicate-proof.ts";
import type { Files, Site } from "../../port.ts";
import { insideScript } from "../inside-script.ts";
import { parseCode } from "../static/syntax.ts";
import { STUB_MARK } from "../stub-mark.ts";
import type { WorkerReports } from "../vitest-run.ts";
import { checkExpression, mentions } from "./check-expression.ts";
import { PREDICATES_KEY, WATCHED_KEY, type WatchedPredicate, type WatchPlan } from "./predicate-plan.ts";

/** How the watch takes part in a run, in the words of RunExtras; then what it has seen. */
export interface PredicateWatch {
  tools: Readonly<Record<string, string>>;
  vitePlugins: readonly string[];
  /** What was seen of these. Where somebody else wanted to report, nothing counts. */
  read(reports: WorkerReports, predicates: readonly Predicate[]): SeenPredicates;
  /** Entry points whose calls were seen, wherever there were any; undefined when somebody meddled. */
  watched(reports: WorkerReports): string[] | undefined;
}

export interface SeenPredicates {
  predicates: PredicateEvaluations[];
  counterexamples: { predicate: string; text: string }[];
  /** One list for each time that the module was loaded; untrusted data. */
  calls: unknown[];
}

export async function watchPredicates(
  site: Pick<Site, "layout" | "files">,
  predicates: readonly Predicate[],
  errors: WatchPlan["errors"] = {},
  entryPoints: readonly string[] = [],
): Promise<PredicateWatch> {
  for (const predicate of predicates) checkPredicate(predicate);
  const { layout } = site;
  const plan: WatchPlan = {
    entry: layout.entry,
    sources: layout.sources,
    hasDefault: hasDefault(site.files(), layout.entry),
    entries: [...new Set([...predicates.map(({ entry }) => entry), ...entryPoints.filter(isEntryName)])],
    predicates: watchedPredicates(predicates),
    recorded: Object.keys(errors).filter((name) => !name.includes(".")),
    errors,
    stubMark: STUB_MARK,
  };
  const [plugin, runtime] = await Promise.all([
    insideScript("predicate-watch"),
    insideScript("predicate-runtime"),
  ]);
  const told = `const CUPEL_WATCH = ${JSON.stringify({ plan })};\n`;
  return {
    tools: { [PLUGIN]: `${told}${plugin}`, [RUNTIME]: `${told}${runtime}` },
    vitePlugins: [PLUGIN],
    read: (reports, asked) => read(toldBy(reports), asked),
    watched: (reports) => watchedIn(toldBy(reports)),
  };
}

function toldBy(reports: WorkerReports): Record<string, unknown>[] {
  return Object.values(reports).flatMap((file) => (file[PREDICATES_KEY] ?? []).map(fieldsOf));
}

export function watchedPredicates(predicates: readonly Predicate[]): WatchedPredicate[] {
  return predicates.map(({ id, entry, kind, expr }) => ({
    id,
    entry,
    kind,
    expr,
    about: { result: mentions(expr, "result"), error: mentions(expr, "error") },
  }));
}

const PLUGIN = "predicate-watch.mjs";
const RUNTIME = "predicate-runtime.worker.mjs";

export function checkPredicate({ id, entry, kind, expr }: Predicate): void {
  const checked = checkExpression(expr, kind);
  if (checked.kind === "sound" && isEntryName(entry)) return;
  const why =
    checked.kind === "sound"
      ? `${entry} is no entry point`
      : checked.problems.map(({ message }) => message).join("; ");
  throw new CupelError("invalid_input", `the predicate ${id} cannot be watched: ${why}`, {
    expected: "one expression that only looks, and an entry such as parse or Parser.parse",
  });
}

/** Such as `parse` or `Parser.parse`. */
export function isEntryName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)?$/u.test(name);
}

export function hasDefault(files: Files, entry: string): boolean {
  const [file] = parseCode(files, [entry]).files;
  return (
    file?.tree.statements.some((statement) => {
      if (ts.isExportAssignment(statement)) return statement.isExportEquals !== true;
      if (ts.isExportDeclaration(statement)) {
        const clause = statement.exportClause;
        return (
          clause !== undefined &&
          ts.isNamedExports(clause) &&
          clause.elements.some(({ name }) => name.text === "default")
        );
      }
      const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
      return modifiers?.some((each) => each.kind === ts.SyntaxKind.DefaultKeyword) === true;
    }) === true
  );
}

function watchedIn(reports: readonly Record<string, unknown>[]): string[] | undefined {
  if (isTampered(reports)) return undefined;
  const names = reports.flatMap((report) => report[WATCHED_KEY]);
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

function isTampered(reports: readonly Record<string, unknown>[]): boolean {
  return reports.some((report) => report["tampered"] === true);
}

function read(reports: readonly Record<string, unknown>[], predicates: readonly Predicate[]): SeenPredicates {
  const seen = isTampered(reports)
    ? []
    : reports.flatMap(({ seen: list }) => (Array.isArray(list) ? list.map(fieldsOf) : []));
  const evaluations = predicates.map(({ id }) => {
    const own = seen.filter((each) => each["predicate"] === id);
    const sum = (field: string) => own.reduce((total, each) => total + countOf(each[field]), 0);
    return { predicate: id, evaluated: sum("evaluated"), upheld: sum("upheld"), broken: sum("broken") };
  });
  const counterexamples = predicates.flatMap(({ id }) => {
    const texts = seen.filter((each) => each["predicate"] === id).map((each) => each["counterexample"]);
    const text = texts.find((each) => typeof each === "string");
    return text === undefined ? [] : [{ predicate: id, text }];
  });
  const calls = isTampered(reports) ? [] : reports.map((report) => report["calls"]);
  return { predicates: evaluations, counterexamples, calls };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0;
}
