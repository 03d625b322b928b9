// Several suites against several implementations: where implementations disagree, the specification decides or a person.
import { z } from "zod";
import { Text } from "../refs.ts";
import type { FunctionSpec } from "./function-spec.ts";

/** One input on which two implementations give different results, as text. */
export const Disagreement = z.strictObject({
  entry: Text,
  args: z.string(),
  left: z.string(),
  right: z.string(),
});
export type Disagreement = z.infer<typeof Disagreement>;

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

/** An example of the specification with exactly this call says who is right; nothing else is guessed. */
export function decideBySpec(functions: readonly FunctionSpec[], found: Disagreement): Decided {
  const call = plain(`${found.entry}(${found.args})`);
  const examples = functions.flatMap(({ examples }) => examples);
  const example = examples.find(({ input }) => plain(input) === call);
  if (example === undefined) return "undecided";
  const expected = plain(example.expected);
  if (plain(found.left) === expected) return "left";
  return plain(found.right) === expected ? "right" : "neither";
}

/** A test that asks for what the specification has just decided against. */
export function contradictsSpec(
  failure: { counterexample?: string | undefined; expected?: string | undefined; message: string },
  found: Disagreement,
  wrong: string,
): boolean {
  const shown = `${plain(failure.counterexample ?? "")} ${plain(failure.message)}`;
  const args = plain(found.args);
  return args !== "" && shown.includes(args) && plain(failure.expected ?? "") === plain(wrong);
}

/** How people write is not what they mean: quotes, a closing semicolon, and spaces outside of texts. */
function plain(text: string): string {
  const parts = text.replaceAll(/['`]/g, '"').trim().replace(/;$/, "").split('"');
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll(/\s+/g, "") : part)).join('"');
}
