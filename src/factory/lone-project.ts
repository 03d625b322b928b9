// A project of its own for one task, played by simulated agents and gone afterwards: for batteries and trials.
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../code-index/port.ts";
import type { Config } from "../domain/config.ts";
import { resolveRigor, type Rigor, type RigorSetting } from "../domain/evidence/rigor.ts";
import type { VerdictMemory } from "../evidence/verdict-memory.ts";
import { blindAdvice } from "../protocols/blind/advice.ts";
import type { Toolchain } from "../toolchains/port.ts";
import { git } from "../workshop/git/git.ts";
import { openHub } from "../workshop/hub/hub.ts";
import { closing } from "./closing.ts";
import { type Engineering, openEngineering, trySandbox } from "./engineering.ts";
import { CONFIG_FILE } from "./project.ts";
import type { Environment } from "./runtimes.ts";
import type { Simulation } from "./simulated.ts";
import { type Casting, openWorks, type Works } from "./works.ts";

export interface LoneOptions {
  env: Environment;
  /** Who works there. */
  cast: Casting;
  /** What its settings say of agents; nothing unless told. */
  settings?: Config;
  seed: number;
  simulation: Simulation;
  /** Of all projects of the process. */
  verdicts: VerdictMemory;
  toolchain?: Toolchain;
}

/** The compiler goes on for the next project; whoever has opened the last one stops it. */
export async function inLoneProject<T>(
  { env, cast, settings, seed, simulation, ...shared }: LoneOptions,
  work: (works: Works, engineering: Engineering) => Promise<T>,
): Promise<T> {
  const open = closing();
  try {
    const project = await newProject();
    open.add(() => rm(project, { recursive: true, force: true }));
    if (settings !== undefined) await writeFile(join(project, CONFIG_FILE), JSON.stringify(settings));
    const works = await openWorks({
      project,
      env,
      cast,
      seed,
      simulation,
      jobs: () => blindAdvice,
    });
    open.add(() => works.close());
    const tried = await (sandbox ??= trySandbox());
    const engineering = await openEngineering(works, {
      env,
      keepCompiler: true,
      sandbox: tried,
      embedder: MEANINGLESS,
      ...shared,
    });
    open.add(() => engineering.close());
    return await work(works, engineering);
  } finally {
    await open.close();
  }
}

const DIMENSIONS = 256;

/** A project with a handful of modules has nothing that could be found by meaning only, and a model is large. */
const MEANINGLESS: Embedder = {
  model: "none",
  dimensions: DIMENSIONS,
  embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(DIMENSIONS).fill(1))),
};

type AdjustedRigor = Exclude<RigorSetting, string>;

/** With gates off, whatever they say is advice. */
export function gatedRigor(setting: AdjustedRigor, gates: "on" | "off"): Rigor {
  if (gates === "on") return resolveRigor(setting);
  const advising = Object.keys(resolveRigor(setting.base).gates).map((gate) => [gate, "advise"]);
  return resolveRigor({
    ...setting,
    gates: Object.fromEntries(advising),
    mutation: { blocking: false, criticalSurvivorsBlock: false },
    unprovenConstraints: "warn",
  });
}

/** Tried once in a process. */
let sandbox: ReturnType<typeof trySandbox> | undefined;

let template: Promise<string> | undefined;

/** A copy of a repository that was made once in this process. */
async function newProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "cupel-lone-"));
  const from = await (template ??= newTemplate());
  await cp(from, project, { recursive: true });
  return project;
}

async function newTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "cupel-lone-template-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  await git(["init", "--quiet", directory]);
  await writeFile(join(directory, "README.md"), "# Kitchen\n");
  await git(["-C", directory, "add", "--all"]);
  await git(["-C", directory, "commit", "--quiet", "--message", "what I want"]);
  await openHub(directory);
  return directory;
}
