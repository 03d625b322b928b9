// The whole demo as a newcomer types it: first without anybody to say yes, then unattended to the released product.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEMO_SCRIPT, demoScript } from "../scripts/demo-script.ts";
import { testDemo } from "../src/factory/demo-project.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { BIN, cupelIn, type Ended } from "./cupel-process.ts";
import { pictureOf } from "./demo-picture.ts";
import { sampleGit } from "./git-samples.ts";
import { eventsIn } from "./product-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const LONG = 300_000;

function demoIn(directory: string, ...args: string[]): Ended {
  const result = spawnSync(process.execPath, [BIN, "demo", "--dir", directory, ...args], {
    env: { PATH: process.env["PATH"] ?? "" },
    encoding: "utf8",
    timeout: LONG,
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

test("the script is what its sources make (npm run demo:script)", () => {
  expect(readFileSync(DEMO_SCRIPT, "utf8") === demoScript()).toBe(true);
});

test("a directory that holds something is left alone", () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "mine.txt"), "mine");
  expect(demoIn(directory, "--yes")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/is not empty, so the demo leaves it alone\n.*\n {2}next: cupel demo --dir/s),
  });
  expect(demoIn(join(directory, "mine.txt"), "--yes")).toMatchObject({
    code: 2,
    err: expect.stringContaining("is no directory"),
  });
  expect(readdirSync(directory)).toEqual(["mine.txt"]);
  expect(readFileSync(join(directory, "mine.txt"), "utf8")).toBe("mine");
});

test(
  "waits for a person without hanging, then tells every act and ends with a product whose tests pass anywhere",
  async () => {
    const directory = join(temporaryDirectory(), "deep", "agenda");
    const alone = demoIn(directory);
    expect(alone.err).toContain("The agents are scripted");
    expect(alone).toMatchObject({
      code: 11,
      err: expect.stringContaining(`To go on: cupel demo --dir ${directory} --yes\n`),
    });
    const ended = demoIn(directory, "--yes");
    expect(ended.err.match(/^\d+ · .*$/gm)).toEqual([
      "2 · Your word",
      "3 · Tests that test nothing",
      "4 · A challenge",
      "5 · A halt",
      "6 · Your answer",
      "7 · Reuse",
      "8 · The whole",
      "9 · A release",
      "10 · A report",
      "11 · The product",
    ]);
    expect(ended.code).toBe(0);
    const events = await eventsIn(directory);
    const story = events.flatMap((event): string[] => {
      switch (event.kind) {
        case "spec_approved":
        case "escalation_raised":
        case "plan_refused":
          return [event.kind];
        case "gate_verdict_recorded":
          return event.blocks && event.verdict.gate === "red-on-skeleton" ? [`back ${event.module}`] : [];
        case "work_challenged":
          return event.verdict === "FAIL" ? [`failed ${event.module}`] : [];
        case "escalation_resolved":
          return [event.action];
        case "module_planned":
          return event.reused === null ? [] : [`reused ${event.reused}`];
        case "module_shipped":
          return [`shipped ${event.module}`];
        default:
          return [];
      }
    });
    expect(story).toEqual([
      "spec_approved",
      "back MM-parse_duration@1.0.0",
      "shipped MM-parse_duration@1.0.0",
      "failed MM-clock_time",
      "shipped MM-clock_time@1.0.0",
      "escalation_raised",
      "AMEND_SPEC",
      "shipped MM-day_plan@1.0.0",
      "plan_refused",
      "reused MM-parse_duration@1.0.0",
      "shipped MM-agenda@1.0.0",
    ]);
    expect(await pictureOf(directory)).toMatchObject({
      counts: { SHIPPED: 4, HALTED: 0 },
      uncommitted: "",
      waiting: [],
      released: 1,
    });
    expect((await checkStateStore(directory, { repair: false })).problems).toEqual([]);

    expect(readFileSync(join(directory, "report.html"), "utf8")).toContain("MM-agenda");

    const clone = join(directory, "..", "clone");
    sampleGit(directory, "clone", "--quiet", directory, clone);
    const tested = await testDemo(clone, new AbortController().signal);
    expect(tested).toMatchObject({ kind: "exited", code: 0 });
    expect(tested.stdout).toMatch(/Test Files +7 passed \(7\)\n +Tests +47 passed \(47\)/);
    // A product whose tests cannot fail would pass, too.
    writeFileSync(join(clone, "modules/clock-time/src/index.ts"), "export const clockTime = () => '';\n");
    expect(await testDemo(clone, new AbortController().signal)).toMatchObject({ kind: "exited", code: 1 });

    const again = demoIn(directory, "--yes");
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining("47 passed") });
    mkdirSync(join(directory, "..", "empty"));
    expect(cupelIn(join(directory, "..", "empty"), ["run", "--resume"]).code).toBe(2);
  },
  LONG,
);
