// Finds survivors that nobody could tell from the original: called on generated inputs, both do the same.
import type { Mutant } from "../../../domain/evidence/mutant.ts";
import { talk } from "../inner/talk.ts";
import type { CompareJob, Subject } from "../inside/inner-job.ts";
import type { Unjudged } from "./instrument.ts";
import type { Judging } from "./judge.ts";
import { callablesOf } from "./parameter-shapes.ts";

export interface ComparedMutant {
  equivalence?: NonNullable<Mutant["equivalence"]>;
  /** The functions that ran, by number. */
  ran: readonly number[];
}

/** As many different inputs must have reached the mutant before anything is claimed. */
export const LEAST_INPUTS = 3_000;
const BUDGET_MS = 3_000;
/** A module that blocks the process on generated inputs does so for every mutant. */
const MOST_DEATHS = 2;

/** By the number of the mutant; whatever is in doubt stays a survivor. */
export async function findEquivalent(
  judging: Judging,
  mutants: readonly Unjudged[],
  survivors: readonly number[],
): Promise<Map<number, ComparedMutant>> {
  const found = new Map<number, ComparedMutant>();
  if (survivors.length === 0) return found;
  const { site } = judging;
  const { functions, hints, uncallable } = callablesOf(site);
  let subjects = survivors.flatMap((mutant) =>
    subjectOf(mutant, mutants[mutant], new Set(functions.map(({ name }) => name)), uncallable),
  );
  for (let deaths = 0; subjects.length > 0 && deaths < MOST_DEATHS; deaths++) {
    const job: Omit<CompareJob, "nonce" | "root"> = {
      kind: "compare",
      code: judging.bundle.code,
      packages: judging.bundle.packages,
      files: [],
      globals: false,
      testTimeoutMs: judging.testTimeoutMs,
      entry: site.layout.entry,
      switchName: judging.switchName,
      mutants: judging.mutants,
      regions: judging.regions,
      subjects,
      functions,
      hints,
      seed: 1,
      inputs: LEAST_INPUTS,
      budgetMs: BUDGET_MS,
    };
    const { answers } = await talk(site, job, {
      timeoutMs: 60_000 + subjects.length * BUDGET_MS * 3,
      ...(judging.options.signal === undefined ? {} : { signal: judging.options.signal }),
    });
    const done = new Set<number>();
    for (const answer of answers) {
      if (answer.kind !== "compared") continue;
      done.add(answer.mutant);
      const { comparison, ran } = answer;
      const isSame = comparison.kind === "same";
      const equivalence = isSame ? { equivalence: { reason: REASON, inputsTried: comparison.inputs } } : {};
      found.set(answer.mutant, { ...equivalence, ran });
    }
    const left = subjects.filter(({ mutant }) => !done.has(mutant));
    // The first that is left blocked or broke the process: nothing is claimed for it.
    subjects = left.slice(1);
  }
  return found;
}

const REASON = "no generated input that reached it made a difference in results, errors, arguments or output";

/** Through its own function where that is exported; else through all exports, if all can be called. */
function subjectOf(
  mutant: number,
  made: Unjudged | undefined,
  callable: ReadonlySet<string>,
  uncallable: readonly string[],
): Subject[] {
  const holder = made?.function;
  if (holder !== undefined && callable.has(holder)) return [{ mutant, holder }];
  return uncallable.length === 0 && callable.size > 0 ? [{ mutant }] : [];
}
