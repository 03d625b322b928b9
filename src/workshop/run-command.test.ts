// The one spawner: every way a command can end is a value, and a time-out leaves nothing behind.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

const options = { timeoutMs: 5000, env: { PATH: process.env["PATH"] ?? "" } };

function sh(script: string, timeoutMs = 5000) {
  return runCommand("/bin/sh", ["-c", script], { ...options, timeoutMs });
}

describe("runCommand", () => {
  test("reports the exit code and both outputs", async () => {
    expect(await sh("echo out; echo err >&2; exit 3")).toEqual({
      kind: "exited",
      code: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  test("reports a command that is not there", async () => {
    expect(await runCommand("no-such-command", [], options)).toEqual({
      kind: "not-found",
      command: "no-such-command",
    });
  });

  test("reports the signal that ended it", async () => {
    expect(await sh("kill -TERM $$")).toMatchObject({ kind: "killed", signal: "SIGTERM" });
  });

  test("inherits nothing from the environment", async () => {
    process.env["CUPEL_TEST_SECRET"] = "s3cret";
    expect(await sh('echo "[$CUPEL_TEST_SECRET]"')).toMatchObject({ stdout: "[]\n" });
    delete process.env["CUPEL_TEST_SECRET"];
  });

  test("a time-out ends the children too", async () => {
    const result = await sh("sleep 60 & echo $!; wait", 300);
    expect(result).toMatchObject({ kind: "timed-out", afterMs: 300 });
    const child = Number("stdout" in result ? result.stdout.trim() : "");
    expect(child).toBeGreaterThan(1);
    // SIGKILL is certain but not instant.
    await expect.poll(() => isRunning(child), { timeout: 5000 }).toBe(false);
  });

  test("keeps the first million bytes of endless output", async () => {
    const result = await sh("head -c 3000000 /dev/zero");
    expect("stdout" in result ? result.stdout.length : 0).toBe(1_000_000);
  });
});

/** A killed process that nobody has reaped yet is a zombie (Z), not a survivor. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
