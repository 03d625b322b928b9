// A few examples that a worker may see, from tests of a track that show one call and its plain result.
import ts from "typescript6";
import type { EntrySketch } from "../../../simulator/cases/module-sketch.ts";
import type { CaseExample } from "../../../simulator/port.ts";
import { callsEntry } from "../test-file.ts";
import { codeBefore, isAsync, isCleanedUp } from "./block-code.ts";
import { namesIn } from "./code-text.ts";
import { errorsOf, expectedErrors } from "./expected-errors.ts";
import { expectationOf, isOfValue, jsonOf } from "./expectations.ts";
import type { TrackTest } from "./track-blocks.ts";

/** For each entry point; the rest stays hidden. */
const MOST_SHOWN = 2;

/** `exported` are the names that a test may use of the module. */
export function examplesOf(
  tests: readonly TrackTest[],
  entries: readonly EntrySketch[],
  exported: readonly string[],
): CaseExample[] {
  return entries.flatMap((sketch) => {
    const others = exported.filter((name) => name !== rootOf(sketch.entry));
    const isShown = ({ call }: CaseExample) =>
      !others.some((name) => new RegExp(String.raw`\b${name}\b`).test(call));
    const thrown = throwing(tests, sketch).filter(isShown).slice(0, 1);
    const given = tests.flatMap((test) => giving(test, sketch) ?? []).filter(isShown);
    return [...given.slice(0, MOST_SHOWN - thrown.length), ...thrown];
  });
}

function rootOf(entry: string): string {
  return entry.split(".")[0] ?? entry;
}

function giving(test: TrackTest, sketch: EntrySketch): CaseExample | undefined {
  const { body } = test.body;
  const statements = ts.isBlock(body) ? body.statements : [];
  const at = statements.findIndex((each) => each.getText().includes("expect("));
  const statement = statements[at];
  const shown = statement !== undefined && ts.isExpressionStatement(statement) ? statement.expression : body;
  const expectation = expectationOf(shown);
  if (expectation === undefined || !isOfValue(expectation)) return undefined;
  const gives = jsonOf(test, expectation, sketch.output.type);
  if (gives === undefined) return undefined;
  const { actual } = expectation;
  const before = neededBefore(statements.slice(0, Math.max(at, 0)), actual);
  const lines = [...codeBefore(test), ...before.map((each) => each.getText())].map(ended);
  const call = [...lines, actual.getText()].join("\n");
  if (isCleanedUp(test) || !callsEntry(call, sketch.entry) || (isAsync(test) && !call.includes("await ")))
    return undefined;
  return {
    title: test.title,
    entry: sketch.entry,
    call,
    inputs: inputsOf(sketch, actual),
    gives,
    throws: null,
  };
}

function ended(statement: string): string {
  return /[;}]$/.test(statement) ? statement : `${statement};`;
}

/** What declares nothing may change what the call gives. */
function neededBefore(statements: readonly ts.Statement[], actual: ts.Expression): ts.Statement[] {
  const kept: ts.Node[] = [actual];
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

function inputsOf({ inputs, entry }: EntrySketch, actual: ts.Expression): CaseExample["inputs"] {
  const called = ts.isAwaitExpression(actual) ? actual.expression : actual;
  if (!ts.isCallExpression(called) || called.expression.getText() !== entry) return [];
  return called.arguments.flatMap((value, index) => {
    const name = inputs[index]?.name;
    return name === undefined ? [] : [{ name, value: value.getText() }];
  });
}

/** Only where the test says all of what is thrown, and the call needs nothing before it. */
function throwing(tests: readonly TrackTest[], sketch: EntrySketch): CaseExample[] {
  const only = sketch.errors.length === 1 ? sketch.errors[0]?.name : undefined;
  return errorsOf(expectedErrors(tests), sketch.entry).flatMap(({ test, call, name, message }) => {
    const thrown = name ?? only;
    const isWhole = codeBefore(test).length === 0 && isOnly(test);
    if (thrown === undefined || message === undefined || !isWhole) return [];
    const throws = `${thrown}: ${message}`;
    return [{ title: test.title, entry: sketch.entry, call, inputs: [], gives: null, throws }];
  });
}

function isOnly({ body: { body } }: TrackTest): boolean {
  return !ts.isBlock(body) || body.statements.length === 1;
}
