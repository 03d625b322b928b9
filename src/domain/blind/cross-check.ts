// Several suites against several implementations: where implementations disagree, the specification decides or a person.
import { z } from "zod";
import { Text } from "../refs.ts";
import type { FunctionSpec } from "./function-spec.ts";

/** One input on which two implementations do different things, as text: `returned "a"`, `threw <BlankTitle>`. */
export interface Disagreement {
  entry: string;
  args: string;
  left: string;
  right: string;
  /** Predicates of the contract that each breaks there. */
  breaks: { left: readonly string[]; right: readonly string[] };
}

/** One row for each suite, one column for each implementation: the names of the tests that fail. */
export const MatrixCell = z.strictObject({
  suite: Text,
  implementation: z.int().min(0),
  failing: z.array(Text),
});
export type MatrixCell = z.infer<typeof MatrixCell>;

/** Tests by the names that their authors gave them; what nobody claims is a row of its own. */
export function matrixOf(
  suites: readonly { suite: string; tests: readonly string[] }[],
  failing: readonly (readonly string[])[],
): MatrixCell[] {
  const claimed = new Set(suites.flatMap(({ tests }) => tests));
  return failing.flatMap((names, implementation) => [
    ...suites.map(({ suite, tests }) => ({
      suite,
      implementation,
      failing: names.filter((name) => tests.includes(name)),
    })),
    ...(names.some((name) => !claimed.has(name))
      ? [{ suite: "unclaimed", implementation, failing: names.filter((name) => !claimed.has(name)) }]
      : []),
  ]);
}

export type Decided = "left" | "right" | "neither" | "undecided";

/** An example with exactly this call says who is right, else the predicates that only one breaks; nothing is guessed. */
export function decideBySpec(functions: readonly FunctionSpec[], found: Disagreement): Decided {
  const call = plain(`${found.entry}(${found.args})`);
  const examples = functions.flatMap(({ examples }) => examples);
  const example = examples.find(({ input }) => plain(input) === call);
  if (example === undefined) return decideByPredicates(found);
  if (agrees(found.left, example.expected)) return "left";
  return agrees(found.right, example.expected) ? "right" : "neither";
}

function decideByPredicates({ breaks: { left, right } }: Disagreement): Decided {
  if (left.length > 0 && right.length > 0) return "neither";
  if (left.length > 0) return "right";
  return right.length > 0 ? "left" : "undecided";
}

/** Whether what was seen is what an example promises: a value as it is written, or an error by its class. */
function agrees(seen: string, expected: string): boolean {
  const error = /^threw <(\w+)>/.exec(seen)?.[1];
  if (error !== undefined) return new RegExp(`\\b${error}\\b`).test(expected);
  return value(seen) === plain(expected);
}

function value(seen: string): string {
  return plain(seen.replace(/^returned /, ""));
}

/** A test that asks for what the specification has just decided against. */
export function contradictsSpec(
  failure: { counterexample?: string | undefined; expected?: string | undefined; message: string },
  found: Disagreement,
  wrong: string,
): boolean {
  const shown = `${plain(failure.counterexample ?? "")} ${plain(failure.message)}`;
  const args = plain(found.args);
  return args !== "" && shown.includes(args) && plain(failure.expected ?? "") === value(wrong);
}

/** How people write is not what they mean: quotes, a closing semicolon, and spaces outside of texts. */
function plain(text: string): string {
  const parts = text.replaceAll(/['`]/g, '"').trim().replace(/;$/, "").split('"');
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll(/\s+/g, "") : part)).join('"');
}
