// Runs of a trial, for real: simulated workers with a defective first draw in several arms.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type TrialArm, TrialProtocol, USUAL_WORKERS } from "../src/domain/trial/trial-protocol.ts";
import { TrialRow } from "../src/domain/trial/trial-row.ts";
import { verdictMemory } from "../src/evidence/verdict-memory.ts";
import { playTrialRun } from "../src/factory/trial-play.ts";
import { stopCompiler } from "../src/toolchains/typescript/compiler/program.ts";
import { BUILTIN } from "../src/trial/corpus/builtin.ts";
import { tasksOfCorpus } from "../src/trial/corpus/corpora.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { TIDE_LABEL, trackOf } from "./track-samples.ts";

const isLong = process.env["CUPEL_LONG"] === "1";
const cache = mkdtempSync(join(tmpdir(), "cupel-test-"));

afterAll(() => {
  stopCompiler();
  rmSync(cache, { recursive: true, force: true });
});

const ARMS: TrialArm[] = [
  { name: "ungated", protocol: "solo", rigor: "standard", gates: "off" },
  { name: "solo", protocol: "solo", rigor: "standard", gates: "on" },
  { name: "debate", protocol: "debate", rigor: "standard", gates: "on" },
  { name: "debate-off", protocol: "debate", rigor: "standard", gates: "off" },
  { name: "blind", protocol: "blind", rigor: "standard", gates: "on" },
  { name: "gatekeeper", protocol: "gatekeeper", rigor: "standard", gates: "on" },
  { name: "fractal", protocol: "fractal", rigor: "standard", gates: "on" },
];

const stage = {
  tasks: BUILTIN.tasks(),
  env: { ...process.env, XDG_CACHE_HOME: cache },
  verdicts: verdictMemory(),
  protocol: TrialProtocol.parse({
    name: "a trial",
    corpus: "builtin",
    tasks: BUILTIN.tasks().map(({ id }) => id),
    seeds: [1],
    arms: ARMS,
    control: "ungated",
    workers: { kind: "simulated", parameters: USUAL_WORKERS },
    primary: "escaped",
    stop: {},
  }),
};

async function played(task: string, seed: number, arm: string): Promise<TrialRow> {
  return TrialRow.parse(await playTrialRun({ task, seed, arm }, stage));
}

/** On an exercise of a track that is read from a path, with a defect in the first draw. */
async function playedOnTrack(arm: string): Promise<TrialRow> {
  const corpus = `exercism:${trackOf({ "tide-label": TIDE_LABEL })}`;
  const tasks = await tasksOfCorpus(corpus);
  const parameters = { ...USUAL_WORKERS, defect: 1 };
  const protocol = { ...stage.protocol, corpus, workers: { kind: "simulated" as const, parameters } };
  return TrialRow.parse(
    await playTrialRun({ task: "tide-label", seed: 1, arm }, { ...stage, tasks, protocol }),
  );
}

const TIMEOUT = { timeout: 300_000 };

/** The first draw has a defect that the tests of its own author do not show. */
const TASK = "parse-duration";
const SEED = 4;

