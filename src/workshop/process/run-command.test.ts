// The one spawner: every way a command can end is a value, and nothing it started is left behind.
import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { prlimitProgram } from "./limits.ts";
import { runCommand, startCommand } from "./run-command.ts";
import type { CommandOptions } from "./run-command.ts";
import { survivorsOf } from "../sandbox/sandbox-world.suite.ts";

const options = { timeoutMs: 5000, env: { PATH: process.env["PATH"] ?? "" } };

function sh(script: string, more: Partial<CommandOptions> = {}) {
  return runCommand("/bin/sh", ["-c", script], { ...options, ...more });
}

let count = 0;
const newToken = () => `300.${process.pid}${(count += 1)}`;

describe("runCommand", () => {
  test("reports the exit code and both outputs", async () => {
    const expected = { kind: "exited", code: 3, stdout: "out\n", stderr: "err\n" };
    expect(await sh("echo out; echo err >&2; exit 3")).toEqual(expected);
  });

  test("reports the signal that ended it", async () => {
    expect(await sh("kill -TERM $$")).toMatchObject({ kind: "killed", signal: "SIGTERM" });
  });

  test("inherits nothing from the environment", async () => {
    process.env["CUPEL_TEST_SECRET"] = "s3cret";
    expect(await sh('echo "[$CUPEL_TEST_SECRET]"')).toMatchObject({ stdout: "[]\n" });
    delete process.env["CUPEL_TEST_SECRET"];
  });

  describe.each([
    ["without limits", {}],
    ["with limits", { limits: { openFiles: 100 } }],
  ])("%s", (_name, limits) => {
    test.each([
      ["is not there", () => "no-such-command"],
      ["is not at its path", () => "/no/such/command"],
      ["is a directory", () => "/tmp"],
      ["may not be executed", notExecutable],
    ])("a command that %s is reported as such", async (_name, commandOf) => {
      const command = commandOf();
      const expected = { kind: "not-found", command, stdout: "", stderr: "" };
      expect(await runCommand(command, [], { ...options, ...limits })).toEqual(expected);
    });

    test("a directory that is not there is not taken for a missing command", async () => {
      const attempt = sh("true", { ...limits, cwd: "/no/such/directory" });
      await expect(attempt).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringContaining("/no/such/dir"),
      });
    });
  });

  test("limits are the kernel's, and never more than the harness has itself", async () => {
    const limits = { openFiles: 50, fileBytes: 1_024_000, cpuSeconds: 7 };
    expect((await sh("ulimit -n -f -t | grep -o '[0-9]*$'; ulimit -n", { limits })).stdout).toContain("50");
    expect(await sh("ulimit -n", { limits: { openFiles: 2 ** 40 } })).toMatchObject({
      kind: "exited",
      code: 0,
    });
  });
});

describe("the end", () => {
  test("a time-out ends children, sessions of their own and orphans", async () => {
    const token = newToken();
    const orphan = `(setsid sh -c 'setsid sleep ${token} & exec sleep ${token}' &)`;
    const result = await sh(`sleep ${token} & setsid sleep ${token} & ${orphan}; echo up; wait`, {
      timeoutMs: 300,
    });
    expect(result).toMatchObject({ kind: "timed-out", afterMs: 300, stdout: "up\n" });
    expect(await survivorsOf({ token })).toEqual([]);
  });

  test("a command that ignores every signal it can is ended too", async () => {
    const result = await sh("trap '' TERM INT HUP; while :; do sleep 1; done", { timeoutMs: 200 });
    expect(result).toMatchObject({ kind: "timed-out" });
  });

  test("what stays in the group when a command ends is ended", async () => {
    const token = newToken();
    expect(await sh(`sleep ${token} >/dev/null 2>&1 & exit 0`)).toMatchObject({ kind: "exited", code: 0 });
    expect(await survivorsOf({ token })).toEqual([]);
  });

  test("what left the group is ended when somebody asks to look", async () => {
    const token = newToken();
    await sh(`setsid sleep ${token} >/dev/null 2>&1 </dev/null & exit 0`, { thorough: true });
    expect(await survivorsOf({ token })).toEqual([]);
  });

  test("a daemon that holds the output open does not delay the result, and is ended", async () => {
    const token = newToken();
    const before = Date.now();
    expect(await sh(`(setsid sleep ${token} &); echo done`)).toMatchObject({ code: 0, stdout: "done\n" });
    expect(Date.now() - before).toBeLessThan(2000);
    expect(await survivorsOf({ token })).toEqual([]);
  });

  test("a daemon that cannot be found, and keeps writing, does not delay the result for long", async () => {
    const before = Date.now();
    const endless = "i=0; while [ $i -lt 60 ]; do echo x; sleep 0.1; i=$((i + 1)); done";
    const result = await sh(`(env -i setsid sh -c '${endless}' &); sleep 0.1`);
    expect(result).toMatchObject({ kind: "exited", code: 0, stdout: expect.stringMatching(/^(x\n)+$/) });
    expect(Date.now() - before).toBeLessThan(4000);
  });

  test("a cancellation ends it, and one that came before keeps it from starting", async () => {
    const abort = new AbortController();
    const running = sh("sleep 300", { signal: abort.signal });
    await sleep(50);
    abort.abort();
    expect(await running).toMatchObject({ kind: "cancelled" });
    const file = join(temporaryDirectory(), "started");
    expect(await sh(`echo > '${file}'`, { signal: abort.signal })).toMatchObject({
      kind: "cancelled",
      stdout: "",
    });
    expect(readdirSync(join(file, ".."))).toEqual([]);
  });

  test("many commands may share a signal, and each leaves it when it ends", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 12 }, () => sh("true", { signal })));
    await sleep(0);
    process.off("warning", note);
    expect([warnings, getEventListeners(signal, "abort")]).toEqual([[], []]);
  });
});

