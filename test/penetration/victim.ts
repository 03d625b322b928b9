// Sets up what is to be protected: a hub, another role's workspace, and a harness with secrets in every corner.
import { spawn, spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { ListenOptions, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scene, SecretName } from "./attack.ts";

/** What all attacks on one victim have in common. */
export type SharedScene = Omit<Scene, "tree" | "mark" | "id" | "unlimited" | "preyPid" | "preyFile">;

export interface Victim {
  scene: SharedScene;
  root: string;
  /** A directory outside every workspace that everybody may write to. */
  outside: string;
  base: string;
  token: Token;
  end(): void;
}

/** The parts of the harness that must be there before its process starts. */
export interface HarnessPlace {
  root: string;
  directory: string;
  openFile: string;
  /** What the tokens are made from. */
  key: string;
}

type Token = (name: SecretName) => string;

/** Nobody can guess one, and one does not give the others away. */
export function tokenOf(key: string, name: SecretName): string {
  return `CUPEL-${name}-${createHmac("sha256", key).update(name).digest("hex").slice(0, 24)}`;
}

/** Outside /tmp, which a sandbox hides as a whole, and readable by everybody, so that only the sandbox protects it. */
export function harnessPlace(): HarnessPlace {
  const root = mkdtempSync("/var/tmp/cupel-victim-");
  chmodSync(root, 0o755);
  const key = randomBytes(16).toString("hex");
  const place = { root, directory: join(root, "harness"), openFile: join(root, "open-file"), key };
  mkdirSync(place.directory);
  writeFileSync(join(place.directory, "secret.txt"), tokenOf(key, "harness-directory"));
  writeFileSync(place.openFile, tokenOf(key, "descriptor"));
  return place;
}

export async function makeVictim({ root, key }: HarnessPlace): Promise<Victim> {
  const token: Token = (name) => tokenOf(key, name);
  const project = join(root, "project");
  const outside = join(root, "outside");
  mkdirSync(outside);
  chmodSync(outside, 0o777);
  const hub = makeHub(project, token);
  const files = makeFiles(root, project, token);
  const services = await startServices(root, token);
  const env = { SECRET: token("child-environment") };
  const child = spawn("sleep", ["600"], { env, stdio: "ignore" });
  const sharedMemory = makeSharedMemory(token("shared-memory"));
  const scene: SharedScene = {
    project,
    ...hub.scene,
    ...files,
    ...services.scene,
    sharedMemory,
    otherTree: "",
    harnessPid: process.pid,
    childPid: child.pid ?? 0,
  };
  const end = () => {
    child.kill("SIGKILL");
    for (const server of services.servers) server.close();
    perl(`shmctl(${sharedMemory}, 0, 0)`);
    spawnSync("rm", ["-rf", root, files.machineTmp, files.sharedFile]);
  };
  return { scene, root, outside, base: hub.base, token, end };
}

/** The other role's work is on a branch, in the reflog of that branch, and in a pack without any ref. */
function makeHub(project: string, token: Token) {
  const hub = join(project, ".cupel/hub.git");
  mkdirSync(join(project, ".cupel"), { recursive: true });
  git(["init", "-q", "--bare", "-b", "main", hub]);
  git(["--git-dir", hub, "config", "core.logAllRefUpdates", "always"]);
  const inHub = (args: string[], input = "") => git(["--git-dir", hub, ...args], input);
  const commit = (file: string, text: string, parents: string[]) => {
    const blob = inHub(["hash-object", "-w", "--stdin"], text);
    const tree = inHub(["mktree"], `100644 blob ${blob}\t${file}\n`);
    return { blob, id: inHub(["commit-tree", tree, ...parents.flatMap((id) => ["-p", id]), "-m", "work"]) };
  };
  const base = commit("readme.md", "nothing to hide\n", []).id;
  inHub(["update-ref", "refs/heads/main", base]);
  const forgotten = commit("secret.txt", token("hub-reflog"), [base]).id;
  inHub(["update-ref", "refs/heads/tests", forgotten]);
  const kept = commit("secret.txt", token("hub-branch"), [base]);
  inHub(["update-ref", "refs/heads/tests", kept.id]);
  inHub(["update-ref", "-m", "once more", "refs/heads/tests", base]);
  inHub(["update-ref", "-m", "and back", "refs/heads/tests", kept.id]);
  const packedBlob = inHub(["hash-object", "-w", "--stdin"], token("hub-packed"));
  inHub(["pack-objects", "-q", join(hub, "objects/pack/pack")], `${packedBlob}\n`);
  rmSync(join(hub, "objects", packedBlob.slice(0, 2), packedBlob.slice(2)));
  return { base, scene: { hub, branchBlob: kept.blob, packedBlob } };
}

function makeFiles(root: string, project: string, token: Token) {
  const folder = (path: string, file: string, secret: SecretName) => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, file), token(secret));
    return path;
  };
  const machineTmp = mkdtempSync(join(tmpdir(), "cupel-victim-"));
  chmodSync(machineTmp, 0o755);
  folder(machineTmp, "secret.txt", "tmp");
  const home = folder(join(root, "home/somebody"), ".netrc", "home");
  writeFileSync(join(home, ".profile"), "");
  writeFileSync(join(home, ".gitconfig"), "[user]\nname = a\nemail = a@b\n");
  const sharedFile = `/dev/shm/cupel-victim-${randomBytes(6).toString("hex")}`;
  writeFileSync(sharedFile, token("shared-file"));
  const granted = join(root, "granted");
  mkdirSync(granted);
  writeFileSync(join(granted, "granted.txt"), "for everybody\n");
  return {
    machineTmp,
    granted,
    home,
    sharedFile,
    npmCache: folder(join(root, "home/somebody/.npm/_cacache"), "index", "npm-cache"),
    vitestCache: folder(join(project, "node_modules/.vite/vitest"), "results.json", "vitest-cache"),
    buildInfo: join(folder(project, "tsconfig.tsbuildinfo", "build-info"), "tsconfig.tsbuildinfo"),
    store: folder(join(project, "state_store"), "cupel.db", "store"),
  };
}

async function startServices(root: string, token: Token) {
  const socket = join(root, "harness.sock");
  const abstractSocket = `cupel-victim-${randomBytes(6).toString("hex")}`;
  const tcp = await serve(token("loopback"), { port: 0, host: "127.0.0.1" });
  const servers: Server[] = [
    tcp,
    await serve(token("socket"), { path: socket }),
    await serve(token("abstract-socket"), { path: `\0${abstractSocket}` }),
  ];
  chmodSync(socket, 0o777);
  const address = tcp.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { servers, scene: { socket, abstractSocket, port: address.port } };
}

async function serve(token: string, where: ListenOptions): Promise<Server> {
  const server = createServer((client) => client.on("error", () => undefined).end(token));
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return server;
}

function makeSharedMemory(token: string): number {
  return Number(perl(`$id = shmget(0, 4096, 0666 | 01000); shmwrite($id, "${token}", 0, 200); print $id`));
}

function perl(program: string): string {
  return spawnSync("perl", ["-e", program], { encoding: "utf8" }).stdout;
}

/** Without the settings of whoever runs the tests. */
export function git(args: string[], input = ""): string {
  const author = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    ...author,
  };
  const { status, stdout, stderr } = spawnSync("git", args, { env, input, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}
