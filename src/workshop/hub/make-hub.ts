// Makes the hub under another name and moves it into place, so that what is called hub.git is always whole.
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { configValue, fetchBranch } from "./fetch-branch.ts";
import { branchRef } from "../git/branch-names.ts";
import { git } from "../git/git.ts";
import type { RepositoryFacts } from "./repository-facts.ts";
import { stateOf, thisProcess } from "../workspace/holder.ts";

export const HUB_VERSION = "1";
const HALF_MADE = /^hub\.making-(\d+)-(\d+)-([\w-]*)-[0-9a-f]+$/;
const OLD_MS = 24 * 3_600_000;

/** Bytes stay bytes, and neither a tracked attribute nor a filter decides how things are merged or shown. */
const ATTRIBUTES = `* -text -eol -ident -filter -working-tree-encoding !merge !diff !conflict-marker-size !whitespace\n`;

/** Made under another name and then renamed: what is called hub.git is whole, whenever the process was killed. */
export async function makeHub(parent: string, gitDir: string, facts: RepositoryFacts): Promise<void> {
  const { pid, startedAt } = thisProcess();
  const started = Buffer.from(startedAt).toString("base64url");
  const holder = `${processNamespace()}-${pid}-${started}`;
  const making = join(parent, `hub.making-${holder}-${randomBytes(4).toString("hex")}`);
  try {
    const format = `--object-format=${facts.objectFormat}`;
    await git(["init", "--quiet", "--bare", "--template=", format, "--", making]);
    mkdirSync(join(making, "info"), { recursive: true });
    writeFileSync(join(making, "info", "attributes"), ATTRIBUTES);
    settle(making, facts);
    const tip = await fetchBranch(making, facts, facts.branch);
    if (tip === undefined) throw new CupelError("git_failed", `${facts.branch} changed while it was copied`);
    await git(["update-ref", branchRef(facts.branch), tip], { gitDir: making });
    await git(["symbolic-ref", "HEAD", branchRef(facts.branch)], { gitDir: making });
    moveIntoPlace(making, gitDir);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Written behind what `git init` wrote, in one go instead of one process per setting. */
function settle(gitDir: string, facts: RepositoryFacts): void {
  const lines = [
    "[cupel]",
    `version = ${HUB_VERSION}`,
    `source = ${configValue(facts.top)}`,
    `branch = ${configValue(facts.branch)}`,
    "[core]",
    // An object must be on disk before a branch points to it, also when the machine stops.
    "fsync = committed,reference",
    "logAllRefUpdates = false",
    "[fetch]",
    // What is fetched comes as one pack, so that after a kill it is there as a whole or not at all.
    "unpackLimit = 1",
    "[gc]",
    "auto = 0",
  ];
  appendFileSync(join(gitDir, "config"), `${lines.join("\n")}\n`);
}

/** A directory that is not empty is never replaced, so the first of two wins and the other takes its hub. */
function moveIntoPlace(making: string, gitDir: string): void {
  try {
    renameSync(making, gitDir);
  } catch (error) {
    if (!existsSync(join(gitDir, "HEAD"))) throw error;
  }
}

/** What a killed process began; one that still runs is left alone. */
export function removeHalfMade(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, namespace, pid, started = ""] = HALF_MADE.exec(name) ?? [];
    if (pid === undefined) continue;
    const startedAt = Buffer.from(started, "base64url").toString("utf8");
    const dead = namespace === processNamespace() && isGone(Number(pid), startedAt);
    // Its git may still be writing there; then the next process removes the rest.
    if (dead || isOld(join(parent, name)))
      quietly(() => rmSync(join(parent, name), { recursive: true, force: true }));
  }
}

/** Process ids of another container say nothing here. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
  } catch {
    return "0";
  }
}

function isOld(path: string): boolean {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > OLD_MS;
}

function isGone(pid: number, startedAt: string): boolean {
  return stateOf({ pid, startedAt, namespace: thisProcess().namespace }) === "gone";
}

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    return;
  }
}
