// Makes of an example's code the file that is type-checked and the file that is run; lines stay where they are.
import { posix } from "node:path";
import ts from "typescript6";
import type { Example } from "../../../domain/evidence/examples.ts";
import { parseCode } from "../static/syntax.ts";
import type { CodeProblem, ExampleGround } from "./example-ground.ts";
import { ownImports, ruleProblems } from "./example-rules.ts";

export type ExampleCode =
  | { kind: "sound"; typed: string; run: string; mentions: string[] }
  | { kind: "refused"; problems: CodeProblem[] };

/** Where examples lie in a copy. */
export const EXAMPLES_FOLDER = "cupel-examples";

export function exampleCode({ input }: Pick<Example, "input">, ground: ExampleGround): ExampleCode {
  const { code, line } = input;
  const syntax = parseCode({ [FILE]: code }, [FILE]);
  const tree = syntax.files[0]?.tree;
  const placed = (problems: readonly CodeProblem[]): ExampleCode => ({
    kind: "refused",
    problems: problems.map((problem) => ({ line: line + problem.line - 1, message: problem.message })),
  });
  if (tree === undefined || syntax.problems.length > 0) return placed(syntax.problems);
  const problems = ruleProblems(tree, syntax, ground);
  const last = tree.statements.at(-1);
  if (problems.length > 0 || last === undefined || !ts.isExpressionStatement(last)) return placed(problems);
  const own = ownImports(tree, ground);
  const from = posix.relative(EXAMPLES_FOLDER, ground.entry);
  const resolved = own.map(({ moduleSpecifier }) => ({
    start: moduleSpecifier.getStart(tree),
    end: moduleSpecifier.end,
    text: JSON.stringify(from),
  }));
  const { expression } = last;
  const shown = {
    start: expression.getStart(tree),
    end: last.end,
    text: `export default (${expression.getText(tree)}\n);`,
  };
  return {
    kind: "sound",
    typed: edited(code, resolved),
    run: edited(code, [...resolved, shown]),
    mentions: own.flatMap(importedNames),
  };
}

const FILE = "example.ts";

function edited(text: string, edits: readonly { start: number; end: number; text: string }[]): string {
  const backwards = edits.toSorted((one, other) => other.start - one.start);
  return backwards.reduce(
    (now, edit) => `${now.slice(0, edit.start)}${edit.text}${now.slice(edit.end)}`,
    text,
  );
}

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}
