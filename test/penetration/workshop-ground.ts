// The real thing: workspaces made, run, taken back, salvaged and removed by the workshop itself.
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CupelError } from "../../src/domain/error.ts";
import type { Sandbox } from "../../src/workshop/sandbox/port.ts";
import { scan } from "../../src/workshop/blindness/scan.ts";
import { createWorkspace } from "../../src/workshop/workspace/create.ts";
import type { Workspace } from "../../src/workshop/workspace/create.ts";
import { workshopOf } from "../../src/workshop/workspace/places.ts";
import { removeWorkspace } from "../../src/workshop/workspace/remove.ts";
import { takeBack } from "../../src/workshop/workspace/take-back.ts";
import type { TakenBack } from "../../src/workshop/workspace/take-back.ts";
import { LIMITS } from "./attack.ts";
import type { Ground } from "./ground.ts";
import { git } from "./victim.ts";
import type { Victim } from "./victim.ts";

/** A busy machine is slow; only what never ends stalls. */
const STALLED_MS = 20_000;

export function workshopGround({ scene: { project, hub }, base, token }: Victim, sandbox: Sandbox): Ground {
  const workshop = workshopOf(project);
  const workspaces = new Map<string, Workspace>();
  const make = async (id: string, role: "tests" | "impl") => {
    const grants = [{ path: "", access: "write" as const }];
    const workspace = await createWorkspace(workshop, sandbox, { id, runId: "run-1", role, base, grants });
    workspaces.set(workspace.places.tree, workspace);
    return workspace.places.tree;
  };
  return {
    makeOther: async () => {
      const tree = await make("other", "tests");
      writeFileSync(join(tree, "own.txt"), token("other-commit"));
      const own = ["-c", "safe.directory=*", "-C", tree];
      git([...own, "add", "own.txt"]);
      git([...own, "commit", "-q", "-m", "own"]);
      writeFileSync(join(tree, "secret.txt"), token("other-file"));
      await sandbox.handOver(tree);
      return tree;
    },
    makeWorkspace: (id) => make(id, "impl"),
    run: async (tree, script, timeoutMs, mount) => {
      const ran = tried(() =>
        sandbox.run({
          command: "sh",
          args: ["-c", script],
          workspace: tree,
          access: "write",
          network: "none",
          timeoutMs,
          limits: LIMITS,
          ...(mount === undefined ? {} : { mounts: [mount] }),
        }),
      );
      const { value, said } = await ran;
      if (value === undefined && mount === undefined) throw new Error(`the sandbox did not start: ${said}`);
      return value === undefined ? "" : value.stdout + value.stderr;
    },
    sweep: async ({ tree, id }) => {
      const workspace = workspaces.get(tree);
      if (workspace === undefined) throw new Error(`no workspace at ${tree}`);
      const startedAt = Date.now();
      const taken = await tried(() =>
        takeBack(workshop, workspace, { branch: `taken-${id}`, message: "taken" }),
      );
      const scanned = await tried(() => scanFor(workspace));
      const removed = await tried(() => removeWorkspace(workshop, workspace));
      const stalled = Date.now() - startedAt > STALLED_MS;
      const commits = [
        ...(taken.value?.kind === "taken" ? [taken.value.commit] : []),
        ...(removed.value?.refs ?? []),
      ];
      return {
        stalled,
        said: `${describeTaken(taken.value)}${taken.said}\n${scanned.said}\n${removed.said}`,
        crashed: taken.crashed || scanned.crashed || removed.crashed,
        left: existsSync(dirname(tree)),
        taken: commits.flatMap((commit) =>
          git(["--git-dir", hub, "ls-tree", "-rz", "--name-only", commit]).split("\0"),
        ),
        text: commits
          .map((commit) => git(["--git-dir", hub, "log", "-p", "--text", commit, "--not", base]))
          .join("\n"),
      };
    },
  };
}

/** As after a run: the tree is searched for its own canary. */
function scanFor({ record: { id, canary }, places: { tree } }: Workspace) {
  const target = { kind: "workspace", name: id, owner: id, source: { directory: tree } } as const;
  return scan([{ workspace: id, token: canary }], [target]);
}

function describeTaken(taken: TakenBack | undefined): string {
  return taken?.kind === "refused" ? taken.problems.map(({ path, why }) => `${path}: ${why}\n`).join("") : "";
}

/** To refuse in plain words is no crash. */
async function tried<T>(action: () => Promise<T>): Promise<{ value?: T; said: string; crashed: boolean }> {
  try {
    return { value: await action(), said: "", crashed: false };
  } catch (error) {
    if (error instanceof CupelError) return { said: error.message, crashed: false };
    return { said: error instanceof Error ? (error.stack ?? "") : String(error), crashed: true };
  }
}
