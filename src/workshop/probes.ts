// Looks for what the workshop needs on this machine: git, and a sandbox that really keeps things apart.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check } from "../domain/diagnosis.ts";
import { CupelError } from "../domain/error.ts";
import type { RunCommand } from "./process/run-command.ts";
import { bubblewrapProgram } from "./sandbox/bubblewrap.ts";
import type { Sandbox } from "./sandbox/port.ts";

const TIMEOUT_MS = 5000;
/** The first whose merge-tree can write a tree. */
const OLDEST_GIT = [2, 38] as const;

export async function probeGit(run: RunCommand, path: string): Promise<Check> {
  const need = {
    name: "git",
    required: true,
    cost: "nothing works: all work is kept in git",
    fix: "apt-get install git",
  };
  const result = await run("git", ["--version"], { timeoutMs: TIMEOUT_MS, env: { PATH: path } });
  if (result.kind !== "exited" || result.code !== 0)
    return { ...need, status: "absent", found: "no git on the PATH" };
  const version = /\d+(\.\d+)+/.exec(result.stdout)?.[0] ?? result.stdout.trim();
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fresh = major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]);
  if (!fresh)
    return { ...need, status: "unfit", found: `git ${version}, older than ${OLDEST_GIT.join(".")}` };
  return { name: "git", required: true, status: "ok", found: `git ${version}` };
}

/** Lets a command in the sandbox try to get out in three ways: it counts only if each was refused. */
export async function probeSandbox(run: RunCommand, sandbox: Sandbox): Promise<Check> {
  const version = await run(bubblewrapProgram(), ["--version"], { timeoutMs: TIMEOUT_MS, env: {} });
  if (version.kind !== "exited") return { ...NEED, status: "absent", found: "bubblewrap is not installed" };
  const found = await tryEscape(sandbox);
  switch (found.kind) {
    case "refused":
      return {
        name: NEED.name,
        required: NEED.required,
        status: "ok",
        found: `${version.stdout.trim()}, just seen to refuse a read, a write and a connection outside`,
      };
    case "escaped":
      return { ...NEED, status: "unfit", found: `bubblewrap let ${found.through} through`, fix: USERNS_HINT };
    case "failed":
      return { ...NEED, status: "unfit", found: `bubblewrap does not start: ${found.why}`, fix: USERNS_HINT };
  }
}

const NEED = {
  name: "sandbox",
  required: false,
  cost: "commands of agents and generated code are refused",
  fix: "apt-get install bubblewrap",
};

const USERNS_HINT =
  "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)";

type Escape = { kind: "refused" } | { kind: "escaped"; through: string } | { kind: "failed"; why: string };

async function tryEscape(sandbox: Sandbox): Promise<Escape> {
  const outside = await mkdtemp(join(tmpdir(), "cupel-doctor-"));
  const secret = join(outside, "secret");
  const target = join(outside, "target");
  const workspace = join(outside, "workspace");
  const listener = await listen();
  try {
    await Promise.all([writeFile(secret, SECRET), mkdir(workspace)]);
    // Open to all once everything is in place, so that only the sandbox can be what refuses.
    await Promise.all([chmod(outside, 0o1777), chmod(secret, 0o666)]);
    await sandbox.handOver(workspace);
    const result = await sandbox.run({
      command: "node",
      args: ["-e", ATTEMPTS, secret, target, String(listener.port)],
      workspace,
      access: "write",
      network: "none",
      timeoutMs: TIMEOUT_MS,
    });
    if (result.kind !== "exited" || result.code !== 0) return failed(result.stderr.trim() || result.kind);
    if (result.stdout.includes(SECRET)) return { kind: "escaped", through: "a read outside" };
    if (existsSync(target)) return { kind: "escaped", through: "a write outside" };
    if (listener.visitors() > 0) return { kind: "escaped", through: "a connection to this machine" };
    // The attempts must have been made, and what is allowed must work, or the refusals mean nothing.
    if (result.stdout !== ALL_REFUSED || !existsSync(join(workspace, "inside")))
      return failed(`the attempts answered ${JSON.stringify(result.stdout)}`);
    return { kind: "refused" };
  } catch (error) {
    if (error instanceof CupelError) return failed(error.message);
    throw error;
  } finally {
    listener.close();
    await rm(outside, { recursive: true, force: true });
  }
}

const SECRET = "outside";
const ALL_REFUSED = "read refused, write refused, connection refused";

const ATTEMPTS = `
  const fs = require("node:fs");
  const [secret, target, port] = process.argv.slice(1);
  const attempt = (act) => { try { return act() ?? "done"; } catch { return "refused"; } };
  fs.writeFileSync("inside", "");
  const read = attempt(() => fs.readFileSync(secret, "utf8"));
  const write = attempt(() => fs.writeFileSync(target, ""));
  const say = (connection) => {
    process.stdout.write("read " + read + ", write " + write + ", connection " + connection);
    process.exit();
  };
  require("node:net").connect(Number(port), "127.0.0.1")
    .on("connect", () => say("done")).on("error", () => say("refused"));
`;

function failed(why: string): Escape {
  return { kind: "failed", why };
}

async function listen(): Promise<{ port: number; visitors: () => number; close: () => void }> {
  let visitors = 0;
  const server = createServer((visitor) => {
    visitors += 1;
    visitor.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, visitors: () => visitors, close: () => server.close() };
}
