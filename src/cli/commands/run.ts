// `cupel run`: from the specification to the last task, as far as it gets without a person; again to go on.
import { resolve } from "node:path";
import { chosenText, withModels } from "../../agents/default-models.ts";
import { CupelError } from "../../domain/error.ts";
import type { ProductSpec } from "../../domain/product/product-spec.ts";
import type { RunEvent } from "../../domain/run/run-event.ts";
import { approvedSpec, specFile } from "../../factory/approved-spec.ts";
import type { ProductRun } from "../../factory/product-run.ts";
import { type ProjectStatus, statusIn } from "../../factory/project-status.ts";
import { projectNear, readConfig } from "../../factory/project.ts";
import { estimateRun } from "../../factory/run-estimate.ts";
import type { Phases, RunContext, RunStop } from "../../factory/run-phases.ts";
import { withStore } from "../../factory/stores.ts";
import { askPerson } from "../ask-person.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { amount } from "../numbers.ts";
import { oneLine, printText } from "../output.ts";
import { nameOfPerson } from "../person.ts";
import { followRun, type Progress } from "../progress.ts";
import { endLines, estimateLines, simulatedText } from "./run-text.ts";

export interface RunCommand {
  directory: string;
  spec?: string;
  resume?: boolean;
  dryRun?: boolean;
  maxCost?: string;
  maxTime?: string;
  yes?: boolean;
  /** False: nobody is asked anything. */
  input?: boolean;
  jsonl?: boolean;
  quiet?: boolean;
  runtime?: string;
  model?: string;
  replay?: string;
  ignoreInput?: boolean;
  unsafeNoSandbox?: boolean;
  /** Told of each event while it runs. */
  narrate?: (event: RunEvent) => void;
}

export async function run(command: RunCommand): Promise<number> {
  const project = projectNear(command.directory) ?? command.directory;
  const maxUsd = amount(command.maxCost, "--max-cost", "dollars such as 2.50");
  const minutes = amount(command.maxTime, "--max-time", "minutes such as 30");
  const given = command.spec?.endsWith(".json") === true ? await specFile(command.spec) : undefined;
  if (command.dryRun === true) return dryRun(project, given, maxUsd);
  const interrupted = untilInterrupted();
  const timeUp = minutes === undefined ? undefined : AbortSignal.timeout(minutes * 60_000);
  const signal = timeUp === undefined ? interrupted : AbortSignal.any([interrupted, timeUp]);
  // The whole factory; whoever has mistyped something need not wait for it.
  const { runProduct } = await import("../../factory/product-run.ts");
  const { castingOf } = await import("../../factory/ask-once.ts");
  let progress: Progress | undefined;
  let status: ProjectStatus | undefined;
  const ran = await runProduct({
    project,
    signal,
    phases: phasesFor(command, given),
    resume: command.resume === true,
    cast: castingOf(command),
    ...(maxUsd === undefined ? {} : { maxUsd }),
    ...(command.replay === undefined ? {} : { replay: command.replay }),
    ignoreInput: command.ignoreInput === true,
    unsafeNoSandbox: command.unsafeNoSandbox === true,
    async onOpen(works) {
      if (command.jsonl !== true) tell(`run ${works.runId} · budget $${works.config.budget.usd.toFixed(2)}`);
      else process.stdout.write(`${JSON.stringify({ kind: "run", runId: works.runId })}\n`);
      if (works.chosen !== undefined) tell(chosenText(works.chosen));
      if (works.simulated !== undefined) tell(simulatedText(works.simulated));
      progress = await followRun(works, {
        jsonl: command.jsonl === true,
        quiet: command.quiet === true,
        ...(command.narrate === undefined ? {} : { narrate: command.narrate }),
      });
    },
    async onEnd(works) {
      await progress?.end();
      status = await statusIn(works.store, works.config.rigor);
    },
  }).catch(async (error: unknown) => {
    await progress?.end();
    throw error;
  });
  if (status !== undefined) for (const line of endLines(ran, status)) tell(line);
  return exitOf(ran, interrupted.aborted, timeUp?.aborted === true);
}

function phasesFor(command: RunCommand, finished: ProductSpec | undefined): Phases {
  return {
    product: async (context) => {
      const { productPhase } = await import("../../factory/product-phase.ts");
      const phase = productPhase({
        person: nameOfPerson(),
        approvesAll: command.yes === true,
        consent: (asked, spec) => consent(command, asked, spec),
        ...(command.spec === undefined ? {} : { specFile: resolve(command.spec) }),
        ...(finished === undefined ? {} : { finished }),
      });
      return phase(context);
    },
    project: async (context, spec) => {
      const { projectPhase } = await import("../../factory/project-phase.ts");
      return projectPhase(context, spec);
    },
    e2e: async (context) => {
      const { e2ePhase } = await import("../../factory/e2e-phase.ts");
      return e2ePhase(context);
    },
    release: async (context) => {
      const { releasePhase } = await import("../../factory/release-phase.ts");
      return releasePhase(context);
    },
  };
}

/** Agents cost money, so the first time somebody must say yes; scripts and simulated agents cost nothing. */
async function consent(
  command: RunCommand,
  { works }: RunContext,
  spec: ProductSpec | undefined,
): Promise<RunStop | undefined> {
  if (command.yes === true || ["scripted", "simulator"].includes(works.config.runtime)) return undefined;
  const lines =
    spec === undefined
      ? [
          `First SPEC.md is refined, and you approve what comes of it. Never more than $${works.config.budget.usd.toFixed(2)}.`,
        ]
      : estimateLines(estimateRun(spec, works.config));
  for (const line of lines) tell(line);
  const waiting: RunStop = {
    kind: "waiting",
    why: "somebody must say that this may begin",
    command: "cupel run --yes (also approves the specification; cupel run at a terminal asks you)",
  };
  const isAgreed = command.input !== false && (await askPerson("Begin? [y/N] ", false));
  return isAgreed === true ? undefined : waiting;
}

async function dryRun(
  project: string,
  given: ProductSpec | undefined,
  maxUsd: number | undefined,
): Promise<number> {
  const { config, chosen } = withModels(await readConfig(project), process.env);
  if (chosen !== undefined) tell(chosenText(chosen));
  const spec = given ?? (await specIn(project));
  const budget = maxUsd === undefined ? config.budget : { ...config.budget, usd: maxUsd };
  const lines = estimateLines(estimateRun(spec, { ...config, budget }));
  printText(lines.map(oneLine).join("\n"));
  tell("Nothing was done. Next: cupel run");
  return EXIT.ok;
}

async function specIn(project: string): Promise<ProductSpec> {
  const spec = await withStore(project, approvedSpec);
  if (spec === undefined) throw noSpec();
  return spec;
}

function noSpec(): CupelError {
  return new CupelError("not_found", "there is no approved specification", {
    expected: "one that a person approved, or --spec FILE.json",
    hint: "cupel run (refines SPEC.md and puts it before you)",
  });
}

function exitOf({ end }: ProductRun, interrupted: boolean, timeUp: boolean): number {
  switch (end.kind) {
    case "released":
      return EXIT.ok;
    case "halted":
      return EXIT.halted;
    case "waiting":
      return EXIT.awaitingPerson;
    case "over-budget":
      return EXIT.budget;
    case "failed":
      return EXIT.gatesFailed;
    case "stopped":
      if (interrupted) return EXIT.interrupted;
      return timeUp ? EXIT.budget : EXIT.failed;
  }
}

function tell(line: string): void {
  process.stderr.write(`${line.split("\n").map(oneLine).join("\n")}\n`);
}
