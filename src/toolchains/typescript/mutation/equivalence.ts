// Finds survivors that nobody could tell from the original: called on generated inputs, both do the same.
import type { Mutant } from "../../../domain/evidence/mutant.ts";
import { talk } from "../inner/talk.ts";
import type { CompareJob, Subject } from "../inside/inner-job.ts";
import type { Unjudged } from "./instrument.ts";
import type { Judging } from "./judge.ts";
import { type Callables, callablesOf } from "./parameter-shapes.ts";
import { isWithin } from "./place.ts";

export interface ComparedMutant {
  equivalence?: NonNullable<Mutant["equivalence"]>;
  /** The functions that ran, by number. */
  ran: readonly number[];
}

/** As many different inputs must have reached the mutant before anything is claimed. */
export const LEAST_INPUTS = 3_000;
/** About three seconds where nothing else runs. */
const EFFORT = 1_000_000_000;
/** For all of them: a suite with many survivors is weak, whatever some of them turn out to be. */
const TOTAL_EFFORT = 6 * EFFORT;
/** Whatever is slow without passing mutants is not waited for, whether or not that can be repeated exactly. */
const MOST_MS = 15_000;
const TOTAL_MOST_MS = 60_000;
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
  const callables = callablesOf(site);
  const { functions, innerClasses } = callables;
  const hints = withReplacements(callables.hints, mutants, survivors);
  let subjects = survivors.flatMap((mutant) => subjectOf(mutant, mutants[mutant], callables));
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
      innerClasses,
      hints,
      seed: 1,
      inputs: LEAST_INPUTS,
      effort: EFFORT,
      totalEffort: TOTAL_EFFORT,
      mostMs: MOST_MS,
      totalMostMs: TOTAL_MOST_MS,
    };
    const { answers, whole } = await talk(site, job, {
      timeoutMs: 2 * TOTAL_MOST_MS,
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
    if (whole) break;
    const left = subjects.filter(({ mutant }) => !done.has(mutant));
    // The first that is left blocked or broke the process: nothing is claimed for it.
    subjects = left.slice(1);
  }
  return found;
}

const REASON = "no generated input that reached it made a difference in results, errors, arguments or output";

/** What a mutant puts in place of something is found only by who asks for it. */
function withReplacements(
  { numbers, strings }: CompareJob["hints"],
  mutants: readonly Unjudged[],
  survivors: readonly number[],
): CompareJob["hints"] {
  const put = survivors.flatMap((mutant) =>
    [...(mutants[mutant]?.replacement ?? "").matchAll(/"([^"\\]+)"/g)].map(([, text = ""]) => text),
  );
  const first = [...new Set(put)].slice(0, MOST_REPLACEMENTS);
  return { numbers, strings: [...first, ...first, ...strings] };
}

const MOST_REPLACEMENTS = 20;

/** Through the function or class that it stands in where that tells all; else through all exports, if all can be called. */
function subjectOf(
  mutant: number,
  made: Unjudged | undefined,
  { functions, uncallable, holders }: Callables,
): Subject[] {
  if (made === undefined) return [];
  const holder = holders.find(({ file, place }) => file === made.file && isWithin(made.place, place));
  if (holder?.tells === "no") return [];
  if (holder?.tells === "all") return [{ mutant, holder: holder.name }];
  return uncallable.length === 0 && functions.length > 0 ? [{ mutant }] : [];
}
