// Trials as a person meets them on the command line; nothing here plays a run.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { protocolHash, TrialProtocol } from "../src/domain/trial/trial-protocol.ts";
import { cupelIn } from "./cupel-process.ts";
import { temporaryDirectory } from "./temporary.ts";

function protocolOf(folder: string) {
  return TrialProtocol.parse(JSON.parse(readFileSync(join(folder, "trial.json"), "utf8")));
}

describe("cupel trial init", () => {
  test("writes down what was wished, and nothing else", () => {
    const directory = temporaryDirectory();
    const args = ["--tasks", "2", "--seeds", "4", "--arms", "solo,blind-strict", "--defect", "0.25"];
    const ended = cupelIn(directory, ["trial", "init", "t", ...args, "--max-runs", "6"]);
    expect(ended.code).toBe(0);
    expect(ended.out).toContain("2 tasks × 2 arms × 4 seeds = 16 runs");
    expect(ended.out).toContain("Next: cupel trial run t");
    expect(protocolOf(join(directory, "t"))).toMatchObject({
      seeds: [1, 2, 3, 4],
      workers: { kind: "simulated", parameters: { defect: 0.25, coverage: 0.7 } },
      stop: { maxRuns: 6 },
    });
    const again = cupelIn(directory, ["trial", "init", "t"]);
    expect(again.code).toBe(2);
    expect(again.err).toContain("t holds a trial already");
  });

  test("registers a sweep below the folder, and real agents never without a limit", () => {
    const directory = temporaryDirectory();
    cupelIn(directory, ["trial", "init", "s", "--sweep", "defect=0.2,0.6"]);
    expect(protocolOf(join(directory, "s", "defect-0.2"))).toMatchObject({ name: "s, defect 0.2" });
    expect(protocolOf(join(directory, "s", "defect-0.6")).workers).toMatchObject({
      parameters: { defect: 0.6 },
    });
    cupelIn(directory, ["trial", "init", "r", "--runtime", "codex"]);
    expect(protocolOf(join(directory, "r"))).toMatchObject({
      workers: { kind: "runtime", runtime: "codex" },
      stop: { maxCostUsd: 10 },
    });
  });

  test("writes down who real agents are, as the project around has them", () => {
    const directory = temporaryDirectory();
    const roles = { challenger: { model: "openai:other" } };
    const acp = { command: "./agent.sh", args: ["--acp"] };
    writeFileSync(join(directory, "agent.sh"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(directory, "cupel.config.json"), JSON.stringify({ roles, acp, concurrency: 3 }));
    const ended = cupelIn(directory, ["trial", "init", "mine", "--runtime", "acp"]);
    expect(ended.code).toBe(0);
    const { name, workers } = protocolOf(join(directory, "mine"));
    expect({ name, workers }).toEqual({
      name: "mine",
      workers: {
        kind: "runtime",
        runtime: "acp",
        settings: {
          roles,
          models: {},
          budget: { usd: 10, task: {}, unknownPrices: "refuse" },
          acp: { ...acp, command: join(directory, "agent.sh") },
        },
      },
    });
  });

  test("refuses an agent that nobody could start", () => {
    const directory = temporaryDirectory();
    const { code, err } = cupelIn(directory, ["trial", "init", "mine", "--runtime", "acp"]);
    expect({ code, err }).toEqual({ code: 78, err: expect.stringContaining('add "acp": {"command"') });
    expect(existsSync(join(directory, "mine"))).toBe(false);
  });

  test.each([
    [["--preset", "shrt"], 'there is no preset "shrt"'],
    [["--arms", "slo"], "did you mean solo?"],
    [["--tasks", "lock-dor"], "did you mean lock-door?"],
    [["--tasks", ","], "there is no task"],
    [["--seeds", "0"], '--seeds is "0"'],
    [["--corpus", "nowhere"], "nowhere"],
    [["--defect", "1.5"], '--defect is "1.5"'],
    [["--max-cost", "0"], '--max-cost is "0"'],
    [["--runtime", "codx"], "did you mean codex?"],
    [["--runtime", "codex", "--defect", "0.1"], "simulated workers"],
  ])("%j is refused, and nothing is written", (args, message) => {
    const directory = temporaryDirectory();
    const ended = cupelIn(directory, ["trial", "init", "t", ...args]);
    expect(ended.err).toContain(message);
    expect(ended.code).toBe(2);
    expect(existsSync(join(directory, "t"))).toBe(false);
  });
});

describe("cupel trial run, resume and report", () => {
  test.each([
    [["run"], "which trial?"],
    [["run", "nowhere"], "there is no trial in nowhere"],
    [["resume", "nowhere"], "there is no trial in nowhere"],
    [["report", "nowhere"], "cupel trial init nowhere"],
    [["run", "--preset", "shrt"], 'there is no preset "shrt"'],
    [["run", "t", "--preset", "short"], "t holds a trial already"],
    [["run", "t", "--jobs", "0"], '--jobs is "0"'],
    [["resume", "t"], "the trial in t has not begun"],
  ])("%j is refused", (args, message) => {
    const directory = temporaryDirectory();
    cupelIn(directory, ["trial", "init", "t"]);
    const ended = cupelIn(directory, ["trial", ...args]);
    expect(ended.err).toContain(message);
    expect(ended.code).toBe(2);
    expect(existsSync(join(directory, "t", "trial.lock.json"))).toBe(false);
  });

  test("a protocol that was changed after the lock is refused with what to type", () => {
    const directory = temporaryDirectory();
    cupelIn(directory, ["trial", "init", "t"]);
    const protocol = protocolOf(join(directory, "t"));
    writeFileSync(
      join(directory, "t", "trial.lock.json"),
      JSON.stringify({ sha256: protocolHash(protocol) }),
    );
    const changed = JSON.stringify({ ...protocol, primary: "correctness" });
    writeFileSync(join(directory, "t", "trial.json"), changed);
    for (const command of ["resume", "report"]) {
      const ended = cupelIn(directory, ["trial", command, "t", "--json"]);
      expect(ended.code).toBe(2);
      const { error } = z.object({ error: z.record(z.string(), z.string()) }).parse(JSON.parse(ended.out));
      expect(error).toMatchObject({
        code: "usage",
        message: expect.stringContaining("was changed after the trial had begun"),
        hint: expect.stringContaining("cupel trial init"),
      });
    }
    expect(existsSync(join(directory, "t", "rows.jsonl"))).toBe(false);
  });

  test("of a trial that has not begun, the report says how it begins", () => {
    const directory = temporaryDirectory();
    cupelIn(directory, ["trial", "init", "t"]);
    const { out, code } = cupelIn(directory, ["trial", "report", "t"]);
    expect(out).toContain("? t: 0 of 150 runs; cupel trial run t plays it");
    expect(code).toBe(0);
  });

  test("the worker is nobody's command", () => {
    expect(cupelIn(temporaryDirectory(), ["trial", "--help"]).out).not.toContain("worker");
  });
});
