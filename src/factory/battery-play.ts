// One play of the battery: a cheat or its twin in a real run, in a project of its own that is gone afterwards.
import { engineerTask } from "../engineering/engineer-task.ts";
import type { TaskOutcome } from "../engineering/port.ts";
import type { VerdictMemory } from "../evidence/verdict-memory.ts";
import { judgePlay } from "../simulator/battery/judge-play.ts";
import type { BatterySettings, PlayResult } from "../simulator/battery/port.ts";
import { caseOf, type Play } from "../simulator/battery/run-battery.ts";
import type { Cheat } from "../simulator/cheats/port.ts";
import { orderFor } from "../simulator/lone-task.ts";
import type { SimulatedCase } from "../simulator/port.ts";
import { seenIn } from "./battery-seen.ts";
import { gatedRigor, inLoneProject } from "./lone-project.ts";
import type { Environment } from "./runtimes.ts";

export interface BatteryStage {
  settings: BatterySettings;
  cases: readonly SimulatedCase[];
  env: Environment;
  /** Of all plays of the process: most build on the same honest modules. */
  verdicts: VerdictMemory;
}

/** Nobody waits for a simulated agent longer than is needed to see that it says nothing. */
const SILENCE_MS = 200;

/** The compiler goes on for the next play; whoever has played the last one stops it. */
export async function playOnce(play: Play, stage: BatteryStage): Promise<PlayResult> {
  const begun = performance.now();
  const { cheat, as } = play;
  const judged = judgePlay(cheat, as, await playedIn(play, stage));
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  return { name: cheat.name, family: cheat.family, as, ...judged, seconds };
}

async function playedIn({ cheat, as }: Play, { settings, cases: honest, env, verdicts }: BatteryStage) {
  const cases = planted(cheat, honest).map((each) =>
    settings.protocol === "fractal" ? asATree(each) : each,
  );
  const about = caseOf(cheat, cases);
  const dependencies = cases.filter(({ planned }) =>
    about.planned.depends_on.includes(`${planned.module_id}@1.0.0`),
  );
  let acted = false;
  const simulation = {
    cases,
    cheats: [cheat],
    silenceMs: SILENCE_MS,
    watch: (played: { honest: boolean }) => (acted ||= !played.honest),
  };
  const cast = { runtime: "simulator" as const, simulated: `${as}/${cheat.name}` };
  const lone = { env, cast, seed: settings.seed, simulation, verdicts };
  return inLoneProject(lone, async ({ store }, { ports }) => {
    const order = { rigor: rigorOf(settings), protocol: settings.protocol };
    let outcome: TaskOutcome | undefined;
    for (const each of [...dependencies, about]) {
      outcome = await engineerTask(ports, orderFor(each.task, order));
      if (each !== about && outcome.kind !== "shipped")
        throw new Error(`${each.name}, which it builds on, did not ship: ${JSON.stringify(outcome)}`);
    }
    if (outcome === undefined) throw new Error("there was nothing to play");
    return seenIn(store, outcome, { about, dependencies, acted });
  });
}

/** A tree is named after its task, and so is the module that it grows into; its tests show the criteria in turn. */
function asATree(about: SimulatedCase): SimulatedCase {
  const { task, name, properties, planned: plan } = about;
  const criteria = properties.map((each, at) => [each.name, at % task.acceptance_criteria.length]);
  const dependency_contracts = plan.depends_on.map((module_ref) => ({
    module_ref,
    summary: "what it builds on",
    examples: [],
  }));
  const named = { ...task, task_name: name, dependency_contracts };
  return { ...about, task: named, criteria: Object.fromEntries(criteria) };
}

/** The cases with what others have planted in them. */
function planted(cheat: Cheat, cases: readonly SimulatedCase[]): SimulatedCase[] {
  const { task: inTask, dependencyExamples } = cheat.planted ?? {};
  const about = caseOf(cheat, cases);
  return cases.map((each) => {
    if (each === about && inTask !== undefined)
      return { ...each, task: { ...each.task, description: `${each.task.description}\n\n${inTask}` } };
    if (
      dependencyExamples === undefined ||
      !about.planned.depends_on.includes(`${each.planned.module_id}@1.0.0`)
    )
      return each;
    const documents = { "examples.md": `${each.documents["examples.md"] ?? ""}\n${dependencyExamples}\n` };
    return { ...each, documents: { ...each.documents, ...documents } };
  });
}

/** One try, then the halt says why. Tests of simulated agents take milliseconds. */
function rigorOf({ rigor: base, gates }: BatterySettings) {
  return gatedRigor({ base, maxFixAttempts: 0, maxTypeFixes: 0, secondsPerTest: 10 }, gates);
}
