// Trials that are ready to be registered, with whatever somebody wants to be different, and how their tasks are chosen.
import { CupelError } from "../domain/error.ts";
import { type TrialProtocol, USUAL_WORKERS } from "../domain/trial/trial-protocol.ts";
import { armNamed } from "./arms.ts";
import type { CorpusTask } from "./corpus/corpus-task.ts";

interface Preset {
  tasks: number;
  seeds: number;
  arms: readonly string[];
}

export const PRESET_NAMES = ["short", "full", "control"] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

const EVERY_PROTOCOL = ["solo", "gatekeeper", "debate", "blind", "fractal"];

const PRESETS: Readonly<Record<PresetName, Preset>> = {
  short: { tasks: 10, seeds: 3, arms: EVERY_PROTOCOL },
  full: { tasks: 30, seeds: 10, arms: EVERY_PROTOCOL },
  /** Where gates only advise, rigor must make no difference; where they block, the same workers must show one. */
  control: {
    tasks: 10,
    seeds: 3,
    arms: ["solo", "solo-standard", "solo-standard-with-gates"],
  },
};

const CONTROL = "solo";

/** What is left out is as the preset has it. */
export interface TrialWishes extends Partial<
  Pick<TrialProtocol, "name" | "corpus" | "control" | "workers" | "primary" | "stop">
> {
  preset: PresetName;
  /** So many, from every area, or these. */
  tasks?: number | readonly string[];
  /** How many. */
  seeds?: number;
  /** As `armNamed` takes them. */
  arms?: readonly string[];
}

export const USUAL_CORPUS = "builtin";

/** `corpus` are the tasks of the one that is wished. */
export function protocolFor(wishes: TrialWishes, corpus: readonly CorpusTask[]): TrialProtocol {
  const { preset, tasks, seeds, arms, ...rest } = wishes;
  const usual = PRESETS[preset];
  const chosen = (arms ?? usual.arms).map(armNamed);
  const [first] = chosen;
  const control = chosen.some(({ name }) => name === CONTROL) ? CONTROL : (first?.name ?? CONTROL);
  return {
    name: preset,
    corpus: USUAL_CORPUS,
    tasks: typeof tasks === "object" ? asInCorpus(corpus, tasks) : spreadTasks(corpus, tasks ?? usual.tasks),
    seeds: Array.from({ length: seeds ?? usual.seeds }, (_, index) => index + 1),
    arms: chosen,
    control,
    workers: { kind: "simulated", parameters: USUAL_WORKERS },
    primary: "escaped",
    stop: {},
    ...rest,
  };
}

function asInCorpus(corpus: readonly CorpusTask[], tasks: readonly string[]): string[] {
  const places = new Map(corpus.map(({ id }, at) => [id, at]));
  return tasks.toSorted((a, b) => (places.get(a) ?? -1) - (places.get(b) ?? -1));
}

/** The first of each area, then the second of each, and so on; in the order of the corpus. */
function spreadTasks(corpus: readonly CorpusTask[], count: number): string[] {
  if (corpus.length > 0 && count > corpus.length)
    throw new CupelError("usage", `the corpus has ${corpus.length} tasks, and ${count} were asked for`, {
      expected: `at most ${corpus.length} tasks`,
      hint: `cupel trial init DIR --tasks ${corpus.length}`,
    });
  const seen = new Map<string, number>();
  const placed = corpus.map(({ id, area }, at) => {
    const rank = seen.get(area) ?? 0;
    seen.set(area, rank + 1);
    return { id, at, rank };
  });
  return placed
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ id }) => id);
}
