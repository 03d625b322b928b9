// What doctor says of git and the sandbox, for good machines, bad ones and lying ones.
import { describe, expect, test } from "vitest";
import { probeGit, probeSandbox } from "./probes.ts";
import { runCommand } from "./run-command.ts";
import type { CommandResult, RunCommand } from "./run-command.ts";

const PATH = process.env["PATH"] ?? "";

function answers(...results: CommandResult[]): RunCommand {
  const left = [...results];
  return () => Promise.resolve(left.shift() ?? { kind: "not-found", command: "?" });
}

function prints(stdout: string, code = 0, stderr = ""): CommandResult {
  return { kind: "exited", code, stdout, stderr };
}

describe("git", () => {
  const cases: [string, CommandResult, string, string][] = [
    ["there", prints("git version 2.39.5\n"), "ok", "git 2.39.5"],
    ["with a vendor's suffix", prints("git version 2.50.1 (Apple Git-155)\n"), "ok", "git 2.50.1"],
    ["too old", prints("git version 2.17.1\n"), "unfit", "git 2.17.1, older than 2.34"],
    ["absent", { kind: "not-found", command: "git" }, "absent", "no git on the PATH"],
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
  const cases: [string, CommandResult[], string, RegExp][] = [
    [
      "refuses a read outside",
      [prints("bubblewrap 0.8.0"), prints("refused\n")],
      "ok",
      /^bubblewrap 0.8.0, just seen to refuse/,
    ],
    [
      "lets a read outside through",
      [prints("bubblewrap 0.8.0"), prints("outside")],
      "unfit",
      /let a file outside be read/,
    ],
    ["says nothing", [prints("bubblewrap 0.8.0"), prints("")], "unfit", /let a file outside be read/],
    [
      "does not start",
      [prints("bubblewrap 0.8.0"), prints("", 1, "bwrap: No permissions")],
      "unfit",
      /does not start: bwrap: No permissions/,
    ],
    [
      "hangs",
      [prints("bubblewrap 0.8.0"), { kind: "timed-out", afterMs: 1, stdout: "", stderr: "" }],
      "unfit",
      /does not start: timed-out/,
    ],
    ["is absent", [{ kind: "not-found", command: "bwrap" }], "absent", /not installed/],
  ];

  test.each(cases)("%s", async (_name, results, status, found) => {
    const check = await probeSandbox(answers(...results), PATH);
    expect(check).toMatchObject({ name: "sandbox", status });
    expect(check.found).toMatch(found);
    expect(check.status === "ok" || (check.cost !== undefined && check.fix !== undefined)).toBe(true);
  });

  test("on this machine the answer is one of those, with what it costs unless it is ok", async () => {
    const check = await probeSandbox(runCommand, PATH);
    expect(check.found).toMatch(/just seen to refuse|not installed|does not start/);
  });
});
