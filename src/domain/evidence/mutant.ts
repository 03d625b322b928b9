// Mutants of a module: what was changed, whether the tests noticed, and which survivors nobody may overlook.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { Text } from "../refs.ts";

export const MutantStatus = z.enum(["killed", "survived", "timeout", "noCoverage", "equivalent", "invalid"]);
export type MutantStatus = z.infer<typeof MutantStatus>;

export const MutationKind = z.enum([
  "BoundaryMutation",
  "ConditionFlip",
  "OffByOne",
  "SwappedArgs",
  "RemovedCheck",
  "ChangedOperator",
  "ReturnedWrongBranch",
  "OtherMutation",
]);
export type MutationKind = z.infer<typeof MutationKind>;

export const Mutant = z
  .strictObject({
    id: Text,
    file: Text,
    line: z.int().min(1),
    function: Text.optional(),
    /** The name of the operator in the tool that made it. */
    operator: Text,
    kind: MutationKind,
    original: z.string(),
    replacement: z.string(),
    status: MutantStatus,
    killedBy: z.array(Text),
    /** False where the compiler refuses it; asked only of survivors that would be critical. */
    compiles: z.boolean().optional(),
    /** How long the unmutated tests took, and how long the mutated ones were given. */
    timing: z.strictObject({ baselineMs: z.number().min(0), limitMs: z.number().positive() }).optional(),
    /** Why it is called equivalent, and on how many generated inputs no difference was found. */
    equivalence: z.strictObject({ reason: Text, inputsTried: z.int().min(1) }).optional(),
  })
  .superRefine((mutant, context) => {
    const needs = { equivalence: mutant.status === "equivalent", timing: mutant.status === "timeout" };
    for (const key of ["equivalence", "timing"] as const) {
      if (needs[key] && mutant[key] === undefined)
        refuse(context, [key], `the ${key} of a mutant whose status is ${mutant.status}`, "nothing");
    }
    if (!needs.equivalence && mutant.equivalence !== undefined)
      refuse(context, ["equivalence"], "nothing unless its status is equivalent", `one on ${mutant.status}`);
    if (mutant.status !== "killed" && mutant.killedBy.length > 0)
      refuse(context, ["killedBy"], "nobody unless its status is killed", mutant.killedBy.join(", "));
  });
export type Mutant = z.infer<typeof Mutant>;

const KIND_OF_OPERATOR: ReadonlyMap<string, MutationKind> = new Map([
  ["ConditionalExpression", "RemovedCheck"],
  ["OptionalChaining", "RemovedCheck"],
  ["EqualityOperator", "ConditionFlip"],
  ["BooleanLiteral", "ConditionFlip"],
  ["UpdateOperator", "OffByOne"],
  ["ArithmeticOperator", "ChangedOperator"],
  ["LogicalOperator", "ChangedOperator"],
  ["UnaryOperator", "ChangedOperator"],
  ["AssignmentOperator", "ChangedOperator"],
  ["MethodExpression", "ChangedOperator"],
  ["BlockStatement", "OtherMutation"],
  ["StringLiteral", "OtherMutation"],
  ["ArrayDeclaration", "OtherMutation"],
  ["ObjectLiteral", "OtherMutation"],
  ["ArrowFunction", "OtherMutation"],
  ["Regex", "OtherMutation"],
]);

/** The kind of a mutant that the Stryker instrumenter made; two of its operators say too little by themselves. */
export function kindOfOperator(operator: string, original: string, replacement: string): MutationKind {
  if (operator === "EqualityOperator" && movesOnlyTheBoundary(original, replacement))
    return "BoundaryMutation";
  if (operator === "BlockStatement" && /\b(?:throw|return|break|continue)\b/.test(original))
    return "RemovedCheck";
  return KIND_OF_OPERATOR.get(operator) ?? "OtherMutation";
}

/** Removes a guard, negates a condition or a boolean, or flips an equality, and nobody else would notice. */
export function isCritical({ kind, compiles = true }: Pick<Mutant, "kind" | "compiles">): boolean {
  return compiles && (kind === "RemovedCheck" || kind === "ConditionFlip");
}

export function criticalSurvivors(mutants: readonly Mutant[]): Mutant[] {
  return mutants.filter((mutant) => isCritical(mutant) && counts(mutant) && !isKilled(mutant));
}

/** The killed share of the mutants that count; undefined when none does. */
export function mutationScore(mutants: readonly Mutant[]): number | undefined {
  const counted = mutants.filter(counts);
  return counted.length === 0 ? undefined : counted.filter(isKilled).length / counted.length;
}

export const TestSuiteVerdict = z.enum(["Robust", "HasGaps", "Weak"]);
export type TestSuiteVerdict = z.infer<typeof TestSuiteVerdict>;

/** Undefined when no mutant counts: a suite that was never tried is not robust. */
export function testSuiteVerdict(mutants: readonly Mutant[]): TestSuiteVerdict | undefined {
  const score = mutationScore(mutants);
  return score === undefined ? undefined : suiteVerdictOf(score);
}

/** Of the killed share of the mutants that count. */
export function suiteVerdictOf(score: number): TestSuiteVerdict {
  if (score === 1) return "Robust";
  return score < 0.5 ? "Weak" : "HasGaps";
}

/** A time-out kills only when the unmutated tests stay well clear of the limit; else it may be the machine. */
export function isKilled(mutant: Pick<Mutant, "status" | "timing">): boolean {
  if (mutant.status === "killed") return true;
  if (mutant.status !== "timeout" || mutant.timing === undefined) return false;
  return mutant.timing.baselineMs <= mutant.timing.limitMs / 4;
}

function counts(mutant: Pick<Mutant, "status">): boolean {
  return mutant.status !== "equivalent" && mutant.status !== "invalid";
}

function movesOnlyTheBoundary(original: string, replacement: string): boolean {
  return withoutBoundaries(original) === withoutBoundaries(replacement);
}

function withoutBoundaries(code: string): string {
  return code.replaceAll(/\s/g, "").replaceAll(/([<>])=/g, "$1");
}
