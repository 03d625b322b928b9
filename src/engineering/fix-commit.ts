// A person's fix as a commit: their files on top of the last candidate, made by the harness in their name.
import { z } from "zod";
import { staysInside } from "../domain/artifact/context-pack.ts";
import { CupelError } from "../domain/error.ts";
import { GitId } from "../domain/run/workspace-record.ts";
import type { Halt } from "../protocols/outcome.ts";
import { branchRef } from "../workshop/git/branch-names.ts";
import { toBytePath } from "../workshop/git/byte-path.ts";
import { renderCommitMessage } from "../workshop/git/commit-message.ts";
import { importCommit } from "../workshop/git/fast-import.ts";
import { readBranch, tipOf } from "../workshop/git/refs.ts";
import type { TaskResolution } from "../domain/task/task-record.ts";
import type { EngineeringPorts, Making } from "./port.ts";

type Fix = Extract<TaskResolution, { kind: "fix" }>;

export async function fixCommit(
  engineering: EngineeringPorts,
  { assignment, thread }: Making,
  halt: Halt,
  fix: Fix,
  hash: string,
): Promise<string> {
  const place = { folder: assignment.folder, thread, parent: () => lastCandidate(engineering, halt) };
  return fixOn(engineering, place, fix, hash);
}

export interface FixPlace {
  folder: string;
  thread: string;
  /** What the fix goes on from. */
  parent: () => Promise<string>;
}

/** `hash` names it: the same fix is the same commit, also after a crash. */
export async function fixOn(
  engineering: EngineeringPorts,
  { folder, thread, parent }: FixPlace,
  fix: Fix,
  hash: string,
): Promise<string> {
  const { gitDir } = engineering.hub;
  const branch = `fix-${hash}`;
  const known = await readBranch(gitDir, branch);
  if (known !== undefined) return known;
  const changes = Object.entries(fix.files).map(([path, text]) => ({
    kind: "write" as const,
    path: toBytePath(placeOf(path, folder)),
    mode: "100644",
    content: Buffer.from(text),
  }));
  return importCommit({
    gitDir,
    ref: branchRef(branch),
    parent: await parent(),
    message: renderCommitMessage({
      phase: "fix",
      description: fix.description,
      body: "",
      session: thread,
      node: "person",
      costUsd: 0,
    }),
    at: Math.floor(engineering.now().getTime() / 1000),
    changes,
  });
}

/** Paths count from the module's folder, or from the product's where they name that folder. */
function placeOf(path: string, folder: string): string {
  const home = `modules/${folder}/`;
  const inside = path.startsWith(home) ? path.slice(home.length) : path;
  if (staysInside(inside) && !inside.startsWith("modules/")) return `${home}${inside}`;
  throw new CupelError(
    "invalid_input",
    `the fix names ${JSON.stringify(path)}, which is outside of the module`,
    {
      expected: `paths such as src/index.ts or ${home}src/index.ts`,
    },
  );
}

const Deliverable = z.object({ commit: GitId });

/** Where nothing was ever proposed but a contract, the product as it is. */
async function lastCandidate({ store, hub }: EngineeringPorts, { trail }: Halt): Promise<string> {
  const last = trail.proposals.findLast(({ target_artifact_id }) => target_artifact_id.startsWith("IMPL-"));
  if (last === undefined) return tipOf(hub.gitDir, hub.branch);
  const text = String(await store.artifacts.readBody(last.target_artifact_id, DELIVERABLE_FILE));
  return Deliverable.parse(JSON.parse(text)).commit;
}

/** In the body of an IMPLEMENTATION: which commit it is. */
export const DELIVERABLE_FILE = "deliverable.json";