describe("output", () => {
  test.each([
    ["before a character", 7, "a".repeat(7)],
    ["after its first byte", 8, "a".repeat(7)],
    ["after its second byte", 9, "a".repeat(7)],
    ["after it", 10, `${"a".repeat(7)}€`],
  ])("is cut %s without half a character", async (_where, outputLimit, stdout) => {
    expect(await sh(euro(7), { outputLimit })).toMatchObject({
      stdout,
      overflow: { stdoutBytes: 13, stderrBytes: 0 },
    });
  });

  test("that fits exactly is not cut", async () => {
    const result = await sh(euro(7), { outputLimit: 13 });
    expect(result).toEqual({ kind: "exited", code: 0, stdout: "aaaaaaa€€", stderr: "" });
  });

  test("is kept only when it does not fit", async () => {
    const kept: string[] = [];
    const keep = async (bytes: Uint8Array) => String(kept.push(Buffer.from(bytes).toString()));
    expect(await sh("printf 12345; printf 678 >&2", { keep, outputLimit: 5 })).not.toHaveProperty("overflow");
    const result = await sh("printf 123456; printf 789 >&2", { keep, outputLimit: 5 });
    expect(result).toMatchObject({
      stdout: "12345",
      stderr: "789",
      overflow: { stdoutBytes: 6, stderrBytes: 3, kept: "1" },
    });
    expect(kept).toEqual(["123456789"]);
  });

  test("without an end fills neither memory nor disk", async () => {
    const before = process.memoryUsage().rss;
    let kept = 0;
    const keep = async (bytes: Uint8Array) => {
      kept = bytes.length;
      return "address";
    };
    const result = await sh("head -c 200000000 /dev/zero", { outputLimit: 10, keep });
    expect(result.overflow).toMatchObject({ stdoutBytes: 200_000_000 });
    expect(kept).toBe(64 * 1024 ** 2);
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("cupel-output-"))).toEqual([]);
  });

  test("of a command that is ended is there as far as it came", async () => {
    expect(await sh("echo early; sleep 300", { timeoutMs: 200 })).toMatchObject({
      kind: "timed-out",
      stdout: "early\n",
    });
  });
});

describe("startCommand", () => {
  test("talks to a command while it runs", async () => {
    const running = startCommand("cat", [], options);
    running.stdin.write("hello");
    expect(String((await running.stdout.take(1).toArray())[0])).toBe("hello");
    running.stdin.end();
    expect(await running.ended).toEqual({ kind: "exited", code: 0 });
    expect(await text(running.stderr)).toBe("");
  });

  test("lets the harness exit while it still runs", () => {
    const script = `
      const { startCommand } = await import(process.argv[1]);
      startCommand("sleep", ["3"], { env: { PATH: process.env.PATH }, timeoutMs: 4000 }).unref();`;
    const args = [
      "--import",
      "tsx",
      "--input-type=module",
      "-e",
      script,
      join(import.meta.dirname, "run-command.ts"),
    ];
    const before = Date.now();
    expect(spawnSync(process.execPath, args, { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    expect(Date.now() - before).toBeLessThan(2800);
  });

  test("an error that nobody waits for does not end the harness", async () => {
    const { ended } = startCommand("true", [], { ...options, cwd: "/no/such/directory" });
    await sleep(20);
    await expect(ended).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a machine that will not start a command", () => {
  test("because too many files are open says so", () => {
    const prepare = `const fs = await import("node:fs"); const args = [];
      await runCommand("/bin/true", [], { timeoutMs: 5000, env: {} });
      try { for (;;) fs.openSync("/dev/null"); } catch {}`;
    expect(harness("--nofile=1024", prepare)).toMatch(
      /^cannot_start \/bin\/true could not be started: .*EMFILE.*lower concurrency/,
    );
  });

  test("because the arguments are too long says so", () => {
    expect(harness("--nofile=1024", `const args = ["x".repeat(300_000)];`)).toMatch(
      /^cannot_start .*too long \(E2BIG\)/,
    );
  });
});

function notExecutable(): string {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");
  chmodSync(file, 0o644);
  return file;
}

/** So many letters, and six bytes that are two characters. */
function euro(bytes: number): string {
  return `head -c ${bytes} /dev/zero | tr '\\0' a; printf '€€'`;
}

/** Runs a harness under limits of its own and prints the error's code and message. */
function harness(limit: string, prepare: string) {
  const script = `
    const { runCommand } = await import(process.argv[1]);
    ${prepare}
    await runCommand("/bin/true", args, { timeoutMs: 5000, env: {} }).then(
      (result) => console.log("ran", result.kind),
      (error) => console.log(error.code, error.message, error.hint));`;
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", script];
  const { stdout } = spawnSync(
    prlimitProgram() ?? "",
    [limit, "--", ...node, join(import.meta.dirname, "run-command.ts")],
    { encoding: "utf8" },
  );
  return stdout;
}