describe.skipIf(!bubblewrapWorks)("a run of a trial", () => {
  test("lets a defect escape where nobody looks, and ships it as it is", TIMEOUT, async () => {
    const row = await played(TASK, SEED, "ungated");
    expect(row).toMatchObject({ ended: "shipped", right: false, defective: true, caughtBy: null });
    expect(row).toMatchObject({ attempts: 1, staticPass: true, coverage: 1 });
    expect(row.tokens).toBeGreaterThan(1000);
  });

  test("has the same draw refused where tests are written blind", TIMEOUT, async () => {
    const row = await played(TASK, SEED, "blind");
    expect(row).toMatchObject({ ended: "shipped", right: true, defective: true, caughtBy: "green" });
    expect(row.attempts).toBeGreaterThan(1);
    expect(row.calls).toBeGreaterThan(5);
  });

  test("has it refused by a gate where examples are run", TIMEOUT, async () => {
    const row = await played(TASK, SEED, "gatekeeper");
    expect(row).toMatchObject({ defective: true, caughtBy: "examples" });
    expect(row.attempts).toBeGreaterThan(1);
  });

  test("lets it escape again with gates off", TIMEOUT, async () => {
    const row = await played(TASK, SEED, "debate-off");
    expect(row).toMatchObject({ ended: "shipped", right: false, defective: true, caughtBy: null });
  });

  test("can be about an exercise of a track", TIMEOUT, async () => {
    const row = await playedOnTrack("ungated");
    expect(row).toMatchObject({ ended: "shipped", right: false, defective: true });
    expect(row.oracle?.failed).toBeGreaterThan(0);
  });

  test("can be made by others than simulated workers", TIMEOUT, async () => {
    const workers = { kind: "runtime" as const, runtime: "simulator:honest" };
    const row = await playTrialRun(
      { task: TASK, seed: SEED, arm: "debate" },
      { ...stage, protocol: { ...stage.protocol, workers } },
    );
    expect(row).toMatchObject({ ended: "shipped", right: true, defective: false });
  });

  test("is made under the settings that the trial was registered with", TIMEOUT, async () => {
    const settings = { budget: { tokens: 1 } };
    const workers = { kind: "runtime" as const, runtime: "simulator:honest", settings };
    const row = await playTrialRun(
      { task: TASK, seed: SEED, arm: "debate" },
      { ...stage, protocol: { ...stage.protocol, workers } },
    );
    expect(row).toMatchObject({ ended: "crashed", calls: 0 });
    expect(row.why).toContain("token");
  });

  test("comes to the same end when it is repeated without anything remembered", TIMEOUT, async () => {
    const { seconds: _, ...first } = await played(TASK, SEED, "ungated");
    const { seconds: __, ...again } = await playTrialRun(
      { task: TASK, seed: SEED, arm: "ungated" },
      { ...stage, verdicts: verdictMemory() },
    );
    expect(again).toEqual(first);
  });

  test("refuses an oracle that refuses the reference, by name", TIMEOUT, async () => {
    const broken = stage.tasks.map((task) =>
      task.id === TASK
        ? { ...task, reference: { [task.entry]: "export const parseDuration = () => 0;\n" } }
        : task,
    );
    const run = { task: TASK, seed: SEED, arm: "ungated" };
    await expect(playTrialRun(run, { ...stage, tasks: broken })).rejects.toThrow(
      "the oracle of parse-duration is broken",
    );
  });

  test("refuses an oracle that has nothing against empty code, by name", TIMEOUT, async () => {
    const text = 'import { expect, test } from "vitest";\n\ntest("is", () => {\n  expect(1).toBe(1);\n});\n';
    const blind = stage.tasks.map((task) =>
      task.id === TASK ? { ...task, oracle: { "test/oracle.test.ts": text } } : task,
    );
    const run = { task: TASK, seed: SEED, arm: "ungated" };
    const workers = { kind: "runtime" as const, runtime: "simulator:honest" };
    await expect(
      playTrialRun(run, { ...stage, tasks: blind, protocol: { ...stage.protocol, workers } }),
    ).rejects.toThrow("the oracle of parse-duration is broken: it has nothing against a module");
  });

  test("counts what was called before it failed by itself", TIMEOUT, async () => {
    // Refuses empty code, and no defect at all: there is none that an implementer could make.
    const text =
      'import { expect, test } from "vitest";\nimport { parseDuration } from "../src/index.ts";\n\ntest("is", () => {\n  expect(() => parseDuration("1h")).not.toThrow("stub");\n});\n';
    const blind = stage.tasks.map((task) =>
      task.id === TASK ? { ...task, oracle: { "test/oracle.test.ts": text }, omissions: [] } : task,
    );
    const row = await playTrialRun({ task: TASK, seed: SEED, arm: "debate" }, { ...stage, tasks: blind });
    expect(row).toMatchObject({ ended: "crashed", right: null, caughtBy: null });
    expect(row.calls).toBeGreaterThan(0);
  });

  test("knows its tasks and arms", async () => {
    await expect(played("nothing", 1, "blind")).rejects.toThrow("the trial has no task nothing");
    await expect(played(TASK, 1, "nobody")).rejects.toThrow("the trial has no arm nobody");
  });
});

describe.skipIf(!bubblewrapWorks || !isLong)("every arm (long form)", () => {
  const TASKS = ["parse-duration", "pack-runs", "retry-work", "ago-label"];
  const runs = TASKS.flatMap((task) => ARMS.map(({ name }) => [task, name] as const));

  test.each(runs)("%s in %s twice (long form)", TIMEOUT, async (task, arm) => {
    for (const seed of [1, 2, 3]) {
      const { seconds: _, ...first } = await played(task, seed, arm);
      expect(first.ended).not.toBe("crashed");
      expect(first.right).not.toBe(null);
      const { seconds: __, ...again } = await played(task, seed, arm);
      expect(again).toEqual(first);
    }
  });
});
