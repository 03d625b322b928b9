// SIGKILL while ten workspaces are busy: all of them are listed, and nothing that was written or committed is lost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { git, tryGit } from "../src/workshop/git/git.ts";
import { BIN, cupelIn } from "./cupel-process.ts";
import { temporaryDirectory } from "./temporary.ts";
import { sampleWorkshop } from "./workshop-samples.ts";
import type { SampleWorkshop } from "./workshop-samples.ts";

const KILLS = process.env["CUPEL_LONG"] === "1" ? 40 : 4;
const WORKER = fileURLToPath(new URL("workshop-worker.ts", import.meta.url));

const Step = z.object({
  created: z.string().optional(),
  workspace: z.string().optional(),
  path: z.string().optional(),
  text: z.string().optional(),
  commit: z.string().optional(),
});
type Step = z.infer<typeof Step>;

test(`${KILLS} kills at random moments lose nothing`, { timeout: 30_000 + KILLS * 25_000 }, async () => {
  const workshop = await sampleWorkshop(temporaryDirectory());
  let steps = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // Every run tries the same moments: some while workspaces come into being, some in the middle of the work.
    const told = await workUntilKilled(workshop, String(kill), (kill * 370) % 1900);
    expect(listed(workshop)).toEqual(expect.arrayContaining(createdIn(told)));
    // Another process goes on with the same workspaces, and is killed as well.
    if (kill % 2 === 1) told.push(...(await workUntilKilled(workshop, String(kill), 600)));
    steps += told.length;
    if (kill % 4 === 2) await cleanUntilKilled(workshop, (kill * 90) % 700);
    await cleanTwiceAtOnce(workshop);
    expect(listed(workshop)).toEqual([]);
    await assertNothingLost(workshop, told);
  }
  expect(steps).toBeGreaterThan(KILLS * 10);
});

function createdIn(told: Step[]): string[] {
  return told.flatMap(({ created }) => (created === undefined ? [] : [created]));
}

function listed({ project }: SampleWorkshop): string[] {
  const { out } = cupelIn(project, ["clean", "--dry-run", "--json"]);
  const Listing = z.object({ workspaces: z.array(z.object({ id: z.string(), state: z.literal("stale") })) });
  return Listing.parse(JSON.parse(out)).workspaces.map(({ id }) => id);
}

async function workUntilKilled(
  { project, base }: SampleWorkshop,
  round: string,
  afterMs: number,
): Promise<Step[]> {
  const args = ["--import", "tsx", WORKER, project, base, round];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "exit");
  // One that ends by itself has failed, and says why.
  await Promise.race([once(child.stdout, "data"), exited]);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await exited;
  expect(errors).toBe("");
  // The last line may be cut: only whole lines were told.
  const lines = output.split("\n").slice(0, -1);
  return lines.map((line) => Step.parse(JSON.parse(line)));
}

async function cleanUntilKilled({ project }: SampleWorkshop, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [BIN, "clean"], { cwd: project, stdio: "ignore" });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Each workspace is removed by one of them, and neither finds anything wrong. */
async function cleanTwiceAtOnce({ project }: SampleWorkshop): Promise<void> {
  const cleaners = [1, 2].map(async () => {
    const child = spawn(process.execPath, [BIN, "clean"], {
      cwd: project,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const [code] = await once(child, "exit");
    return { code: Number(code), said };
  });
  for (const ended of await Promise.all(cleaners)) expect(ended).toMatchObject({ code: 0 });
}

async function assertNothingLost({ hub }: SampleWorkshop, told: Step[]): Promise<void> {
  const held = new Set((await git(["rev-list", "--all"], { gitDir: hub })).trim().split("\n"));
  const refs = (await git(["for-each-ref", "--format=%(refname)"], { gitDir: hub })).trim().split("\n");
  for (const { workspace = "", path, text, commit } of told) {
    if (commit !== undefined && !held.has(commit))
      throw new Error(`commit ${commit} of ${workspace} is lost`);
    if (path === undefined) continue;
    const own = refs.filter((ref) => ref.includes(`/${workspace}/`) || ref.endsWith(`/impl-${workspace}`));
    const found = await Promise.all(own.map((ref) => tryGit(["show", `${ref}:${path}`], { gitDir: hub })));
    if (!found.some(({ stdout }) => stdout === text)) throw new Error(`${path} of ${workspace} is lost`);
  }
}
