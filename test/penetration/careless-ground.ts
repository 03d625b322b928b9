// The control: no sandbox, worktrees and clones of the hub, and a harness that runs git where agents were.
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "./attack.ts";
import { SWEEP_MS } from "./ground.ts";
import type { Ground } from "./ground.ts";
import { git } from "./victim.ts";
import type { Victim } from "./victim.ts";

const WALK_MS = 1500;
const WALK = join(import.meta.dirname, "careless-walk.mjs");

export function carelessGround({ scene: { project, hub }, root, token }: Victim): Ground {
  const make = (id: string, worktree: boolean) => {
    const directory = join(project, ".cupel/workspaces", id);
    const tree = join(directory, "tree");
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "workspace.json"), "{}");
    if (worktree) git(["--git-dir", hub, "worktree", "add", "-q", "--detach", tree, "main"]);
    else git(["clone", "-q", hub, tree]);
    return tree;
  };
  return {
    makeOther: async () => {
      writeFileSync(join(make("other-worktree", true), "secret.txt"), token("other-file"));
      const tree = make("other", false);
      writeFileSync(join(tree, "own.txt"), token("other-commit"));
      git(["-C", tree, "add", "own.txt"]);
      git(["-C", tree, "commit", "-q", "-m", "own"]);
      writeFileSync(join(tree, "secret.txt"), token("other-file"));
      return tree;
    },
    makeWorkspace: async (id, { worktree = false }) => make(id, worktree),
    run: async (tree, script, timeoutMs, mount) => {
      if (mount !== undefined)
        symlinkSync(join(mount.from, "granted.txt"), join(tree, mount.at, "granted.txt"));
      return (await shell(tree, script, timeoutMs)).output;
    },
    sweep: async (scene, attack) => {
      const { tree, id } = scene;
      const ran = attack.careless && (await shell(tree, attack.careless(scene), SWEEP_MS));
      const walked =
        attack.carelessWalk && (await walk(attack.carelessWalk, [tree, hub, `taken-${id}`, root]));
      const taken = tryGit(["--git-dir", hub, "ls-tree", "-rz", "--name-only", `taken-${id}`]);
      return {
        left: false,
        said: walked?.output ?? "",
        stalled: (ran?.stalled ?? false) || (walked?.stalled ?? false),
        crashed: (ran?.code ?? 0) !== 0 || (walked?.code ?? 0) !== 0,
        taken: taken.split("\0"),
        text: `${ran?.output ?? ""}${tryGit(["--git-dir", hub, "log", "-p", "--text", "-1", `taken-${id}`])}`,
      };
    },
  };
}

function walk(how: NonNullable<Attack["carelessWalk"]>, args: string[]) {
  return ended(
    spawn(process.execPath, [WALK, how, ...args], { stdio: ["ignore", "pipe", "pipe"] }),
    WALK_MS,
    "SIGKILL",
  );
}

/** Everything is inherited: the environment, a descriptor and the terminal; time is up by a polite signal. */
function shell(tree: string, script: string, timeoutMs: number) {
  const child = spawn("sh", ["-c", script], {
    cwd: tree,
    env: process.env,
    stdio: ["ignore", "pipe", "pipe", 3],
  });
  return ended(child, timeoutMs, "SIGTERM");
}

interface Ended {
  output: string;
  code: number | null;
  stalled: boolean;
}

function ended(child: ReturnType<typeof spawn>, timeoutMs: number, signal: NodeJS.Signals): Promise<Ended> {
  let output = "";
  let stalled = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text: Buffer) => (output += text.toString("latin1")));
  const timer = setTimeout(() => {
    stalled = true;
    child.kill(signal);
  }, timeoutMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ output, code, stalled });
    });
  });
}

function tryGit(args: string[]): string {
  try {
    return git(args);
  } catch {
    return "";
  }
}
