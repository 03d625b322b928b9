// Simulated agents as a person meets them on the command line; nothing here runs a module.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVERY_CHEAT } from "../src/simulator/cheats/every-cheat.ts";
import { cupelIn } from "./cupel-process.ts";
import { sampleProject } from "./git-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

describe("simulated agents", () => {
  test("come with a product that they know", () => {
    const directory = temporaryDirectory();
    const begun = cupelIn(directory, ["init", "--simulated"]);
    expect(begun.code).toBe(0);
    expect(begun.out).toContain("cupel run --runtime simulator:cheat/skip-tests");
    expect(begun.out).not.toMatch(/your key|write what you want/);
    expect(readFileSync(join(directory, "SPEC.md"), "utf8")).toContain("# Kitchen");
    const dry = cupelIn(directory, ["run", "--dry-run"]);
    expect(dry.err).not.toContain("cupel.config.json");
    expect(cupelIn(directory, ["init", "--simulated"]).out).toContain("was there already");
  });

  test.each([
    ["simulator:hones", 'there is no way to behave "hones"', "did you mean honest?"],
    ["simulator:proposr=lazy", 'there is no role "proposr"', "did you mean proposer?"],
    ["codex:honest", 'there is no runtime "codex:honest"', "simulator:"],
    ["simulato", 'there is no runtime "simulato"', "did you mean simulator?"],
  ])("--runtime %s is refused before anything is opened", (runtime, message, hint) => {
    const directory = sampleProject({ "SPEC.md": "# Something\n" });
    const ended = cupelIn(directory, ["run", "--no-input", "--runtime", runtime]);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain(message);
    expect(ended.err).toContain(hint);
  });

  test("are asked about nothing else, and say so", () => {
    const input = join(import.meta.dirname, "..", "examples", "ask", "arbiter.json");
    const ended = cupelIn(temporaryDirectory(), [
      "ask",
      "arbiter",
      "--input",
      input,
      "--runtime",
      "simulator:honest",
    ]);
    expect(ended.code).toBe(27);
    expect(ended.err).toContain("cupel init DIR --simulated");
  });
});

test("cupel battery --list names every cheat, and a wrong name leads there", () => {
  const directory = temporaryDirectory();
  const lines = cupelIn(directory, ["battery", "--list"]).out.trimEnd().split("\n");
  expect(lines).toHaveLength(EVERY_CHEAT.length);
  expect(lines).toContainEqual(expect.stringMatching(/^skip-tests +skips the tests/));
  const { err } = cupelIn(directory, ["battery", "--only", "nosuch"]);
  expect(err).toContain("cupel battery --list");
  expect(err.length).toBeLessThan(400);
});

test.each([
  [["--only", "skip-the-tests"], 'there is no cheat "skip-the-tests"'],
  [["--protocol", "duo"], 'there is no protocol "duo"'],
  [["--rigor", "strictest"], 'there is no rigor "strictest"'],
  [["--jobs", "0"], '--jobs is "0"'],
])("cupel battery %j is refused", (args, message) => {
  const ended = cupelIn(temporaryDirectory(), ["battery", ...args]);
  expect(ended.code).toBe(2);
  expect(ended.err).toContain(message);
});
