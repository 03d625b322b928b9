// An exercise of a track as a task of a trial; whatever of it cannot be carried over says why.
import { basename } from "node:path";
import ts from "typescript6";
import type { EntrySketch } from "../../../simulator/cases/module-sketch.ts";
import type { Files, SurfaceEntry } from "../../../toolchains/port.ts";
import { specOf } from "../builtin-spec.ts";
import type { BuiltinTask, TestBlock } from "../builtin-task.ts";
import { callsEntry } from "../test-file.ts";
import { blockCode, insideOf, isAsync, isCleanedUp, ownBody } from "./block-code.ts";
import { instead, namesIn, parsed, withEdits } from "./code-text.ts";
import type { Workbench } from "./workbench.ts";
import { type ExerciseFiles, readExercise } from "./exercise-folder.ts";
import { contractOf, sketchesOf } from "./exercise-contract.ts";
import { expectedErrors, messageIn } from "./expected-errors.ts";
import { wrongValue } from "./expectations.ts";
import { leaveOut } from "./left-out.ts";
import { type TrackTest, trackTests } from "./track-blocks.ts";
import { examplesOf } from "./track-examples.ts";
import type { Track } from "./track.ts";
import { type Homes, importEdits, withoutEnding } from "./track-imports.ts";
import { asVitest } from "./track-tests.ts";
import { importsOf } from "./used-imports.ts";

type Exercise = Track["exercises"][number];

const ENTRY = "src/index.ts";

export async function exerciseTask(
  { slug, folder }: Exercise,
  area: string,
  workbench: Workbench,
): Promise<BuiltinTask> {
  const files = readExercise(folder);
  const homes = homesOf(files);
  const oracle = oracleOf(files, homes);
  const trees = Object.entries(oracle).map(([path, text]) => parsed(path, text));
  const tests = trees.flatMap(trackTests);
  const { solution, others } = importsOf(trees, ENTRY);
  const exemplar = exemplarOf(files, homes);
  const { surface, effects } = await workbench.look(exemplar);
  const offered = offeredBy(surface, solution);
  const reference = { ...exemplar, [ENTRY]: onlyOffered(exemplar[ENTRY] ?? "", offered) };
  const errors = expectedErrors(tests);
  const entries = sketchesOf({ offered, tests: Object.values(oracle).join("\n"), errors, effects });
  if (entries.length === 0) leaveOut("its tests use nothing that can be called");
  const contract = contractOf(slug, entries, errors);
  const constraints = tests.map(({ title }, index) => ({ id: `C${index + 1}`, text: title }));
  const code = Object.entries(reference).map(([path, text]) => parsed(path, text));
  const messageOf = (error: string, part?: string) => messageIn(code, error, part);
  const examples = examplesOf({ tests, errors, messageOf }, entries, solution);
  const title = titleOf(slug);
  const purpose = firstSentence(files.blurb) ?? `Solves the exercise ${title}.`;
  const task: BuiltinTask = {
    id: slug,
    area,
    title,
    purpose,
    spec: specOf({ title, purpose: purposeOf(files, offered), entries, constraints, examples }),
    entry: ENTRY,
    contract,
    examples,
    reference,
    oracle,
    constraints,
    tests: [...tests.map(blockOf), ...propertiesOf(tests, entries)],
    wrongTests: tests.flatMap(wrongOf),
    omissions: [],
    imports: others,
  };
  const checked = workbench.checked(task);
  if (contract.inputs.length === 0) leaveOut("nothing of it takes an input, and a plan names at least one");
  return checked;
}

