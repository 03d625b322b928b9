// How commands run and end, which every sandbox promises whatever it keeps apart.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { SandboxedCommand } from "./port.ts";
import { survivorsOf } from "./sandbox-world.suite.ts";
import type { Promises, World } from "./sandbox-world.suite.ts";

export const COMMANDS: Promises = {
  "an exit code passes through, with both outputs and the level": async ({ sh, sandbox }) => {
    for (const code of [0, 1, 3, 100, 126, 127, 255]) {
      expect(await sh(`echo out; echo err >&2; exit ${code}`)).toEqual({
        kind: "exited",
        code,
        stdout: "out\n",
        stderr: "err\n",
        sandbox: sandbox.level,
      });
    }
  },

  "a signal passes through": async ({ sh }) => {
    for (const signal of ["SIGTERM", "SIGKILL", "SIGSEGV", "SIGUSR1"]) {
      expect(await sh(`kill -${signal.slice(3)} $$`)).toMatchObject({ kind: "killed", signal });
    }
  },

  "a command that is not there is told from one that fails": async ({ sandbox, command, sh }) => {
    for (const missing of ["no-such-command", "/no/such/command", "/"]) {
      const result = await sandbox.run(command({ command: missing }));
      expect(result).toMatchObject({ kind: "not-found", command: missing, stdout: "", stderr: "" });
    }
    expect(await sh("no-such-command")).toMatchObject({ kind: "exited", code: 127 });
  },

  "binary input arrives unchanged": async ({ sh }) => {
    const stdin = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    const { stdout } = await sh("sha256sum", { stdin });
    expect(stdout).toContain(createHash("sha256").update(stdin).digest("hex"));
  },

  "a command that reads no input does not mind a lot of it": async ({ sh }) => {
    expect(await sh("exit 4", { stdin: Buffer.alloc(5_000_000) })).toMatchObject({ kind: "exited", code: 4 });
  },

  "a command starts in its workspace or where it is told, under the name that inside() gives": async (
    world,
  ) => {
    const { sh, sandbox, workspace } = world;
    expect((await sh("pwd")).stdout).toBe(`${sandbox.inside(workspace)}\n`);
    expect((await sh("pwd", { cwd: "deps" })).stdout).toBe(`${sandbox.inside(workspace)}/deps\n`);
  },

  "what a command writes is in the workspace": async ({ sh, workspace }) => {
    await sh("echo hello > file");
    expect(readFileSync(join(workspace, "file"), "utf8")).toBe("hello\n");
  },

  "a workspace may have any name": async ({ sandbox, workspace, sh }) => {
    for (const name of [
      "with space",
      "-dash",
      "new\nline",
      "ünïcode 雪",
      "quo\"te's",
      "$HOME",
      "a:b,c=d\\e",
    ]) {
      const odd = join(dirname(workspace), name);
      mkdirSync(odd);
      await sandbox.handOver(odd);
      expect(await sh("echo > made; ls", { workspace: odd })).toMatchObject({ code: 0, stdout: "made\n" });
    }
  },

  "a temporary home of its own is there, and gone afterwards": async ({ sh }) => {
    const script = 'ls -A "$HOME" "$TMPDIR"; echo x > "$HOME/left" && echo x > "$TMPDIR/left"';
    expect((await sh(script)).stdout).not.toContain("left");
    expect(await sh(script)).toMatchObject({ kind: "exited", code: 0 });
    expect((await sh(script)).stdout).not.toContain("left");
  },

  "the environment holds what was given, and nothing of the harness": async ({ sh }) => {
    process.env["CUPEL_TEST_SECRET"] = "s3cret";
    const { stdout } = await sh("env", { env: { GIVEN: "a b\n=c" } });
    delete process.env["CUPEL_TEST_SECRET"];
    const names = stdout.split("\n").flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    const allowed = ["CUPEL_COMMAND", "GIVEN", "HOME", "PATH", "PWD", "OLDPWD", "SHLVL", "TMPDIR", "_"];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(stdout).toContain("GIVEN=a b\n=c\n");
    expect(stdout).not.toContain("s3cret");
  },

  "a time-out ends children in sessions of their own, and orphans": async (world) => {
    const result = await world.sh(everyKindOfChild(world), { timeoutMs: 400 });
    expect(result).toMatchObject({ kind: "timed-out", afterMs: 400, stdout: "started\n" });
    expect(await survivorsOf(world)).toEqual([]);
  },

  "a cancellation does too": async (world) => {
    const abort = new AbortController();
    const running = world.sh(everyKindOfChild(world), { signal: abort.signal });
    await sleep(300);
    abort.abort();
    expect(await running).toMatchObject({ kind: "cancelled" });
    expect(await survivorsOf(world)).toEqual([]);
  },

  "a command that was cancelled before it started never starts": async ({ sh, workspace }) => {
    const result = await sh("echo > started", { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ kind: "cancelled", stdout: "", stderr: "" });
    expect(readdirSync(workspace)).toEqual(["deps"]);
  },

  "a command that ends takes its background children along": async (world) => {
    const silent = `setsid sleep ${world.token} >/dev/null 2>&1 </dev/null &`;
    expect(await world.sh(`${silent} (${silent}) ; exit 5`)).toMatchObject({ kind: "exited", code: 5 });
    expect(await survivorsOf(world)).toEqual([]);
  },

  "a background child that holds the output does not delay the end": async (world) => {
    const before = Date.now();
    const result = await world.sh(`(setsid sleep ${world.token} &) ; echo done`);
    expect(result).toMatchObject({ kind: "exited", code: 0, stdout: "done\n" });
    expect(Date.now() - before).toBeLessThan(2500);
    expect(await survivorsOf(world)).toEqual([]);
  },

  "long output is cut in the result and kept whole": async ({ sh }) => {
    let kept = Buffer.alloc(0);
    const keep = async (output: Uint8Array) => {
      kept = Buffer.from(output);
      return "address";
    };
    const result = await sh("head -c 2500000 /dev/zero | tr '\\0' x; echo end; echo err >&2", { keep });
    expect(result.stdout).toBe("x".repeat(1_000_000));
    expect(result.overflow).toEqual({ stdoutBytes: 2_500_004, stderrBytes: 4, kept: "address" });
    expect(kept.toString()).toBe(`${"x".repeat(2_500_000)}end\nerr\n`);
  },

  "a program can be talked to while it runs, and ended": async ({ sandbox, command }) => {
    const running = sandbox.start(command({ args: ["-c", "read line; echo got $line; exec sleep 300"] }));
    running.stdin.write("hello\n");
    const [first] = await running.stdout.take(1).toArray();
    expect(String(first)).toBe("got hello\n");
    running.kill();
    expect(await running.ended).toEqual({ kind: "cancelled" });
    expect(await text(running.stderr)).toBe("");
  },

  "a directory of the harness appears at its mount point, and is gone afterwards": async (world) => {
    const { sh, workspace, outside } = world;
    const mounts = [{ from: outside, at: "deps" }];
    expect(await sh("cat deps/secret", { mounts })).toMatchObject({ code: 0, stdout: "s3cret" });
    expect(readdirSync(join(workspace, "deps"))).toEqual([]);
    const [first, second] = await Promise.all([
      sh("sleep 0.1; cat deps/secret", { mounts }),
      sh("sleep 0.3; cat deps/secret", { mounts }),
    ]);
    expect([first?.stdout, second?.stdout]).toEqual(["s3cret", "s3cret"]);
  },

  "grants that lead out of the workspace are refused before anything starts": async (world) => {
    const { command, sandbox, workspace, outside } = world;
    symlinkSync(outside, join(workspace, "link"));
    symlinkSync(workspace, join(dirname(workspace), "workspace-link"));
    writeFileSync(join(workspace, "file"), "");
    mkdirSync(join(workspace, "a"));
    symlinkSync("../deps", join(workspace, "a/b"));
    const refused: Partial<SandboxedCommand>[] = [
      { workspace: join(dirname(workspace), "workspace-link") },
      { workspace: join(workspace, "missing") },
      { workspace: join(workspace, "file") },
      ...["missing", "link", "file", "a/b", "../outside", "/deps", "", ".", "deps/../deps"].map((at) => ({
        mounts: [{ from: outside, at }],
      })),
      { mounts: [{ from: join(workspace, "link"), at: "deps" }] },
      ...["missing", "link", "..", "/", "a/b"].map((cwd) => ({ cwd })),
      ...["", "A=B", "A B", "1A", "A\n"].map((name) => ({ env: { [name]: "x" } })),
    ];
    for (const more of refused) {
      const attempt = async () => sandbox.run(command({ args: ["-c", "echo > started"], ...more }));
      const outcome = await attempt().then(
        () => "ran",
        (error: unknown) => Object(error).code,
      );
      expect({ ...more, outcome }).toEqual({ ...more, outcome: "usage" });
    }
    expect(readdirSync(workspace).toSorted()).toEqual(["a", "deps", "file", "link"]);
  },
};

/** A child, one in its own session, and a daemon that left its parents behind. */
function everyKindOfChild({ token }: World): string {
  const daemon = `(setsid sh -c 'setsid sleep ${token} & exec sleep ${token}' &)`;
  return `sleep ${token} & setsid sleep ${token} & ${daemon}; echo started; exec sleep ${token}`;
}
