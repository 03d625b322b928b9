// One run of a trial, for real: one task and one seed in one arm, in a project of its own that is gone afterwards.
import { CupelError } from "../domain/error.ts";
import type { TrialProtocol, WorkerParameters } from "../domain/trial/trial-protocol.ts";
import { thrownText } from "../domain/thrown.ts";
import { crashedRow, type TrialRow } from "../domain/trial/trial-row.ts";
import type { VerdictMemory } from "../evidence/verdict-memory.ts";
import type { Files } from "../toolchains/port.ts";
import { typescriptToolchain } from "../toolchains/typescript/toolchain.ts";
import { type Bench, benchWith } from "../trial/bench.ts";
import type { BuiltinTask } from "../trial/corpus/builtin-task.ts";
import { rememberingToolchain } from "../trial/remembering-toolchain.ts";
import { askOracle, type OracleAnswer } from "../trial/oracle.ts";
import type { TrialRun } from "../trial/port.ts";
import { type Desk, newDesk, sourcesOn } from "../trial/workers/desk.ts";
import { isDefective } from "../trial/workers/draw-code.ts";
import { bubblewrap } from "../workshop/sandbox/bubblewrap.ts";
import { gatedRigor } from "./lone-project.ts";
import type { Environment } from "./runtimes.ts";
import { playArm } from "./trial-arm.ts";
import type { Made } from "./trial-seen.ts";

export interface TrialStage {
  protocol: TrialProtocol;
  tasks: readonly BuiltinTask[];
  env: Environment;
  /** Of all runs of the process: arms judge the same code again and again. */
  verdicts: VerdictMemory;
}

export async function playTrialRun(run: TrialRun, stage: TrialStage): Promise<TrialRow> {
  const begun = performance.now();
  const { arm, task } = found(run, stage);
  const { workers } = stage.protocol;
  const bench = benchOf(stage.verdicts);
  const draw = { task, seed: run.seed, parameters: parametersOf(workers) };
  // A broken oracle is told before anybody works.
  await askOracle(bench, task, task.reference);
  const rigor = gatedRigor({ base: arm.rigor }, arm.gates);
  const desk = newDesk(draw, bench, rigor.maxFixAttempts);
  const playing = playArm(desk, { arm, rigor, workers }, stage);
  const made: Made = await playing.catch((error: unknown) => crashedRow(run, thrownText(error)));
  const { shipped, attempts, ...told } = made;
  const judged = made.ended === "crashed" ? undefined : await judgement(desk, shipped);
  return {
    task: task.id,
    seed: run.seed,
    arm: arm.name,
    ...told,
    right: judged?.right ?? null,
    crashes: made.ended === "shipped" ? (judged?.crashes ?? null) : null,
    oracle: judged === undefined ? null : { passed: judged.passed, failed: judged.failed },
    defective: isDefective(draw, 1),
    attempts: workers.kind === "simulated" ? desk.codeDrawn : attempts,
    seconds: Math.round(performance.now() - begun) / 1000,
  };
}

function found({ task: id, arm: name }: TrialRun, { protocol, tasks }: TrialStage) {
  const task = tasks.find((each) => each.id === id);
  const arm = protocol.arms.find((each) => each.name === name);
  if (task !== undefined && arm !== undefined) return { task, arm };
  const [what, known] =
    task === undefined
      ? [`task ${id}`, tasks.map((each) => each.id)]
      : [`arm ${name}`, protocol.arms.map((each) => each.name)];
  throw new CupelError("not_found", `the trial has no ${what}`, { expected: known.join(", ") });
}

const benches = new WeakMap<VerdictMemory, Bench>();

/** One for each process, like the memory of verdicts. */
function benchOf(verdicts: VerdictMemory): Bench {
  const known =
    benches.get(verdicts) ?? benchWith(rememberingToolchain(typescriptToolchain({ sandbox: bubblewrap() })));
  benches.set(verdicts, known);
  return known;
}

/** Of what shipped, or of the last code that was drawn; nobody knows what else a real worker has tried. */
async function judgement(desk: Desk, shipped: Files | undefined): Promise<OracleAnswer | undefined> {
  const sources = shipped ?? (desk.codeDrawn === 0 ? undefined : sourcesOn(desk));
  return sources === undefined ? undefined : askOracle(desk.bench, desk.draw.task, sources);
}

/** Real workers make what defects they make. */
function parametersOf(workers: TrialProtocol["workers"]): WorkerParameters {
  if (workers.kind === "simulated") return workers.parameters;
  return { defect: 0, coverage: 1, wrongTest: 0, sensitivity: 1, specificity: 1 };
}
