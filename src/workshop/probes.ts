// Looks for what the workshop needs on this machine: git, and a sandbox that really keeps things apart.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check } from "../domain/diagnosis.ts";
import type { RunCommand } from "./run-command.ts";

const TIMEOUT_MS = 5000;
const OLDEST_GIT = [2, 34] as const;

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

/** Starts a sandbox and lets it try to read a file outside: it counts only if that is refused. */
export async function probeSandbox(run: RunCommand, path: string): Promise<Check> {
  const need = {
    name: "sandbox",
    required: false,
    cost: "commands of agents and generated code are refused",
    fix: "apt-get install bubblewrap",
  };
  const options = { timeoutMs: TIMEOUT_MS, env: { PATH: path } };
  const version = await run("bwrap", ["--version"], options);
  if (version.kind !== "exited") return { ...need, status: "absent", found: "bubblewrap is not installed" };

  const outside = await mkdtemp(join(tmpdir(), "cupel-doctor-"));
  const secret = join(outside, "secret");
  try {
    await writeFile(secret, "outside");
    const inside = await run(
      "bwrap",
      [...SANDBOX, "/bin/sh", "-c", 'cat "$1" || echo refused', "sh", secret],
      options,
    );
    if (inside.kind !== "exited" || inside.code !== 0) {
      const why = "stderr" in inside ? inside.stderr.trim() : inside.kind;
      return {
        ...need,
        status: "unfit",
        found: `bubblewrap does not start: ${why || inside.kind}`,
        fix: USERNS_HINT,
      };
    }
    if (inside.stdout.trim() !== "refused") {
      return { ...need, status: "unfit", found: "bubblewrap let a file outside be read", fix: USERNS_HINT };
    }
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
  return {
    name: "sandbox",
    required: false,
    status: "ok",
    found: `${version.stdout.trim()}, just seen to refuse a read outside`,
  };
}

const USERNS_HINT = "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1)";

const SANDBOX = `
  --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64
  --proc /proc --dev /dev --tmpfs /tmp
  --unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL --clearenv --
`
  .trim()
  .split(/\s+/);
