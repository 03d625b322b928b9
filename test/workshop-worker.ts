// Keeps ten workspaces busy until it is killed: agents write and commit, the harness takes back; each step is told.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { adoptWorkspace } from "../src/workshop/workspace/adopt.ts";
import { createWorkspace } from "../src/workshop/workspace/create.ts";
import type { Workspace, WorkspaceRequest } from "../src/workshop/workspace/create.ts";
import { placesOf, workshopOf } from "../src/workshop/workspace/places.ts";
import { removeWorkspace } from "../src/workshop/workspace/remove.ts";
import { takeBack } from "../src/workshop/workspace/take-back.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";

const [project = "", base = "", round = ""] = process.argv.slice(2);
const workshop = workshopOf(project);
const sandbox = bubblewrapWorks ? bubblewrap() : none();

await Promise.all(Array.from({ length: 10 }, (_, index) => work(`w${round}-${index}`)));

async function work(id: string): Promise<void> {
  const grants = [{ path: "src/", access: "write" as const }];
  const request = { id, runId: "run-1", role: "impl", base, grants } as const;
  const workspace = await openOrCreate(request);
  tell({ created: id });
  const { tree } = workspace.places;
  for (let step = startingAt(tree); ; step++) {
    const text = `${id} step ${step}\n`;
    writeFileSync(join(tree, "src", `file-${step}.ts`), text);
    tell({ workspace: id, path: `src/file-${step}.ts`, text });
    if (step % 3 === 0) await commit(id, tree);
    if (step % 5 === 4) {
      const taken = await takeBack(workshop, workspace, {
        branch: `impl-${id}`,
        message: `impl: step ${step}\n`,
      });
      if (taken.kind !== "taken") throw new Error(`not taken: ${JSON.stringify(taken)}`);
      tell({ workspace: id, commit: taken.commit });
    }
  }
}

/** One whose maker was killed before it was complete is removed and made again. */
async function openOrCreate(request: WorkspaceRequest): Promise<Workspace> {
  const places = placesOf(project, request.id);
  const adopted = await adoptWorkspace(workshop, request.id);
  if (adopted !== undefined) return adopted;
  if (existsSync(places.directory)) await removeWorkspace(workshop, { places });
  return createWorkspace(workshop, sandbox, request);
}

/** As an agent would, inside the sandbox. */
async function commit(id: string, workspace: string): Promise<void> {
  // An agent that was killed in the middle of a commit left its locks behind.
  const unlock = "find .git -name '*.lock' -delete";
  const script = `${unlock}; git add -A && git commit -qm work && git rev-parse HEAD`;
  const result = await sandbox.run({
    command: "/bin/sh",
    args: ["-c", script],
    workspace,
    access: "write",
    network: "none",
    timeoutMs: 20_000,
  });
  if (result.kind !== "exited" || result.code !== 0) throw new Error(`commit: ${JSON.stringify(result)}`);
  tell({ workspace: id, commit: result.stdout.trim() });
}

function startingAt(tree: string): number {
  return readdirSync(join(tree, "src")).length;
}

function tell(step: object): void {
  process.stdout.write(`${JSON.stringify(step)}\n`);
}
