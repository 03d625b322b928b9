// The errors that tests of a track expect: which call throws, and what they say of what is thrown.
import ts from "typescript6";
import { callsEntry } from "../test-file.ts";
import { literalText } from "./code-text.ts";
import { expectationsIn, isOfError, meant } from "./expectations.ts";
import type { TrackTest } from "./track-blocks.ts";

export interface ExpectedError {
  test: TrackTest;
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
      .flatMap(({ actual, expected }): ExpectedError[] => {
        const call = throwing(meant(test, actual));
        return call === undefined ? [] : [{ test, call, ...saidOf(test, expected) }];
      }),
  );
}

export function errorsOf(errors: readonly ExpectedError[], entry: string): ExpectedError[] {
  return errors.filter(({ call }) => callsEntry(call, entry));
}

/** The one expression within `() => …`. */
function throwing(actual: ts.Expression): string | undefined {
  if (!ts.isArrowFunction(actual) && !ts.isFunctionExpression(actual)) return undefined;
  if (!ts.isBlock(actual.body)) return actual.body.getText();
  const [only, ...others] = actual.body.statements;
  if (only === undefined || others.length > 0) return actual.body.getText();
  if (ts.isExpressionStatement(only)) return only.expression.getText();
  return ts.isReturnStatement(only) ? only.expression?.getText() : only.getText();
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
