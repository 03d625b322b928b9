// The arguments for bubblewrap: what a sandboxed command sees of the machine, and nothing else.
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { TEMPORARY_BYTES } from "../process/limits.ts";
import type { Grants } from "./grants.ts";
import { callFilter } from "./system-calls.ts";

export const WORKSPACE = "/workspace";
const HOME = "/home/agent";
const SHARED_MEMORY_BYTES = 64 * 1024 ** 2;
/** Who the command is to itself; the machine knows it by another number. */
const AGENT = "1000";

/** Descriptors of the inner bubblewrap: 3 is its report, the rest is fed to it. */
export const STATUS_FD = "3";
export const ARGUMENTS_FD = "4";
const PASSWD_FD = "5";
const GROUP_FD = "6";
const FILTER_FD = "7";
const ACCOUNT_FILES = [`agent:x:${AGENT}:${AGENT}::${HOME}:/bin/sh\n`, `agent:x:${AGENT}:\n`];

/** What descriptors 4 and up are fed with. */
export function sandboxInputs(sandbox: readonly string[]): (string | Uint8Array)[] {
  const filter = callFilter();
  const asked = sandbox.map((argument) => `${argument}\0`).join("");
  return [asked, ...ACCOUNT_FILES, ...(filter === undefined ? [] : [filter])];
}

/** Directories beside /usr that programs expect; on most machines they are links into it. */
const SYSTEM = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const SETTINGS = [
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/alternatives",
  "/etc/localtime",
  "/etc/ssl/certs",
  "/etc/nsswitch.conf",
];
const NETWORK_SETTINGS = ["/etc/resolv.conf", "/etc/hosts", "/etc/services"];

export interface View {
  grants: Grants;
  access: "read" | "write";
  network: "none" | "host";
  env: Readonly<Record<string, string>>;
}

/** The sandbox itself. `stage` says where an outer stage, if any, has put what was granted. */
export function sandboxArguments(view: View, stage: Stage = asOnTheMachine(view.grants)): string[] {
  const { grants, access, network, env } = view;
  const variables = { PATH: searchPath(), HOME, TMPDIR: "/tmp", ...env };
  return [
    machine(network),
    node().flatMap((path) => ["--ro-bind", stage.node, path]),
    words(`--ro-bind-data ${PASSWD_FD} /etc/passwd --ro-bind-data ${GROUP_FD} /etc/group`),
    words(`--proc /proc --dev /dev --size ${SHARED_MEMORY_BYTES} --tmpfs /dev/shm`),
    words(`--perms 1777 --size ${TEMPORARY_BYTES} --tmpfs /tmp --size ${TEMPORARY_BYTES} --tmpfs ${HOME}`),
    grants.visible.flatMap((path, index) => ["--ro-bind", stage.visible[index] ?? "", path]),
    [access === "write" ? "--bind" : "--ro-bind", stage.workspace, WORKSPACE],
    grants.mounts.flatMap(({ at }, index) => ["--ro-bind", stage.mounts[index] ?? "", join(WORKSPACE, at)]),
    // What is not a mount of its own would otherwise be memory without a limit.
    words("--remount-ro /dev --remount-ro /"),
    words("--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL"),
    network === "host" ? ["--share-net"] : [],
    callFilter() === undefined ? [] : ["--seccomp", FILTER_FD],
    words(`--hostname sandbox --uid ${AGENT} --gid ${AGENT} --json-status-fd ${STATUS_FD} --clearenv`),
    Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    ["--chdir", join(WORKSPACE, grants.cwd)],
  ].flat();
}

/** Where the sources of the inner stage's mounts are. */
interface Stage {
  workspace: string;
  mounts: readonly string[];
  visible: readonly string[];
  node: string;
}

/**
 * As root there is a stage around the sandbox: it makes the granted directories reachable for an unprivileged
 * user, who may not be able to walk to them. It hides little; the inner stage does.
 */
export function outerStage(view: View): { arguments: string[]; stage: Stage } {
  const { workspace, mounts, visible } = view.grants;
  const stage = {
    workspace: "/w",
    mounts: mounts.map((_, index) => `/m${index}`),
    visible: visible.map((_, index) => `/v${index}`),
    node: "/n",
  };
  return {
    stage,
    arguments: [
      machine(view.network),
      node().flatMap((path) => ["--ro-bind", path, stage.node]),
      // A sandbox can only be made where all of /proc is visible.
      words("--bind /proc /proc --dev-bind /dev /dev --perms 1777 --tmpfs /tmp"),
      ["--bind", workspace, stage.workspace],
      mounts.flatMap(({ from }, index) => ["--ro-bind", from, stage.mounts[index] ?? ""]),
      visible.flatMap((path, index) => ["--ro-bind", path, stage.visible[index] ?? ""]),
      // The kernel keeps this stage from signalling another user, but ends all of a namespace with its first process.
      words("--unshare-pid --die-with-parent"),
    ].flat(),
  };
}

function asOnTheMachine({ workspace, mounts, visible }: Grants): Stage {
  return { workspace, mounts: mounts.map(({ from }) => from), visible, node: node()[0] ?? "" };
}

function machine(network: "none" | "host"): string[] {
  const settings = network === "host" ? [...SETTINGS, ...NETWORK_SETTINGS] : SETTINGS;
  return [
    words("--ro-bind /usr /usr"),
    SYSTEM.flatMap((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found?.isSymbolicLink() === true) return ["--symlink", readlinkSync(path), path];
      return found?.isDirectory() === true ? ["--ro-bind", path, path] : [];
    }),
    // Directories that only come about on the way to a file are closed to others, the inner stage among them.
    words("--perms 0755 --dir /etc --perms 0755 --dir /etc/ssl"),
    settings.flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : [])),
  ].flat();
}

function words(text: string): string[] {
  return text.split(" ");
}

function searchPath(): string {
  const outside = node().length === 0 ? [] : [dirname(realpathSync(process.execPath))];
  return [...outside, "/usr/local/bin", "/usr/bin", "/bin"].join(":");
}

/** The running Node's installation where it is not under /usr; only the program where that would be a home. */
function node(): string[] {
  const program = realpathSync(process.execPath);
  if (program.startsWith("/usr/")) return [];
  const prefix = dirname(dirname(program));
  const isInstallation = basename(dirname(program)) === "bin" && existsSync(join(prefix, "lib/node_modules"));
  const holdsHome = `${homedir()}/`.startsWith(prefix === "/" ? "/" : `${prefix}/`);
  return [isInstallation && !holdsHome ? prefix : program];
}
