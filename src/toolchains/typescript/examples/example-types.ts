// Type-checks the code of examples against the module's own types, so that a reader who copies one gets no error.
import type { Diagnostic } from "typescript/unstable/sync";
import { DiagnosticCategory } from "typescript/unstable/sync";
import type { Example } from "../../../domain/evidence/examples.ts";
import type { ModuleView } from "../compiler/module-view.ts";
import { withProgram } from "../compiler/program.ts";
import { EXAMPLES_FOLDER, type ExampleCode } from "./example-code.ts";
import type { CodeProblem } from "./example-ground.ts";

/** For each example, in their order. */
export function typeProblems(
  view: ModuleView,
  examples: readonly Example[],
  codes: readonly ExampleCode[],
): CodeProblem[][] {
  const sound = codes.flatMap((code, at) => (code.kind === "sound" ? [{ at, text: code.typed }] : []));
  if (sound.length === 0) return [];
  const texts = Object.fromEntries(sound.map(({ at, text }) => [pathOf(at), text]));
  const layout = { ...view.layout, sources: [...view.layout.sources, ...Object.keys(texts)] };
  return withProgram(
    { ...view, layout },
    (program) =>
      examples.map(({ input }, at) => {
        const text = texts[pathOf(at)];
        if (text === undefined) return [];
        const errors = program.diagnostics(pathOf(at)).filter(isError).slice(0, MOST_ERRORS);
        return errors.map((error) => ({
          line: input.line + text.slice(0, error.pos).split("\n").length - 1,
          message: `TS${error.code}: ${error.text.slice(0, 500)} (where a wrong value is the point, write // @ts-expect-error above it)`,
        }));
      }),
    texts,
  );
}

function pathOf(at: number): string {
  return `${EXAMPLES_FOLDER}/typed-${at + 1}.ts`;
}

const MOST_ERRORS = 5;

/** Not about the code: names that are not used, and what a module may hold at its top. */
const LEFT_ALONE = new Set([6133, 6192, 6196, 6198, 1375, 1378, 1286, 1287, 1295]);

function isError({ category, code }: Diagnostic): boolean {
  return category === DiagnosticCategory.Error && !LEFT_ALONE.has(code);
}
