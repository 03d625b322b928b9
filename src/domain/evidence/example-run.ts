// What came of running the examples of a module, and what of its contract they have not shown.
import type { EntryPoint, Effect, MicroModuleContract } from "../contract/contract.ts";
import { nearest } from "../nearest.ts";
import type { Example, ExampleProblem } from "./examples.ts";

export interface ExampleRun {
  example: Example;
  outcome: ExampleOutcome;
  /** Entry points that the code of the example itself called. */
  called: string[];
  /** Errors of the contract that came out of those calls. */
  surfaced: string[];
  /** Whether what is told before and after differs, or the module printed something. */
  changed: boolean;
}

export type ExampleOutcome =
  | { kind: "equal" }
  | { kind: "differs"; expected: string; actual: string }
  /** Where a value was expected. */
  | { kind: "threw"; error: string }
  | { kind: "timed-out" }
  /** It does not compile, or does what no example may do. */
  | { kind: "refused"; problems: { line: number; message: string }[] }
  | { kind: "not-run"; why: string };

type Promised = Pick<MicroModuleContract, "entry_points" | "error_surfaces" | "effects">;

/** What is wrong with the examples that there are. */
export function runProblems(contract: Promised, runs: readonly ExampleRun[]): ExampleProblem[] {
  return runs.flatMap((run) => problemsOf(run, contract));
}

function problemsOf(run: ExampleRun, contract: Pick<MicroModuleContract, "entry_points">): ExampleProblem[] {
  const { example, outcome, called } = run;
  const { entry, line } = example;
  const names = contract.entry_points.map(({ name }) => name);
  if (!names.includes(entry)) {
    const meant = nearest(entry, names);
    const instead = meant === undefined ? `write one of ${names.join(", ")}` : `did you mean ${meant}?`;
    return one("unknown-entry", line, `${entry} is no entry point of the contract: ${instead}`);
  }
  switch (outcome.kind) {
    case "differs": {
      const why = unsteady(called, contract);
      const message = `${entry}: expected ${outcome.expected}, but it gives ${outcome.actual}${why}`;
      return one("differs", example.output.line, message);
    }
    case "threw":
      return one(
        "threw",
        example.input.line,
        `${entry}: it threw ${outcome.error}; show it in a block \`\`\`error`,
      );
    case "timed-out":
      return one("timed-out", example.input.line, `${entry}: it did not end in time`);
    case "refused":
      return outcome.problems.map((problem) => ({ rule: "refused", ...problem }));
    case "not-run":
      return one("not-run", line, `${entry}: it was not run, because ${outcome.why}`);
    case "equal":
      if (!called.includes(entry))
        return one(
          "never-called",
          example.input.line,
          `its code never calls ${entry}: call it, or name what it calls`,
        );
      if (example.kind === "effect" && !run.changed)
        return one(
          "no-change",
          example.output.line,
          `${entry}: before and after are the same: show what it changes`,
        );
      return [];
  }
}

function one(rule: string, line: number, message: string): ExampleProblem[] {
  return [{ rule, line, message }];
}

/** A value that depends on clock or chance cannot be shown; what does not depend on it can. */
function unsteady(
  called: readonly string[],
  { entry_points }: Pick<MicroModuleContract, "entry_points">,
): string {
  const effects = entry_points.filter(({ name }) => called.includes(name)).flatMap((entry) => entry.effects);
  const found = effects.find((effect) => /^(?:CLOCK|RANDOM)\b/.test(effect));
  return found === undefined
    ? ""
    : `; ${called.join(", ")} declares ${found}, so show something that does not depend on it, such as a length or a type`;
}

/** What the contract promises and no good example shows. */
export function notShown(
  { entry_points, error_surfaces, effects }: Promised,
  runs: readonly ExampleRun[],
): ExampleProblem[] {
  const good = runs.filter(({ outcome }) => outcome.kind === "equal");
  const entries = entry_points
    .filter(isCallable)
    .filter(
      ({ name }) =>
        !good.some(
          ({ example, called }) =>
            example.kind !== "error" && example.entry === name && called.includes(name),
        ),
    )
    .map(({ name }) => missing("entry-not-shown", `no example shows what ${name} gives: add ## ${name}: …`));
  const errors = error_surfaces
    .filter(({ name }) => !good.some(({ surfaced }) => surfaced.includes(name)))
    .map(({ name, when }) =>
      missing("error-not-shown", `no example shows ${name} (${when}): add one that ends in it`),
    );
  const unshown = effects
    .filter(isChange)
    .filter((effect) => !good.some((run) => showsEffect(run, effect, entry_points)))
    .map(({ type, target }) =>
      missing(
        "effect-not-shown",
        `no example shows ${type} ${target}: end one in ({ before, after }), or show what is printed`,
      ),
    );
  return [...entries, ...errors, ...unshown];
}

function missing(rule: string, message: string): ExampleProblem {
  return { rule, line: 1, message };
}

/** Types and plain values are no functions, methods or endpoints. */
function isCallable({ signature }: Pick<EntryPoint, "signature">): boolean {
  return !/^(?:type|interface|enum)\b/.test(signature) && /=>|\(|\bclass\b/.test(signature);
}

/** Reading, the clock and chance leave nothing behind that could be shown before and after. */
function isChange({ type }: Effect): boolean {
  return !["READ", "NETWORK", "CLOCK", "RANDOM"].includes(type);
}

function showsEffect(
  { example, called, changed }: ExampleRun,
  { type, target }: Effect,
  entryPoints: readonly EntryPoint[],
): boolean {
  const having = entryPoints.filter((entry) => entry.effects.includes(`${type} ${target}`));
  return example.kind === "effect" && changed && having.some(({ name }) => called.includes(name));
}
