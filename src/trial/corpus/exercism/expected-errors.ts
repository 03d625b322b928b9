// The errors that tests of a track expect: which call throws, and what they say of what is thrown.
import ts from "typescript6";
import { everyNode } from "../../../toolchains/typescript/static/syntax.ts";
import { callsEntry } from "../test-file.ts";
import { literalText } from "./code-text.ts";
import { expectationsIn, isOfError } from "./expectations.ts";
import { meant } from "./meant.ts";
import type { TrackTest } from "./track-blocks.ts";

export interface ExpectedError {
  test: TrackTest;
  /** Where the test says so. */
  within: ts.Node;
  /** The code that throws. */
  call: string;
  /** Undefined where the test does not say. */
  name: string | undefined;
  message: string | undefined;
}

export function expectedErrors(tests: readonly TrackTest[]): ExpectedError[] {
  return tests.flatMap((test) =>
    expectationsIn(test)
      .filter(isOfError)
      .flatMap(({ node, actual, expected }): ExpectedError[] => {
        const call = throwing(meant(test, actual));
        return call === undefined ? [] : [{ test, within: node, call, ...saidOf(test, expected) }];
      }),
  );
}

export function errorsOf(errors: readonly ExpectedError[], entry: string): ExpectedError[] {
  return errors.filter(({ call }) => callsEntry(call, entry));
}

/** The only text that some code gives an error of this class, or the only one that has the part in it. */
export function messageIn(
  code: readonly ts.Node[],
  error: string,
  part: string | undefined,
): string | undefined {
  const nodes = code.flatMap((tree) => [...everyNode(tree)]);
  const own = nodes.find((node) => ts.isClassDeclaration(node) && node.name?.text === error);
  const ofItsOwn = own === undefined ? [] : [...everyNode(own)].flatMap((node) => textOf(node, "super"));
  const texts = ofItsOwn.length > 0 ? ofItsOwn : nodes.flatMap((node) => textOf(node, error));
  const fitting = [...new Set(texts)].filter((each) => each.includes(part ?? ""));
  return fitting.length === 1 ? fitting[0] : part;
}

function textOf(node: ts.Node, made: string): string[] {
  const isMaking =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === made;
  const text = isMaking ? literalText(node.arguments?.[0]) : undefined;
  return text === undefined ? [] : [text];
}

/** The expression within `() => …`, after the statements before it. */
function throwing(actual: ts.Expression): string | undefined {
  if (!ts.isArrowFunction(actual) && !ts.isFunctionExpression(actual)) return undefined;
  if (!ts.isBlock(actual.body)) return actual.body.getText();
  const last = actual.body.statements.at(-1);
  if (last === undefined) return actual.body.getText();
  const shown = ts.isExpressionStatement(last) || ts.isReturnStatement(last) ? last.expression : undefined;
  const before = actual.body.statements.slice(0, -1).map((each) => each.getText());
  return [...before, (shown ?? last).getText()].join("\n");
}

function saidOf(
  test: TrackTest,
  expected: ts.Expression | undefined,
): Pick<ExpectedError, "name" | "message"> {
  const value = expected === undefined ? undefined : meant(test, expected);
  if (value === undefined) return { name: undefined, message: undefined };
  const isClass = ts.isNewExpression(value) || ts.isCallExpression(value);
  const message = isClass ? value.arguments?.[0] : value;
  const name = isClass ? value.expression.getText() : ts.isIdentifier(value) ? value.text : undefined;
  return { name, message: literalText(message) };
}
