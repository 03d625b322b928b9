// One module by a protocol in processes that are killed on their way: goes on, and comes to the same module, made once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { ArtifactType } from "../src/domain/artifact/artifact-type.ts";
import type { ProtocolName } from "../src/domain/evidence/rigor.ts";
import { checkStateStore, openStateStore, type StateStore } from "../src/store/state-store.ts";
import { sampleGit, sampleProject } from "./git-samples.ts";
import { scriptText } from "./invoice-script.ts";
import { temporaryDirectory } from "./temporary.ts";

export const LONG = process.env["CUPEL_LONG"] === "1";

export interface Killed {
  protocol: ProtocolName;
  lines: Parameters<typeof scriptText>[0];
  /** The folders of what ships. */
  modules: readonly string[];
  /** What else is the same each time; `store` and `hub` are those of the project afterwards. */
  same: (seen: { store: StateStore; hub: string }) => Promise<object>;
}

/** What an artifact of that type says came of it, of which there must be one. */
export async function kept(store: StateStore, type: ArtifactType, file: string): Promise<unknown> {
  const [only, ...others] = await store.artifacts.query({ type });
  const ref = only?.body[file];
  if (ref === undefined || others.length > 0) throw new Error(`${others.length + 1} reports`);
  return JSON.parse((await store.payloads.get(ref)).toString("utf8"));
}

const worker = fileURLToPath(new URL("protocol-worker.ts", import.meta.url));
const Line = z.looseObject({ what: z.string(), points: z.int().optional(), outcome: z.unknown().optional() });

/** How it ended after kills, beside how it ends without. */
export interface Survived {
  kills: number;
  /** Answers that were asked for once more. */
  again: number;
  found: End;
  undisturbed: End;
}

interface End {
  outcome: unknown;
  picture: object;
  problems: readonly unknown[];
}

/** Killed at these shares of the transactions of an undisturbed run, one after another in the same project. */
export async function survived(killed: Killed, shares: readonly number[]): Promise<Survived> {
  const whole = await wholeRun(killed);
  const project = sampleProject({ "README.md": "# Invoices\n" });
  let done = 0;
  let kills = 0;
  for (const share of shares) {
    // What is done already takes no transactions again, so the way to the next place is what is left of it.
    const at = Math.max(1, Math.floor(share * whole.points) - done);
    const line = await run(killed, project, whole.script, at, kills + 1);
    if (line.what === "killed") kills += 1;
    done += at;
  }
  return endAfter(killed, project, whole, kills);
}

/** Killed once in each of as many projects, at places all over the way. */
export async function survivedAnywhere(killed: Killed, projects: number): Promise<Survived[]> {
  const whole = await wholeRun(killed);
  const ends: Survived[] = [];
  for (let index = 0; index < projects; index++) {
    const at = 1 + Math.floor((index * whole.points) / projects);
    const project = sampleProject({ "README.md": "# Invoices\n" });
    const line = await run(killed, project, whole.script, at, 1);
    ends.push(await endAfter(killed, project, whole, line.what === "killed" ? 1 : 0));
  }
  return ends;
}

/** Killed from outside at random moments, one after another, in as many projects as that takes; each gets to its end at last. */
export async function survivedOften(
  killed: Killed,
  total: number,
  random: () => number,
): Promise<Survived[]> {
  const whole = await wholeRun(killed);
  const ends: Survived[] = [];
  const soFar = (): number => ends.reduce((sum, { kills }) => sum + kills, 0);
  while (soFar() < total) {
    const project = sampleProject({ "README.md": "# Invoices\n" });
    let kills = 0;
    while (kills < MOST_EACH) {
      const afterMs = STARTED_MS + random() * Math.min(whole.tookMs / 10, MOST_MS);
      const line = await run(killed, project, whole.script, 0, kills + 1, afterMs);
      if (line.what !== "killed") break;
      kills += 1;
    }
    ends.push(await endAfter(killed, project, whole, kills));
  }
  return ends;
}

/** What takes longer than a process lives would never get done. */
const MOST_EACH = 50;
/** Before that a process has hardly begun. */
const STARTED_MS = 3000;
/** However slow the machine is. */
const MOST_MS = 12_000;

interface Whole {
  script: string;
  points: number;
  tookMs: number;
  end: End;
}

/** What comes of it when nothing happens. */
async function wholeRun(killed: Killed): Promise<Whole> {
  const script = join(temporaryDirectory(), "script.jsonl");
  writeFileSync(script, scriptText(killed.lines));
  const project = sampleProject({ "README.md": "# Invoices\n" });
  const begun = performance.now();
  const { points = 0, outcome } = await run(killed, project, script);
  const tookMs = performance.now() - begun;
  const { answers, ...picture } = await pictureOf(killed, project);
  if (points <= 100 || answers !== picture.answered.length || picture.shipped !== killed.modules.length)
    throw new Error(`undisturbed it did not do what it should: ${JSON.stringify(outcome)}`);
  return { script, points, tookMs, end: { outcome, picture, problems: [] } };
}

async function endAfter(killed: Killed, project: string, whole: Whole, kills: number): Promise<Survived> {
  const { outcome } = await run(killed, project, whole.script, 0, kills + 1);
  const { answers, ...picture } = await pictureOf(killed, project);
  const { problems } = await checkStateStore(project, { repair: false });
  const again = answers - picture.answered.length;
  return { kills, again, found: { outcome, picture, problems }, undisturbed: whole.end };
}

async function run(
  { protocol }: Killed,
  project: string,
  script: string,
  killAt = 0,
  hours = 0,
  killAfterMs?: number,
) {
  const args = ["--import", "tsx", worker, protocol, project, script, String(killAt), String(hours)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  await once(child, "close");
  clearTimeout(timer);
  const last = out.trim().split("\n").at(-1) ?? "";
  if (last === "" && child.signalCode === "SIGKILL") return { what: "killed" };
  if (last === "") throw new Error(errors);
  return Line.parse(JSON.parse(last));
}

/** What anybody could see of it afterwards, without times and ids. */
async function pictureOf({ modules, same }: Killed, project: string) {
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  try {
    const events = await store.journal.read(0, 100_000);
    const answers = events.flatMap((event) =>
      event.kind === "role_call_finished"
        ? [`${event.role} ${event.module ?? ""} ${event.node} ${event.attempt}`]
        : [],
    );
    const hub = join(project, ".cupel", "hub.git");
    const inModules = (...paths: string[]): string[] =>
      modules.flatMap((name) => paths.map((path) => `modules/${name}/${path}`));
    return {
      result: await same({ store, hub }),
      shipped: events.filter(({ kind }) => kind === "module_shipped").length,
      answers: answers.length,
      answered: [...new Set(answers)].toSorted(),
      files: sampleGit(hub, "ls-tree", "-r", "main", ...inModules("src", "test", "contract.json")),
    };
  } finally {
    await store.close();
  }
}
