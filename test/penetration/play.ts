// Plays one attack on a victim and reports what the harness saw.
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SECRETS } from "./attack.ts";
import type { Attack, Outcome, Scene } from "./attack.ts";
import { ATTACKS, INNOCENT } from "./attacks.ts";
import type { Ground, Level, Swept } from "./ground.ts";
import type { Victim } from "./victim.ts";

const TIMEOUT_MS = 4000;
const HELD_MS = 1500;
const UNTOUCHED: Swept = { stalled: false, crashed: false, left: false, taken: [], said: "", text: "" };

export async function play(level: Level, victim: Victim, ground: Ground, attack: Attack): Promise<Outcome> {
  const id = `p-${[...ATTACKS, INNOCENT].indexOf(attack)}-${level}`;
  const preyFile = join(victim.root, `prey-${id}/file`);
  mkdirSync(join(preyFile, ".."));
  writeFileSync(preyFile, "", { mode: 0o644 });
  let prey: ChildProcess | undefined;
  const scene: Scene = {
    ...victim.scene,
    id,
    tree: await ground.makeWorkspace(id, attack),
    mark: join(victim.outside, id),
    preyFile,
    get preyPid() {
      prey ??= spawn("sleep", ["60"], { stdio: "ignore" });
      return prey.pid ?? 0;
    },
    unlimited: level !== "bubblewrap",
  };
  try {
    return await observe(victim, ground, attack, scene);
  } finally {
    prey?.kill("SIGKILL");
  }
}

async function observe(victim: Victim, ground: Ground, attack: Attack, scene: Scene): Promise<Outcome> {
  const { tree, mark } = scene;
  const timeoutMs = attack.timeoutMs ?? TIMEOUT_MS;
  const startedAt = Date.now();
  const peak = attack.counts === true ? countProcesses(scene.id) : () => 0;
  let output = await ground.run(tree, attack.script(scene), timeoutMs);
  const held = Date.now() - startedAt > timeoutMs + HELD_MS;
  if (attack.thenMounted !== undefined)
    output += await ground.run(tree, attack.thenMounted(scene), timeoutMs, {
      from: scene.granted,
      at: "granted",
    });
  if (attack.thenInOther !== undefined)
    output += await ground.run(scene.otherTree, attack.thenInOther(scene), timeoutMs);
  await sleep(attack.waitMs ?? 0);
  const found = searchTree(tree);
  if (attack.sweep === true && existsSync(mark))
    throw new Error("the mark was there before the harness came");
  const swept = attack.sweep === true ? await ground.sweep(scene, attack) : UNTOUCHED;
  const everything = `${output}\n${found.tokens}\n${swept.text}`;
  return {
    output,
    stolen: SECRETS.filter((name) => everything.includes(victim.token(name))),
    marked: attack.effect === undefined ? existsSync(mark) : await attack.effect(scene),
    held,
    peak: peak(),
    stalled: swept.stalled,
    crashed: swept.crashed,
    left: swept.left,
    taken: swept.taken,
    said: swept.said,
    text: swept.text,
    largestFile: found.largestFile,
  };
}

/** With programs that neither follow links nor open what would block. */
function searchTree(tree: string): { tokens: string; largestFile: number } {
  const sizes = ["-printf", "size %s\n"];
  const tokens = ["-size", "-200k", "-exec", "grep", "-ahoE", "CUPEL-[a-z-]+-[0-9a-f]{24}", "{}", "+"];
  const found = spawnSync("find", [tree, "-type", "f", ...sizes, ...tokens], {
    encoding: "latin1",
    maxBuffer: 1e8,
  });
  const lines = found.stdout.split("\n");
  const bytes = lines.map((line) => Number(/^size (\d+)$/.exec(line)?.[1] ?? 0));
  return { tokens: found.stdout, largestFile: Math.max(0, ...bytes) };
}

/** The processes whose command line holds the word. */
function countProcesses(word: string): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    peak = Math.max(peak, pids.filter((pid) => commandLine(pid).includes(word)).length);
  }, 100);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
