// `cupel run` as a whole: takes the run that the product has, or begins one, and goes through its phases.
import { existsSync } from "node:fs";
import { CupelError } from "../domain/error.ts";
import { anotherRun } from "../project/init-project.ts";
import { openStateStore, pathsOf } from "../store/state-store.ts";
import { type Delivery, deliver } from "../workshop/hub/deliver.ts";
import { closing } from "./closing.ts";
import { releaseDeadLeases } from "./dead-leases.ts";
import { type Engineering, openEngineering } from "./engineering.ts";
import { isOwnScript } from "./own-script.ts";
import { type Phases, type RunContext, type RunEnd, runPhases } from "./run-phases.ts";
import type { RunOutcome } from "./run.ts";
import { blindAdvice } from "../protocols/blind/advice.ts";
import { type Casting, openWorks, scriptOf, type Works } from "./works.ts";

export interface ProductRunOptions {
  project: string;
  phases: Phases;
  signal: AbortSignal;
  env?: Readonly<Record<string, string | undefined>>;
  /** Only go on with what was begun. */
  resume?: boolean;
  /** In place of the cap in the settings. */
  maxUsd?: number;
  cast?: Casting;
  replay?: string;
  ignoreInput?: boolean;
  pace?: number;
  unsafeNoSandbox?: boolean;
  /** What runs was written by Cupel itself. */
  ownScripts?: boolean;
  /** When the run is open, before its first phase. */
  onOpen?: (works: Works) => void | Promise<void>;
  /** When it is over, while its store is still open. */
  onEnd?: (works: Works, end: RunEnd) => void | Promise<void>;
}

export interface ProductRun {
  runId: string;
  end: RunEnd;
  /** What became of the results in the person's checkout; undefined where nothing was made. */
  delivery: Delivery | undefined;
}

/** Work beside the graphs of protocols. */
function jobs() {
  return blindAdvice;
}

export async function runProduct(options: ProductRunOptions): Promise<ProductRun> {
  const { project, phases, signal, resume = false } = options;
  const current = await currentRun(project);
  if (resume && current === undefined) throw nothingBegun(project);
  const open = closing();
  let outcome: RunOutcome = "failed";
  try {
    const works = await openWorks({ jobs, ...options, ...(current === undefined ? {} : { runId: current }) });
    open.add(() => works.close(outcome));
    const taken = await works.store.project.takeRun(works.fence, works.runId);
    if (taken !== works.runId) throw anotherRun(taken);
    let opened: Promise<Engineering> | undefined;
    const engineering = async (): Promise<Engineering> => {
      opened ??= openEngineering(works, engineeringOptions(options, works));
      return opened;
    };
    open.add(async () => (await opened)?.close());
    await options.onOpen?.(works);
    const context: RunContext = { works, engineering, signal };
    const end = await runPhases(context, phases);
    outcome = outcomeOf(end);
    const hub = opened === undefined ? undefined : (await opened).ports.hub;
    const delivery = hub === undefined ? undefined : await deliver(hub, hub.branch);
    await options.onEnd?.(works, end);
    return { runId: works.runId, end, delivery };
  } finally {
    await open.close();
  }
}

/** The run that the product is worked on under; what a dead process held of it is free afterwards. */
async function currentRun(project: string): Promise<string | undefined> {
  if (!existsSync(pathsOf(project).database)) return undefined;
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  try {
    await releaseDeadLeases(store.leases);
    return await store.project.currentRun();
  } finally {
    await store.close();
  }
}

function engineeringOptions(options: ProductRunOptions, { config, project }: Works) {
  const { env, unsafeNoSandbox, ownScripts, replay } = options;
  const isOwn = replay !== undefined || isOwnScript(scriptOf(config, { project }).replay);
  return {
    ...(env === undefined ? {} : { env }),
    unsafeNoSandbox: unsafeNoSandbox === true,
    ownScripts: ownScripts === true || isOwn,
  };
}

function outcomeOf({ kind }: RunEnd): RunOutcome {
  switch (kind) {
    case "released":
      return "completed";
    case "halted":
    case "waiting":
      return "halted";
    case "over-budget":
    case "stopped":
      return "stopped";
    case "failed":
      return "failed";
  }
}

function nothingBegun(project: string): CupelError {
  return new CupelError("not_found", `nothing was begun in ${project} that could go on`, {
    expected: "a product that is worked on",
    hint: "cupel run",
  });
}
