// Why a trial is not to be believed; whoever shows its figures says this first.
import { effectsWithoutGates, percent } from "./negative-control.ts";
import type { OutcomeName } from "./outcomes.ts";
import { OUTCOMES, rightness, shipped } from "./outcomes.ts";
import type { TrialProtocol } from "./trial-protocol.ts";
import { runKey, type TrialRow } from "./trial-row.ts";
import type { TrialSummary } from "./summary.ts";

export interface Doubt {
  kind: (typeof DOUBT_KINDS)[number];
  words: string;
}

const DOUBT_KINDS = [
  "nothing was run",
  "no control",
  "rows of another trial",
  "runs are missing",
  "broken oracles",
  "identical arms",
  "the negative control shows an effect",
  "nothing was defective",
  "arms drew differently",
  "outcomes are missing",
  "the factory failed",
] as const;

export interface DoubtsOf {
  protocol: TrialProtocol;
  summary: TrialSummary;
  /** Tasks whose oracle refuses the reference or accepts whatever it is given. */
  brokenOracles: readonly string[];
}

export function doubtsOf(trial: DoubtsOf): Doubt[] {
  if (trial.summary.counted.rows.length === 0) return [nothingRun(trial), ...strayRows(trial)];
  return [
    ...noControl(trial),
    ...strayRows(trial),
    ...missingRuns(trial),
    ...brokenOracles(trial),
    ...identicalArms(trial),
    ...effectsWithoutGates(trial.protocol, trial.summary).map((words) => ({
      kind: "the negative control shows an effect" as const,
      words,
    })),
    ...nothingDefective(trial),
    ...drewDifferently(trial),
    ...missingOutcomes(trial),
    ...failedRuns(trial),
  ];
}

function nothingRun({ protocol }: DoubtsOf): Doubt {
  const words =
    protocol.tasks.length === 0
      ? `the corpus ${protocol.corpus} gave no tasks, so there was nothing to run`
      : "there is not one row of a run, so there is nothing to tell by";
  return { kind: "nothing was run", words };
}

function noControl({ protocol }: DoubtsOf): Doubt[] {
  const controls = protocol.arms.filter(({ name }) => name === protocol.control).length;
  if (controls === 1) return [];
  const words = `${controls === 0 ? "no arm is" : `${controls} arms are`} named ${protocol.control}, with which all others are compared`;
  return [{ kind: "no control", words }];
}

function strayRows({ summary: { counted } }: DoubtsOf): Doubt[] {
  const { stray, repeated } = counted;
  if (stray + repeated === 0) return [];
  const words = `${rows(stray)} of a task, seed or arm that was not registered and ${rows(repeated)} of a run that is there already; none of them was counted`;
  return [{ kind: "rows of another trial", words }];
}

function missingRuns({ protocol, summary: { counted } }: DoubtsOf): Doubt[] {
  const missing = counted.planned - counted.rows.length;
  if (missing === 0) return [];
  const present = new Set(counted.rows.map(runKey));
  const broken = protocol.tasks.flatMap((task) =>
    protocol.seeds.filter((seed) => {
      const arms = protocol.arms.filter(({ name }) => present.has(runKey({ task, seed, arm: name }))).length;
      return arms > 0 && arms < protocol.arms.length;
    }),
  ).length;
  const words = `${missing} of ${counted.planned} registered runs are missing, and ${broken} ${broken === 1 ? "pair" : "pairs"} of task and seed ran in some arms only`;
  return [{ kind: "runs are missing", words }];
}

function brokenOracles({ brokenOracles: broken }: DoubtsOf): Doubt[] {
  if (broken.length === 0) return [];
  const words = `the oracles of these tasks cannot tell right from wrong: ${broken.join(", ")}`;
  return [{ kind: "broken oracles", words }];
}

function identicalArms({ protocol: { arms } }: DoubtsOf): Doubt[] {
  return arms.flatMap((arm, index) =>
    arms
      .slice(index + 1)
      .filter((other) => ALIKE.every((key) => other[key] === arm[key]))
      .map((other) => ({
        kind: "identical arms" as const,
        words: `${arm.name} and ${other.name} are the same: ${arm.protocol}, ${arm.rigor}, gates ${arm.gates}`,
      })),
  );
}

const ALIKE = ["protocol", "rigor", "gates"] as const;

/** What the first draw of a real worker was like, nobody knows. */
function nothingDefective({ protocol, summary }: DoubtsOf): Doubt[] {
  if (protocol.workers.kind !== "simulated") return [];
  const arms = armsWithRows(summary).filter(({ own }) => own.every(({ defective }) => !defective));
  if (arms.length === 0) return [];
  const names = arms.map(({ arm }) => arm).join(", ");
  const words = `not one first draw had a defect in ${names}, so none could be caught or escape`;
  return [{ kind: "nothing was defective", words }];
}

/** Simulated workers draw by task and seed alone: a pair that differs in its first draw is no pair. */
function drewDifferently({ protocol, summary }: DoubtsOf): Doubt[] {
  if (protocol.workers.kind !== "simulated") return [];
  const draws = new Map<string, Set<boolean>>();
  for (const { task, seed, attempts, ended, defective } of summary.counted.rows) {
    if (attempts === 0 || ended === "crashed") continue;
    const key = runKey({ task, seed, arm: "" });
    draws.set(key, (draws.get(key) ?? new Set()).add(defective));
  }
  const torn = [...draws.values()].filter(({ size }) => size > 1).length;
  if (torn === 0) return [];
  const words = `for ${torn} of ${draws.size} tasks and seeds the first draw was defective in one arm and right in another`;
  return [{ kind: "arms drew differently", words }];
}

const MEASURED = [
  "correctness",
  "crashRate",
  "coverage",
  "staticPass",
] as const satisfies readonly OutcomeName[];

function missingOutcomes({ summary }: DoubtsOf): Doubt[] {
  const kind = "outcomes are missing" as const;
  return armsWithRows(summary).flatMap(({ arm, own }) => {
    const out = own.filter((row) => shipped(row));
    const missing = MEASURED.map((name) => ({
      title: OUTCOMES[name].title,
      count: out.filter((row) => OUTCOMES[name].part(row) === null).length,
    })).filter(({ count }) => count > 0);
    const torn = own.filter(
      (row) => rightness(row) !== null && row.right !== (row.oracle?.failed === 0),
    ).length;
    return [
      ...missing.map(({ title, count }) => ({
        kind,
        words: `of ${out.length} modules that ${arm} shipped, ${count} were left out of "${title}": nobody measured it`,
      })),
      ...(torn === 0
        ? []
        : [{ kind, words: `${rows(torn)} of ${arm} say something else than the oracle's own count` }]),
    ];
  });
}

const MOST_FAILED = 0.02;

function failedRuns({ summary }: DoubtsOf): Doubt[] {
  const failed = summary.estimates.flatMap(({ arm, outcomes: { failedRuns: share } }) =>
    share.value !== null && share.value > MOST_FAILED
      ? [`${percent(share.value)} of the ${share.of} runs in ${arm}`]
      : [],
  );
  if (failed.length === 0) return [];
  const words = `more than 2 % of runs failed by themselves: ${failed.join(", ")}`;
  return [{ kind: "the factory failed", words }];
}

function armsWithRows({ estimates, counted }: TrialSummary): { arm: string; own: TrialRow[] }[] {
  return estimates
    .map(({ arm }) => ({ arm, own: counted.rows.filter((row) => row.arm === arm) }))
    .filter(({ own }) => own.length > 0);
}

function rows(count: number): string {
  return `${count} ${count === 1 ? "row" : "rows"}`;
}
