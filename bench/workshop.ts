// What the barrier costs: a workspace of our own against a git worktree, and a command inside the sandbox.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "../src/workshop/git/git.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import type { Sandbox } from "../src/workshop/sandbox/port.ts";
import { createWorkspace } from "../src/workshop/workspace/create.ts";
import type { Workspace } from "../src/workshop/workspace/create.ts";
import { workshopOf } from "../src/workshop/workspace/places.ts";
import type { Workshop } from "../src/workshop/workspace/places.ts";
import { removeWorkspace } from "../src/workshop/workspace/remove.ts";

const SMALL = { files: 50, rounds: 25 };
const LARGE = { files: 50_000, rounds: 3 };

export async function run(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  try {
    const small = await compare(join(directory, "small"), SMALL);
    const large = await compare(join(directory, "large"), LARGE);
    return {
      smallRatio: small.ratio,
      largeRatio: large.ratio,
      concurrentFailures: await concurrentFailures(join(directory, "small")),
      sandboxMs: await sandboxMs(join(directory, "small")),
      small,
      large,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Size {
  files: number;
  rounds: number;
}

/** In turns, so that both meet the same disk; the middle of each counts. */
async function compare(project: string, { files, rounds }: Size) {
  const workshop = await makeHub(project, files);
  const ours: number[] = [];
  const worktree: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await timed(() => ourRound(workshop, round)));
    worktree.push(await timed(() => worktreeRound(workshop, project)));
  }
  const oursMs = middle(ours);
  const worktreeMs = middle(worktree);
  return { ratio: round2(oursMs / worktreeMs), oursMs, worktreeMs, files, rounds };
}

async function ourRound(workshop: Workshop, round: number): Promise<void> {
  const workspace = await create(workshop, none(), `bench-${round}`);
  await removeWorkspace(workshop, workspace);
}

async function worktreeRound({ hub }: Workshop, project: string): Promise<void> {
  const place = join(project, "worktree");
  await git(["worktree", "add", "-q", "--detach", place, "main"], { gitDir: hub });
  await git(["worktree", "remove", place], { gitDir: hub });
}

async function concurrentFailures(project: string): Promise<number> {
  const workshop = workshopOf(project);
  const ids = Array.from({ length: 20 }, (_, index) => `at-once-${index}`);
  const made = await Promise.allSettled(ids.map((id) => create(workshop, none(), id)));
  const removed = await Promise.allSettled(
    made.flatMap((one) => (one.status === "fulfilled" ? [removeWorkspace(workshop, one.value)] : [])),
  );
  return [...made, ...removed].filter(({ status }) => status === "rejected").length;
}

/** From the call to the end of the smallest command, as the person waits for it. */
async function sandboxMs(project: string): Promise<number | string> {
  const workshop = workshopOf(project);
  const sandbox = bubblewrap();
  const workspace = await create(workshop, sandbox, "sandboxed");
  const command = {
    command: "true",
    args: [],
    workspace: workspace.places.tree,
    access: "write",
    network: "none",
    timeoutMs: 10_000,
  } as const;
  const times: number[] = [];
  for (let round = 0; round < 30; round++) {
    times.push(
      await timed(async () => {
        const result = await sandbox.run(command);
        if (result.kind !== "exited" || result.code !== 0)
          throw new Error(`the sandbox failed: ${result.stderr}`);
      }),
    );
  }
  await removeWorkspace(workshop, workspace);
  return middle(times);
}

function create(workshop: Workshop, sandbox: Sandbox, id: string): Promise<Workspace> {
  const base =
    readFileSync(join(workshop.hub, "packed-refs"), "utf8").match(
      /^([0-9a-f]{40}) refs\/heads\/main$/m,
    )?.[1] ?? "";
  const grants = [{ path: "", access: "write" as const }];
  return createWorkspace(workshop, sandbox, { id, runId: "bench", role: "impl", base, grants });
}

async function makeHub(project: string, files: number): Promise<Workshop> {
  const source = join(project, "source");
  for (let file = 0; file < files; file++) {
    const folder = join(source, `package-${Math.floor(file / 500)}`, `part-${Math.floor(file / 25) % 20}`);
    if (file % 25 === 0) mkdirSync(folder, { recursive: true });
    const text = `export const value${file} = ${file};\n`.repeat(1 + (file % 40));
    writeFileSync(join(folder, `file-${file}.ts`), text);
  }
  const workshop = workshopOf(project);
  await git(["init", "-q", source]);
  const inSource = { gitDir: join(source, ".git"), env: { GIT_WORK_TREE: source } };
  await git(["add", "-A"], inSource);
  await git(["commit", "-qm", "files"], inSource);
  await git(["clone", "-q", "--bare", source, workshop.hub]);
  return workshop;
}

async function timed(work: () => Promise<void>): Promise<number> {
  // What earlier rounds wrote must not slow down this one.
  execFileSync("sync");
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function middle(times: number[]): number {
  return round2(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
