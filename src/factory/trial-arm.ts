// One run of an arm through the factory: its protocol makes the module, with simulated workers or real ones in every role.
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { TrialArm, TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { thrownText } from "../domain/thrown.ts";
import { engineerTask } from "../engineering/engineer-task.ts";
import type { TaskOutcome } from "../engineering/port.ts";
import { orderFor } from "../simulator/lone-task.ts";
import { caseOf } from "../trial/corpus/builtin-case.ts";
import type { Desk } from "../trial/workers/desk.ts";
import { castAt, usageAt } from "../trial/workers/workers.ts";
import { git } from "../workshop/git/git.ts";
import type { Hub } from "../workshop/hub/hub.ts";
import { castingOf } from "./ask-once.ts";
import { haltWords } from "./halt-words.ts";
import { inLoneProject, type LoneOptions } from "./lone-project.ts";
import { type Made, trialSeen } from "./trial-seen.ts";
import type { Casting } from "./works.ts";

export async function playArm(
  desk: Desk,
  { arm, rigor, workers }: { arm: TrialArm; rigor: Rigor; workers: TrialProtocol["workers"] },
  { env, verdicts }: Pick<LoneOptions, "env" | "verdicts">,
): Promise<Made> {
  const { task } = desk.draw;
  // A tree is named after its task.
  const about = caseOf(arm.protocol === "fractal" ? { ...task, title: task.id } : task);
  const drawn = workers.kind === "simulated" ? { cast: castAt(desk), usage: usageAt(desk) } : {};
  const simulation = { cases: [about], ...drawn };
  const { toolchain } = desk.bench;
  const shared = { verdicts, toolchain };
  const who = { cast: castOf(workers), ...settingsOf(workers) };
  const lone = { env, ...who, seed: desk.draw.seed, simulation, ...shared };
  return inLoneProject(lone, async ({ store }, { ports }) => {
    const order = orderFor(about.task, { rigor, protocol: arm.protocol });
    const { ended, why } = await engineerTask(ports, order).then(
      (outcome) => ({ ended: endOf(outcome), why: haltWords(outcome) }),
      (error: unknown) => ({ ended: "crashed" as const, why: thrownText(error) }),
    );
    return {
      ended,
      why,
      // Also of a run that crashed: its calls were paid for.
      ...(await trialSeen(store, desk, ended === "halted")),
      ...(ended === "shipped" ? { shipped: await sourcesIn(ports.hub, about.name) } : {}),
    };
  });
}

function castOf(workers: TrialProtocol["workers"]): Casting {
  if (workers.kind === "simulated") return { runtime: "simulator", simulated: "trial" };
  const { runtime, model } = workers;
  return castingOf({ runtime, ...(model === undefined ? {} : { model }) });
}

function settingsOf(workers: TrialProtocol["workers"]) {
  return workers.kind === "simulated" || workers.settings === undefined ? {} : { settings: workers.settings };
}

/** A run that nothing came of is a failure of the factory: nobody drains or aborts a trial's run. */
function endOf({ kind }: TaskOutcome): Made["ended"] {
  return kind === "stopped" ? "crashed" : kind;
}

async function sourcesIn({ gitDir, branch }: Hub, folder: string): Promise<Record<string, string>> {
  const place = `modules/${folder}/`;
  const listed = await git(["ls-tree", "-r", "--name-only", branch, `${place}src/`], { gitDir });
  const paths = listed.split("\n").filter((path) => path !== "");
  const read = paths.map(async (path) => [
    path.slice(place.length),
    await git(["show", `${branch}:${path}`], { gitDir }),
  ]);
  return Object.fromEntries(await Promise.all(read));
}
