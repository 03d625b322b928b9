// An implementer's work at one attempt: the reference, or the reference with one real defect; the arm has no say in it.
import { chance } from "../../domain/chance.ts";
import { CupelError } from "../../domain/error.ts";
import type { MutationKind } from "../../domain/evidence/mutant.ts";
import type { WorkerParameters } from "../../domain/trial/trial-protocol.ts";
import { brokenOracle } from "../../domain/trial/trial-row.ts";
import type { Files, Variant } from "../../toolchains/port.ts";
import { type Bench, withEdits } from "../bench.ts";
import { type BuiltinTask, withOmission } from "../corpus/builtin-task.ts";
import { askOracle } from "../oracle.ts";

export interface DrawnCode {
  sources: Files;
  /** What is wrong with it, in words; undefined where nothing is. */
  defect: string | undefined;
}

export interface Draw {
  task: BuiltinTask;
  seed: number;
  parameters: WorkerParameters;
}

export function isDefective({ task, seed, parameters }: Draw, attempt: number): boolean {
  return chance(seed, `${task.id} implementer ${attempt}`)() < parameters.defect;
}

/** From 1. */
export async function drawCode(draw: Draw, attempt: number, bench: Bench): Promise<DrawnCode> {
  const { task, seed } = draw;
  if (!isDefective(draw, attempt)) return { sources: task.reference, defect: undefined };
  const random = chance(seed, `${task.id} defect ${attempt}`);
  const isForgotten = random() < OMITTED && task.omissions.length > 0;
  const mutant = isForgotten ? undefined : await mutantOf(draw, random, bench);
  return mutant ?? omissionOf(task, random);
}

/** How many of the defects are something that was forgotten; the others are slips. */
const OMITTED = 0.5;

function omissionOf(task: BuiltinTask, random: () => number): DrawnCode {
  const omission = task.omissions[Math.floor(random() * task.omissions.length)];
  if (omission === undefined)
    throw new CupelError(
      "invalid_input",
      brokenOracle(task.id, "it sees none of the defects that were tried"),
      {
        expected: "tasks whose oracle can say no",
        hint: `leave ${task.id} out with --tasks`,
      },
    );
  return { sources: withOmission(task, omission), defect: `${omission.kind} of ${omission.breaks}` };
}

/** What a person could have typed; a check that is simply gone would be seen by any linter. */
const SLIPS: readonly MutationKind[] = ["BoundaryMutation", "ConditionFlip", "OffByOne", "ChangedOperator"];

const MOST_TRIED = 8;
/** Where the task names no omission, nothing else can be wrong with it. */
const MOST_TRIED_ALONE = 40;

/** The first of those drawn that builds and that the oracle refuses; undefined where none of a few does. */
async function mutantOf({ task }: Draw, random: () => number, bench: Bench): Promise<DrawnCode | undefined> {
  const all = await bench.variants(task.reference);
  const slips = all.filter(
    ({ kind, replacement }) => SLIPS.includes(kind) && !/^(?:true|false)$/.test(replacement),
  );
  const most = task.omissions.length === 0 ? MOST_TRIED_ALONE : MOST_TRIED;
  for (const variant of drawn(slips, random).slice(0, most)) {
    const sources = withEdits(task.reference, variant.edits);
    const wrong = !(await askOracle(bench, task, sources)).right;
    if (wrong && (await bench.builds(sources)))
      return { sources, defect: `${variant.kind}: ${variant.replacement}` };
  }
  return undefined;
}

/** In an order by chance. */
function drawn(list: readonly Variant[], random: () => number): Variant[] {
  return list
    .map((variant) => ({ variant, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ variant }) => variant);
}
