// A project with a hub and one commit in it, and workspaces cut from it, for tests of the workshop.
import { mkdirSync } from "node:fs";
import { toBytePath } from "../src/workshop/git/byte-path.ts";
import { importCommit } from "../src/workshop/git/fast-import.ts";
import { git } from "../src/workshop/git/git.ts";
import { createWorkspace } from "../src/workshop/workspace/create.ts";
import type { Workspace, WorkspaceRequest } from "../src/workshop/workspace/create.ts";
import { workshopOf } from "../src/workshop/workspace/places.ts";
import type { Workshop } from "../src/workshop/workspace/places.ts";

export interface SampleWorkshop extends Workshop {
  base: string;
}

export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  "README.md": "A sample\n",
  "src/push.ts": "export const push = 1;\n",
  "src/pop.ts": "export const pop = 2;\n",
  "test/push.test.ts": "the other role's secret\n",
};

export async function sampleWorkshop(
  project: string,
  files: Readonly<Record<string, string>> = SAMPLE_FILES,
): Promise<SampleWorkshop> {
  const workshop = workshopOf(project);
  mkdirSync(workshop.hub, { recursive: true });
  await git(["init", "-q", "--bare", workshop.hub]);
  const changes = Object.entries(files).map(([path, text]) => ({
    kind: "write" as const,
    path: toBytePath(path),
    mode: "100644",
    content: Buffer.from(text),
  }));
  const base = await importCommit({
    gitDir: workshop.hub,
    ref: "refs/heads/main",
    message: "base\n",
    at: 0,
    changes,
  });
  return { ...workshop, base };
}

/** Writes `src/`, reads `README.md`, and does not see the rest. */
export function sampleWorkspace(
  workshop: SampleWorkshop,
  request: Partial<WorkspaceRequest> = {},
): Promise<Workspace> {
  return createWorkspace(
    workshop,
    { handOver: () => Promise.resolve() },
    {
      id: "impl-abc123",
      runId: "run-1",
      role: "impl",
      base: workshop.base,
      grants: [
        { path: "src/", access: "write" },
        { path: "README.md", access: "read" },
      ],
      ...request,
    },
  );
}

export function show(hub: string, what: string): Promise<string> {
  return git(["show", what], { gitDir: hub });
}
