// `cupel verify --watch`, and what Ctrl-C leaves behind.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { CLAMP_CONTRACT } from "./module-samples.ts";
import { CODE, moduleAt, placeWith, startVerify, TESTS, writeInto } from "./verify-process.ts";
import type { Running } from "./verify-process.ts";

const TIMEOUT = { timeout: 120_000 };
const PATIENCE = { timeout: 50_000, interval: 50 };

/** How many verdicts there were so far: each run ends with one of these lines. */
function verdicts({ out }: Running): string[] {
  return out()
    .split("\n")
    .flatMap((line) => /^(Passed|Fix first)/.exec(line)?.[1] ?? []);
}

function watching(
  files: Record<string, string>,
  args: readonly string[],
): { place: string; running: Running } {
  const place = placeWith({ "tmp/.keep": "", ...files });
  const running = startVerify(place, ["double", "--watch", ...args], { TMPDIR: join(place, "tmp") });
  onTestFinished(() => void running.child.kill("SIGKILL"));
  return { place, running };
}

/** Ends it as Ctrl-C does; nothing is left, neither on disk nor among the processes. */
async function interrupted(
  { place, running }: { place: string; running: Running },
  signal: "SIGINT" | "SIGTERM" = "SIGINT",
): Promise<{ started: number }> {
  const started = descendantsOf(running.child.pid ?? 0);
  running.child.kill(signal);
  expect(await running.ended).toMatchObject({ code: 130, err: expect.not.stringContaining("cupel:") });
  expect(readdirSync(join(place, "tmp")).filter((name) => name.startsWith("cupel-verify"))).toEqual([]);
  await expect.poll(() => started.filter(isAlive), { timeout: 5_000 }).toEqual([]);
  return { started: started.length };
}

/** Everything that the process has started, and what that has started. */
function descendantsOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each)))
    parents.set(Number(name), Number(statOf(Number(name))[1]));
  const found = [root];
  for (const parent of found)
    found.push(...[...parents].filter(([, of]) => of === parent).map(([pid]) => pid));
  return found.slice(1);
}

/** What is dead and not yet collected is not alive. */
function isAlive(pid: number): boolean {
  return !["", "Z", "X"].includes(statOf(pid)[0] ?? "");
}

/** State, parent and so on; nothing for a process that is gone. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}

describe("--watch", () => {
  test("an edit gives a second verdict, and Ctrl-C ends it with nothing left", TIMEOUT, async () => {
    const watched = watching(moduleAt("double"), ["--only", "build"]);
    const { place, running } = watched;
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed"]);
    writeInto(place, { "double/src/index.ts": CODE.replace("value * 2", '"two"') });
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed", "Fix first"]);
    expect(running.out()).toMatch(/Fix first: src\/index.ts:2 /);
    await interrupted(watched);
  });

  test("ten quick saves give one run", TIMEOUT, async () => {
    const watched = watching(moduleAt("double"), ["--only", "build"]);
    const { place, running } = watched;
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed"]);
    for (let save = 0; save < 10; save++) {
      writeInto(place, { "double/src/index.ts": `${CODE}// ${save}\n` });
      await sleep(20);
    }
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed", "Passed"]);
    await sleep(1_500);
    expect(verdicts(running)).toEqual(["Passed", "Passed"]);
    await interrupted(watched);
  });

  test("what is saved while a run is under way is not missed", TIMEOUT, async () => {
    const watched = watching(moduleAt("double"), ["--only", "build,green"]);
    const { place, running } = watched;
    await expect.poll(() => running.out(), PATIENCE).toContain("build");
    writeInto(place, { "double/src/index.ts": CODE.replace("value * 2", '"two"') });
    await expect.poll(() => verdicts(running).at(-1), PATIENCE).toBe("Fix first");
    await interrupted(watched);
  });

  test("files and folders that go meanwhile are told, and it goes on", TIMEOUT, async () => {
    const watched = watching(
      moduleAt("double", { "test/more/more.test.ts": TESTS.replace("../src", "../../src") }),
      ["--only", "build"],
    );
    const { place, running } = watched;
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed"]);
    rmSync(join(place, "double/test/more"), { recursive: true });
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed", "Passed"]);
    rmSync(join(place, "double"), { recursive: true });
    await expect.poll(() => running.err(), PATIENCE).toContain("double is not a module that can be verified");
    writeInto(place, moduleAt("double"));
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed", "Passed", "Passed"]);
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
  });

  test("a contract that changes is read again", TIMEOUT, async () => {
    const [entry] = CLAMP_CONTRACT.entry_points;
    const contract = (name: string) =>
      JSON.stringify({
        ...CLAMP_CONTRACT,
        inputs: [{ name: "value", type: "number", constraints: [] }],
        outputs: [{ name: "result", type: "number", invariants: [] }],
        error_surfaces: [],
        predicates: [],
        entry_points: [
          { ...entry, name, signature: "(value: number) => number", inputs: ["value"], errors: [] },
        ],
      });
    const files = { ...moduleAt("double"), "contract.json": contract("double") };
    const watched = watching(files, ["--only", "surface", "--contract", "contract.json"]);
    const { place, running } = watched;
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed"]);
    writeInto(place, { "contract.json": contract("twice") });
    await expect.poll(() => verdicts(running), PATIENCE).toEqual(["Passed", "Fix first"]);
    await interrupted(watched);
  });

  test("a mistake at the start ends it at once", TIMEOUT, async () => {
    const { running } = watching({}, []);
    expect(await running.ended).toMatchObject({ code: 2 });
  });
});

describe("Ctrl-C in the middle of a run", () => {
  test.each([["SIGINT"], ["SIGTERM"]] as const)(
    "%s ends tests that would never end",
    TIMEOUT,
    async (signal) => {
      const endless =
        'import { test } from "vitest";\nimport "../src/index.ts";\ntest("waits", { timeout: 100_000 }, () => {\n  for (;;);\n});\n';
      const place = placeWith({ "tmp/.keep": "", ...moduleAt("double", { "test/double.test.ts": endless }) });
      const running = startVerify(place, ["double", "--only", "build,green"], { TMPDIR: join(place, "tmp") });
      await expect.poll(() => running.out(), PATIENCE).toContain("build");
      await sleep(1_500);
      const { started } = await interrupted({ place, running }, signal);
      expect(started).toBeGreaterThan(0);
    },
  );
});
