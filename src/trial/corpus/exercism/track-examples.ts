// A few examples that a worker may see, from tests of a track that show what one call comes to.
import ts from "typescript6";
import { placeholderIn } from "../../../domain/evidence/example-placeholder.ts";
import type { EntrySketch } from "../../../simulator/cases/module-sketch.ts";
import type { CaseExample } from "../../../simulator/port.ts";
import { callsEntry } from "../test-file.ts";
import { codeBefore, isAsync, isCleanedUp } from "./block-code.ts";
import { namesIn } from "./code-text.ts";
import { inputsIn } from "./example-inputs.ts";
import { errorsOf, type ExpectedError } from "./expected-errors.ts";
import { expectationOf, shownBy } from "./expectations.ts";
import type { TrackTest } from "./track-blocks.ts";

/** Of values, for each entry point, and of each error one; the rest stays hidden. */
const MOST_SHOWN = 2;
/** Of an example's name. */
const LONGEST_NAME = 110;

/** Of what, a strict compiler could not tell. */
const UNTYPED = /\b(?:const|let|var)\s+\w+\s*=\s*\[\s*\]/;

export interface ShownBy {
  tests: readonly TrackTest[];
  errors: readonly ExpectedError[];
  /** What the reference says in such an error, of which a test may know a part. */
  messageOf: (error: string, part: string | undefined) => string | undefined;
}

/** `exported` are the names that a test may use of the module. */
export function examplesOf(
  { tests, errors, messageOf }: ShownBy,
  entries: readonly EntrySketch[],
  exported: readonly string[],
): CaseExample[] {
  const roots = new Set(entries.map(({ entry }) => entry.split(".")[0] ?? entry));
  const others = exported.filter((name) => !roots.has(name));
  const isShown = ({ call, inputs, gives }: CaseExample) =>
    !UNTYPED.test(call) &&
    !others.some((name) => new RegExp(String.raw`\b${name}\b`).test(call)) &&
    [call, gives ?? "", ...inputs.map(({ value }) => value)].every(
      (text) => placeholderIn(text) === undefined,
    );
  const all = entries.flatMap((sketch) => {
    const given = tests.flatMap((test) => giving(test, sketch) ?? []).filter(isShown);
    const thrown = throwing(errorsOf(errors, sketch.entry), sketch, messageOf).filter(isShown);
    return [...oncePer(given, ({ call }) => call).slice(0, MOST_SHOWN), ...oncePer(thrown, classOf)];
  });
  return withNames([...all, ...again(all, entries)]);
}

/** An ordinary case alone has no edge; what has no effects gives the same when it is asked again. */
function again(examples: readonly CaseExample[], entries: readonly EntrySketch[]): CaseExample[] {
  const [only, ...others] = examples.filter(({ throws }) => throws === null);
  const isPure = entries.every(({ effects = [] }) => effects.length === 0);
  if (only === undefined || others.length > 0 || !isPure || only.call.includes("\n")) return [];
  return [{ ...only, title: `${only.title}, asked again`, call: `${only.call};\n${only.call}` }];
}

function oncePer(examples: readonly CaseExample[], key: (example: CaseExample) => string): CaseExample[] {
  const keys = examples.map(key);
  return examples.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

function classOf({ throws }: CaseExample): string {
  return throws?.split(":")[0] ?? "";
}

/** Short ones that are all different: the end of a title says most. */
function withNames(examples: readonly CaseExample[]): CaseExample[] {
  const taken = new Set<string>();
  return examples.map((example) => {
    const { title } = example;
    const short = title.length > LONGEST_NAME ? `…${title.slice(-LONGEST_NAME)}` : title;
    let name = short;
    for (let again = 2; taken.has(name); again += 1) name = `${short} (${again})`;
    taken.add(name);
    return { ...example, title: name };
  });
}

function giving(test: TrackTest, sketch: EntrySketch): CaseExample | undefined {
  const { body } = test.body;
  const statements = ts.isBlock(body) ? body.statements : [];
  const at = statements.findIndex((each) => each.getText().includes("expect("));
  const statement = statements[at];
  const expectation =
    statement === undefined || ts.isExpressionStatement(statement)
      ? expectationOf(statement?.expression ?? body)
      : undefined;
  const shown = expectation === undefined ? undefined : shownBy(test, expectation, sketch.output.type);
  if (expectation === undefined || shown === undefined) return undefined;
  const before = neededBefore(statements.slice(0, Math.max(at, 0)), [expectation.actual]);
  const call = codeOf(test, before, shown.code);
  if (isCleanedUp(test) || !callsEntry(call, sketch.entry) || (isAsync(test) && !call.includes("await ")))
    return undefined;
  const inputs = inputsIn(call, sketch);
  return { title: test.title, entry: sketch.entry, call, inputs, gives: shown.gives, throws: null };
}

function codeOf(test: TrackTest, before: readonly ts.Statement[], call: string): string {
  const lines = [...codeBefore(test), ...before.map((each) => each.getText())];
  return [...lines.map((line) => (/[;}]$/.test(line) ? line : `${line};`)), call].join("\n");
}

/** What declares nothing may change what the call gives. */
function neededBefore(statements: readonly ts.Statement[], shown: readonly ts.Node[]): ts.Statement[] {
  const kept = [...shown];
  return statements
    .toReversed()
    .filter((statement) => {
      const names = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.flatMap(({ name }) => [...namesIn([name])])
        : undefined;
      const isNeeded = names === undefined || names.some((name) => namesIn(kept).has(name));
      if (isNeeded) kept.push(statement);
      return isNeeded;
    })
    .toReversed();
}

/** Where what is thrown is known whole. */
function throwing(
  errors: readonly ExpectedError[],
  sketch: EntrySketch,
  messageOf: ShownBy["messageOf"],
): CaseExample[] {
  const declared = sketch.errors.map(({ name }) => name);
  const only = declared.length === 1 ? declared[0] : undefined;
  return errors.flatMap(({ test, call: thrown, within, name = only, message }) => {
    const { body } = test.body;
    const statements = ts.isBlock(body) ? [...body.statements] : [];
    const at = statements.findIndex((each) => each.pos <= within.pos && within.end <= each.end);
    const says = name === undefined ? undefined : messageOf(name, message);
    const isPlain = !isCleanedUp(test) && !isAsync(test);
    if (name === undefined || says === undefined || !declared.includes(name) || !isPlain) return [];
    const before = neededBefore(statements.slice(0, Math.max(at, 0)), [within]).filter(
      (each) => !each.getText().includes("expect("),
    );
    const call = codeOf(test, before, thrown);
    const inputs = inputsIn(call, sketch);
    return [
      { title: test.title, entry: sketch.entry, call, inputs, gives: null, throws: `${name}: ${says}` },
    ];
  });
}