function titleOf(slug: string): string {
  const words = slug.replaceAll("-", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** A plan says of a module what it is for in one. */
function firstSentence(blurb: string): string | undefined {
  return /^.*?[.!?](?=\s|$)/s.exec(blurb)?.[0].replaceAll(/\s+/g, " ") ?? (blurb === "" ? undefined : blurb);
}

/** What a class has beside its methods is in no entry point. */
function purposeOf({ instructions }: ExerciseFiles, offered: readonly SurfaceEntry[]): string {
  const classes = offered.filter(({ kind }) => kind === "class");
  return [instructions, ...classes.map(({ name, signature }) => `\`${name}\` is \`${signature}\`.`)].join(
    "\n\n",
  );
}

/** The first exemplar is the entry; others lie beside it, where solutions of the same name are looked for. */
function homesOf({ exemplars, solution }: ExerciseFiles): Homes {
  const [first = "", ...others] = Object.keys(exemplars);
  const beside = new Map(others.map((path) => [withoutEnding(basename(path)), `src/${basename(path)}`]));
  if (beside.has("index")) return leaveOut("two of its exemplars would be the entry");
  const [main = "", ...more] = solution;
  return new Map([
    [withoutEnding(first), ENTRY],
    ...others.map((path) => [withoutEnding(path), `src/${basename(path)}`] as const),
    ...more.flatMap((path) => {
      const home = beside.get(withoutEnding(basename(path)));
      return home === undefined ? [] : [[withoutEnding(path), home] as const];
    }),
    [withoutEnding(main), ENTRY],
  ]);
}

function exemplarOf({ exemplars }: ExerciseFiles, homes: Homes): Files {
  return Object.fromEntries(
    Object.entries(exemplars).map(([path, text]) => {
      const home = homes.get(withoutEnding(path)) ?? ENTRY;
      const tree = parsed(path, text);
      return [home, withEdits(text, importEdits(tree, path, home, homes))];
    }),
  );
}

function oracleOf({ tests }: ExerciseFiles, homes: Homes): Files {
  return Object.fromEntries(
    Object.entries(tests).map(([path, text], index) => {
      const at = `test/oracle${index === 0 ? "" : `-${index + 1}`}.test.ts`;
      return [at, asVitest(text, path, at, homes)];
    }),
  );
}

/** What tests import, and the errors that come out of it. */
function offeredBy(surface: readonly SurfaceEntry[], solution: readonly string[]): SurfaceEntry[] {
  const missing = solution.find((name) => !surface.some((entry) => entry.name === name));
  if (missing !== undefined) leaveOut(`its tests use ${missing}, which its exemplar does not have`);
  const used = surface.filter(({ name }) => solution.includes(name));
  const thrown = new Set(used.flatMap(({ throws }) => throws));
  return surface.filter((entry) => used.includes(entry) || thrown.has(entry.name));
}

/** What an exemplar offers beyond the exercise is its own business, and goes where it uses it for nothing itself. */
function onlyOffered(source: string, offered: readonly SurfaceEntry[]): string {
  const names = new Set(offered.map(({ name }) => name));
  const { statements } = parsed(ENTRY, source);
  const edits = statements.flatMap((statement) => {
    const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
    if (isType || !ts.canHaveModifiers(statement)) return [];
    const marks =
      ts.getModifiers(statement)?.filter(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? [];
    const own = [...namesIn([nameOf(statement)])];
    if (marks.length === 0 || own.some((name) => names.has(name))) return [];
    const used = namesIn(statements.filter((other) => other !== statement));
    return own.some((name) => used.has(name))
      ? marks.map((mark) => instead(mark, ""))
      : [instead(statement, "")];
  });
  return `${withEdits(source, edits).trimEnd()}\n`;
}

function nameOf(statement: ts.Statement): ts.Node {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name ?? statement;
  return ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement)
    ? (statement.name ?? statement)
    : statement;
}

function blockOf(test: TrackTest, index: number): TestBlock {
  return { covers: `C${index + 1}`, title: test.title, code: blockCode(test) };
}

function wrongOf(test: TrackTest, index: number): TestBlock[] {
  const edit = wrongValue(test);
  if (edit === undefined) return [];
  const title = `${test.title}, misread`;
  return [{ covers: `C${index + 1}`, title, code: blockCode(test, title, ownBody(test, [edit])) }];
}

const MOST_CASES = 6;

/** Tracks have no property tests; what always holds is that no call changes what another one gives. */
function propertiesOf(tests: readonly TrackTest[], entries: readonly EntrySketch[]): TestBlock[] {
  return entries.flatMap(({ entry }): TestBlock[] => {
    const own = tests.flatMap((test, index) =>
      !isAsync(test) && !isCleanedUp(test) && callsEntry(blockCode(test), entry) ? [{ test, index }] : [],
    );
    const cases = own.slice(0, MOST_CASES).map(({ test }) => `() => {\n${insideOf(test)}\n}`);
    if (cases.length < 2) return [];
    const title = `${entry} gives the same whatever was called before`;
    const code = `test(${JSON.stringify(title)}, () => {
const cases = [
${cases.join(",\n")},
];
fc.assert(fc.property(fc.nat({ max: ${cases.length - 1} }), (at) => cases[at]?.()), { numRuns: 50 });
});`;
    return [{ covers: `C${(own[0]?.index ?? 0) + 1}`, title, code }];
  });
}
