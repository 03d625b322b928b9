// Installs a product's third-party packages from its lock file, once for each lock, without running any of their code.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import { CupelError } from "../../domain/error.ts";
import { close, freeze } from "./freeze.ts";
import { lockProblem } from "./lock-file.ts";
import type { CommandResult } from "../process/run-command.ts";
import type { Sandbox } from "../sandbox/port.ts";
import { removeAll } from "../workspace/remove.ts";

export interface PackagesRequest {
  /** The text of package.json. */
  manifest: string;
  /** The text of package-lock.json. */
  lock: string;
  /** Files that the lock names with `file:`, by their paths. */
  tarballs?: Readonly<Record<string, Uint8Array>>;
  /** Where installed packages are kept. */
  cache: string;
  sandbox: Sandbox;
  /** Where npm is. */
  npm: string;
  /** The address of a registry; settings of the person take no part. */
  registry?: string;
  /** Installs only what was handed in, with the network closed. */
  offline?: boolean;
  signal?: AbortSignal;
}

export type Packages =
  | { kind: "installed"; directory: string; reused: boolean }
  | {
      kind: "refused";
      why: "lock" | "integrity" | "offline" | "content" | "npm";
      message: string;
      hint: string;
    };

export async function installPackages(request: PackagesRequest): Promise<Packages> {
  const { manifest, lock, tarballs = {} } = request;
  const problem = lockProblem(manifest, lock, new Set(Object.keys(tarballs)));
  if (problem !== undefined) return refused("lock", problem);

  const cache = resolve(request.cache);
  const place = join(cache, keyOf(request));
  if (existsSync(place)) return { kind: "installed", directory: join(place, "node_modules"), reused: true };
  await removeAbandoned(cache);
  const unfinished = join(cache, `${UNFINISHED}${randomUUID()}`);
  try {
    const refusal = await install(request, unfinished);
    if (refusal !== undefined) return refusal;
    const reused = !movedTo(unfinished, place);
    return { kind: "installed", directory: join(place, "node_modules"), reused };
  } finally {
    if (existsSync(unfinished)) await removeAll(unfinished);
  }
}

const UNFINISHED = ".unfinished-";
const ABANDONED_MS = 24 * 60 * 60_000;

/** What a harness that was killed left behind; nobody installs for a day. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const place = join(cache, name);
    const made = lstatSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (name.startsWith(UNFINISHED) && Date.now() - made > ABANDONED_MS) await removeAll(place);
  }
}

function keyOf({ manifest, lock }: PackagesRequest): string {
  // The lengths keep the two apart; tarballs are pinned by the lock.
  return createHash("sha256")
    .update(JSON.stringify([manifest, lock]))
    .digest("hex");
}

async function install(request: PackagesRequest, place: string): Promise<Packages | undefined> {
  const { manifest, lock, tarballs = {}, sandbox, npm, offline = false, signal } = request;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), manifest);
  writeFileSync(join(place, "package-lock.json"), lock);
  for (const [path, bytes] of Object.entries(tarballs)) writeTarball(place, path, bytes);
  await sandbox.handOver(place);
  const result = await sandbox.run({
    command: npm,
    args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...(offline ? ["--offline"] : [])],
    workspace: place,
    access: "write",
    env: npmSettings(request, sandbox.inside(place)),
    network: offline ? "none" : "host",
    timeoutMs: TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.kind !== "exited" || result.code !== 0) return refusalOf(result);
  mkdirSync(join(place, "node_modules"), { recursive: true });
  for (const rest of [NPM_CACHE, ...Object.keys(tarballs)])
    rmSync(join(place, rest), { recursive: true, force: true });
  const unsafe = freeze(join(place, "node_modules"));
  if (unsafe !== undefined) return refused("content", unsafe);
  close(Buffer.from(place));
  return undefined;
}

const TIMEOUT_MS = 15 * 60_000;
const NPM_CACHE = ".npm-cache";

function writeTarball(place: string, path: string, bytes: Uint8Array): void {
  if (!staysInside(path) || !path.endsWith(".tgz")) {
    throw new CupelError("usage", `${JSON.stringify(path)} is no path of a tarball`, {
      expected: "such as vendor/a.tgz",
    });
  }
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), bytes, { flag: "wx" });
}

/** Files that do not exist stand for the person's settings, which may hold passwords and other registries. */
function npmSettings({ registry }: PackagesRequest, inside: string): Record<string, string> {
  return {
    npm_config_cache: `${inside}/${NPM_CACHE}`,
    npm_config_userconfig: `${inside}/${NPM_CACHE}/no-user-settings`,
    npm_config_globalconfig: `${inside}/${NPM_CACHE}/no-global-settings`,
    npm_config_update_notifier: "false",
    npm_config_ignore_scripts: "true",
    npm_config_bin_links: "true",
    npm_config_install_links: "true",
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
  };
}

/** Complete or not there at all; whoever comes second uses what is there. */
function movedTo(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (existsSync(to)) return false;
    throw error;
  }
}

function refusalOf(result: CommandResult): Packages {
  const said = "stderr" in result ? result.stderr : "";
  const code = /npm (?:error|ERR!) code (\w+)/.exec(said)?.[1] ?? result.kind;
  const reason = /npm (?:error|ERR!) (?!code )(\S.*)/.exec(said)?.[1] ?? code;
  if (code === "EUSAGE") return refused("lock", `package.json and package-lock.json disagree: ${reason}`);
  if (code === "EINTEGRITY") return refused("integrity", `a package is not the one in the lock: ${reason}`);
  if (OFFLINE.includes(code)) return refused("offline", `a package could not be fetched: ${reason}`);
  return refused("npm", `npm could not install the packages (${code}): ${reason}`);
}

const OFFLINE = [
  "ENOTCACHED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "ENETUNREACH",
];

function refused(why: keyof typeof HINTS, message: string): Packages {
  return { kind: "refused", why, message, hint: HINTS[why] };
}

const HINTS = {
  lock: "npm install --package-lock-only (writes a lock that fits), then commit package-lock.json",
  integrity: "find out who changed the package; if it was you: npm install --package-lock-only",
  offline: "check the network and the registry, then run the same command again",
  content: "remove this package from package.json, then npm install --package-lock-only",
  npm: "cupel doctor",
} as const;
