// What doctor says of git and the sandbox, for good machines, bad ones and lying ones.
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../test/bubblewrap.ts";
import { CupelError } from "../domain/error.ts";
import { probeGit, probeSandbox } from "./probes.ts";
import { runCommand } from "./process/run-command.ts";
import type { CommandResult, RunCommand } from "./process/run-command.ts";
import { bubblewrap } from "./sandbox/bubblewrap.ts";
import { none } from "./sandbox/none.ts";
import type { Sandbox, SandboxedCommand } from "./sandbox/port.ts";

const PATH = process.env["PATH"] ?? "";

const absent: CommandResult = { kind: "not-found", command: "?", stdout: "", stderr: "" };

function answers(...results: CommandResult[]): RunCommand {
  const left = [...results];
  return () => Promise.resolve(left.shift() ?? absent);
}

function prints(stdout: string, code = 0, stderr = ""): CommandResult {
  return { kind: "exited", code, stdout, stderr };
}

describe("git", () => {
  const cases: [string, CommandResult, string, string][] = [
    ["there", prints("git version 2.39.5\n"), "ok", "git 2.39.5"],
    ["with a vendor's suffix", prints("git version 2.50.1 (Apple Git-155)\n"), "ok", "git 2.50.1"],
    ["too old", prints("git version 2.17.1\n"), "unfit", "git 2.17.1, older than 2.38"],
    ["just too old", prints("git version 2.37.7\n"), "unfit", "git 2.37.7, older than 2.38"],
    ["just new enough", prints("git version 2.38.0\n"), "ok", "git 2.38.0"],
    ["absent", absent, "absent", "no git on the PATH"],
    ["broken", prints("", 127), "absent", "no git on the PATH"],
  ];

  test.each(cases)("%s", async (_name, result, status, found) => {
    expect(await probeGit(answers(result), PATH)).toMatchObject({
      name: "git",
      required: true,
      status,
      found,
    });
  });
});

describe("the sandbox", () => {
  const REFUSED = "read refused, write refused, connection refused";

  const cases: [string, Sandbox, string, RegExp][] = [
    [
      "refuses everything",
      liar((command) => {
        inside(command);
        return prints(REFUSED);
      }),
      "ok",
      /^bubblewrap 0.8.0, just seen to refuse a read, a write and a connection outside$/,
    ],
    [
      "lets a read through",
      liar((command) => prints(readFileSync(command.args[2] ?? "", "utf8"))),
      "unfit",
      /let a read outside through/,
    ],
    [
      "lets a write through and denies it",
      liar((command) => {
        inside(command);
        writeFileSync(command.args[3] ?? "", "");
        return prints(REFUSED);
      }),
      "unfit",
      /let a write outside through/,
    ],
    [
      "lets a connection through and denies it",
      liar(async (command) => {
        inside(command);
        const socket = connect(Number(command.args[4]), "127.0.0.1");
        await new Promise((resolve) => socket.once("close", resolve).resume());
        return prints(REFUSED);
      }),
      "unfit",
      /let a connection to this machine through/,
    ],
    [
      "says all was refused and ran nothing",
      liar(() => prints(REFUSED)),
      "unfit",
      /does not start: the attempts/,
    ],
    ["says nothing", liar(() => prints("")), "unfit", /does not start: the attempts answered ""/],
    ["fails", liar(() => prints("", 1, "no permissions")), "unfit", /does not start: no permissions/],
    ["hangs", liar(() => ({ kind: "timed-out", afterMs: 1, stdout: "", stderr: "" })), "unfit", /timed-out/],
    [
      "cannot be started",
      liar(() => Promise.reject(new CupelError("cannot_start", "no namespaces"))),
      "unfit",
      /does not start: no namespaces/,
    ],
    ["is not a sandbox at all", none(), "unfit", /let a read outside through/],
  ];

  test.each(cases)("%s", async (_name, sandbox, status, found) => {
    const check = await probeSandbox(answers(prints("bubblewrap 0.8.0\n")), sandbox);
    expect(check).toMatchObject({ name: "sandbox", status });
    expect(check.found).toMatch(found);
    expect(check.status === "ok" || (check.cost !== undefined && check.fix !== undefined)).toBe(true);
  });

  test("is absent", async () => {
    const check = await probeSandbox(answers(absent), bubblewrap());
    expect(check).toMatchObject({ status: "absent", fix: "apt-get install bubblewrap" });
  });

  test("a defect of Cupel is not taken for a bad machine", async () => {
    const broken = liar(() => Promise.reject(new TypeError("a bug")));
    await expect(probeSandbox(answers(prints("")), broken)).rejects.toThrow("a bug");
  });

  test.skipIf(!bubblewrapWorks)("the real one is seen to refuse (needs bubblewrap)", async () => {
    expect(await probeSandbox(runCommand, bubblewrap())).toMatchObject({ status: "ok" });
  });
});

/** A sandbox that does and says what it likes. */
function liar(act: (command: SandboxedCommand) => Promise<CommandResult> | CommandResult): Sandbox {
  return { ...none(), run: async (command) => ({ ...(await act(command)), sandbox: "bubblewrap" }) };
}

function inside({ workspace }: SandboxedCommand): void {
  writeFileSync(join(workspace, "inside"), "");
}
