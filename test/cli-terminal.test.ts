// Ctrl-C at a question, at a real terminal (a pseudo terminal of util-linux's `script`): the way on is told, nothing is lost.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, cupelIn } from "./cupel-process.ts";
import { sampleProject } from "./git-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const hasScript = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout);
const LONG = 120_000;
const CTRL_C = "\u0003";

/** Types when the words have appeared; what the terminal showed, and how it ended. */
async function typed(
  directory: string,
  args: string[],
  answers: readonly [words: RegExp, keys: string][],
): Promise<{ code: number | null; shown: string }> {
  const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", SHELL: "/bin/sh", ANTHROPIC_API_KEY: "dummy-key" },
    timeout: LONG,
  });
  let shown = "";
  let at = 0;
  const left = [...answers];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    const [next] = left;
    if (next === undefined || !next[0].test(shown.slice(at))) return;
    left.shift();
    at = shown.length;
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return { code, shown: shown.replaceAll("\r", "") };
}

describe.skipIf(!hasScript)("Ctrl-C at a question (needs script of util-linux)", () => {
  test("of cupel run means no: nothing begins, and it is said how to agree", { timeout: LONG }, async () => {
    const directory = sampleProject({ "SPEC.md": "# A clock\n\nIt tells the time.\n" });
    const { code, shown } = await typed(directory, ["run"], [[/Begin\? \[y\/N\]/, CTRL_C]]);
    expect(code).toBe(11);
    expect(shown).toMatch(/Needs you: somebody must say that this may begin\n +cupel run --yes/);
    const { runId, spentUsd } = JSON.parse(cupelIn(directory, ["status", "--json"]).out);
    expect({ runId, spentUsd }).toEqual({ runId: expect.stringMatching(/^r-/), spentUsd: 0 });
    expect(cupelIn(directory, ["next"]).out).toBe("cupel run\n");
  });

  test("of cupel demo stops it: the command that goes on is said, and does", { timeout: LONG }, async () => {
    const directory = join(temporaryDirectory(), "agenda");
    const { code, shown } = await typed(
      temporaryDirectory(),
      ["demo", "--dir", directory],
      [[/\[Y\/n\]/, CTRL_C]],
    );
    expect(shown).toContain(`To go on: cupel demo --dir ${directory} --yes`);
    expect(code).toBe(11);
    expect(existsSync(join(directory, ".cupel/cupel.db"))).toBe(true);
    expect(readdirSync(directory)).toContain("SPEC.md");
    expect(JSON.parse(cupelIn(directory, ["inbox", "--json"]).out)).toMatchObject([
      { kind: "spec_approval" },
    ]);
  });
});
