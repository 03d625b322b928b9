// End-to-end tests of a real product, on real git: what counts is accepted and committed, everything else comes back.
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunEvent } from "../src/domain/run/run-event.ts";
import { resolveE2e, whatE2eHalted } from "../src/factory/resolve-e2e.ts";
import { projectStatus } from "../src/factory/project-status.ts";
import { checkStateStore, openStateStore } from "../src/store/state-store.ts";
import { cupelIn } from "./cupel-process.ts";
import {
  architectLines,
  CONFIG,
  honestAttempt,
  HONEST,
  makeTried,
  OUTSIDE,
  suite,
  tried,
} from "./e2e-ground.ts";
import { commitSample, sampleGit } from "./git-samples.ts";

const LONG = 60_000;
const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const template = join(place, "template");
beforeAll(() => makeTried(template), LONG);
afterAll(() => rmSync(place, { recursive: true }));

let projects = 0;
function project(): string {
  projects += 1;
  const directory = join(place, String(projects));
  cpSync(template, directory, { recursive: true });
  return directory;
}

async function journal(directory: string): Promise<RunEvent[]> {
  const store = openStateStore(directory, { durability: "normal", missing: "refuse" });
  const events = await store.journal.read(0, 10_000);
  await store.close();
  return events;
}

async function refusals(directory: string): Promise<string[]> {
  const events = await journal(directory);
  return events.flatMap((event) => (event.kind === "e2e_suite_refused" ? (event.findings[0] ?? "") : []));
}

const inHub = (directory: string, ...args: string[]) =>
  sampleGit(directory, `--git-dir=${directory}/.cupel/hub.git`, ...args);
const careless = { files: { "e2e/whole.test.ts": suite([`free [${OUTSIDE}]`, "expect(1 + 1).toBe(2);"]) } };

describe("end-to-end tests", () => {
  test(
    "that are honest are kept by content, committed once, and nobody is asked again",
    async () => {
      const directory = project();
      const before = inHub(directory, "rev-parse", "main");
      const outcome = await tried(directory, architectLines([honestAttempt]));
      expect(outcome).toMatchObject({
        kind: "accepted",
        suite: { files: { "whole.test.ts": expect.stringMatching(/^sha256:/) }, not_shown: [] },
      });
      expect(inHub(directory, "rev-list", `${before}..main`).split("\n")).toHaveLength(1);
      expect(inHub(directory, "diff", "--name-only", before, "main")).toBe("e2e/whole.test.ts");
      // There is no line for it: whoever asks again gets nothing.
      expect(await tried(directory, architectLines([{}], 9))).toEqual(outcome);
      const calls = (await journal(directory)).filter(({ kind }) => kind === "role_call_finished");
      expect(calls).toHaveLength(1);
      const { problems } = await checkStateStore(template, { repair: false });
      expect((await checkStateStore(directory, { repair: false })).problems).toEqual(problems);
    },
    LONG,
  );

  test(
    "that are refused come back with what speaks against each, and can be mended",
    async () => {
      const directory = project();
      const outcome = await tried(
        directory,
        architectLines([
          {
            files: {
              ...honestAttempt.files,
              "modules/clamp/src/index.ts": "export const clamp = () => 3;\n",
            },
          },
          { files: { ...honestAttempt.files, "package.json": '{"scripts":{"test":"true"}}\n' } },
          honestAttempt,
        ]),
      );
      expect(outcome).toMatchObject({ kind: "accepted" });
      expect(await refusals(directory)).toEqual([
        "outside-e2e: modules/clamp/src/index.ts: not among the paths that were granted; only files below e2e/ may be changed",
        "outside-e2e: package.json: not among the paths that were granted; only files below e2e/ may be changed",
      ]);
      expect(inHub(directory, "show", "main:package.json")).toContain("vitest run");
      expect(inHub(directory, "show", "main:modules/clamp/src/index.ts")).toContain("low is above high");
    },
    LONG,
  );

  test(
    "that nobody can write halt for a person, who says more; then it goes on",
    async () => {
      const directory = project();
      const lazy = await tried(directory, architectLines([{}, careless, careless]));
      expect(lazy).toMatchObject({
        kind: "halted",
        why: expect.stringContaining("after 3 attempts there are no end-to-end tests that count"),
      });
      expect((await refusals(directory))[0]).toBe("no-tests: nothing was written below e2e/");
      expect((await refusals(directory))[2]).toMatch(/^criterion-not-shown: /);
      expect(await projectStatus(directory)).toMatchObject({
        waiting: [{ kind: "e2e", command: "cupel resolve e2e" }],
        next: "cupel resolve e2e",
      });
      expect(await whatE2eHalted(directory)).toMatchObject({ attempts: 3 });
      expect(cupelIn(directory, ["resolve", "e2e"]).out).toMatch(
        /has no end-to-end tests.*✕ criterion-not-shown.*cupel resolve e2e --rationale.*cupel run --resume/s,
      );
      expect(cupelIn(directory, ["resolve", "e2e", "--rationale", "look at the ranges"])).toMatchObject({
        code: 0,
        out: expect.stringContaining("Next: cupel run --resume"),
      });
      await expect(resolveE2e(directory, null, "me")).rejects.toThrow("nobody waits for a word");
      expect(await tried(directory, architectLines([honestAttempt], 2))).toMatchObject({ kind: "accepted" });
      expect(await projectStatus(directory)).toMatchObject({ waiting: [], answered: 0 });
      const last = (await journal(directory)).findLast(({ kind }) => kind === "role_call_finished");
      expect(last).toMatchObject({ role: "architect", node: "write_e2e@2", attempt: 1 });
    },
    LONG,
  );

  test.each<[string, Parameters<typeof tried>[2], RegExp]>([
    ["never answers", { simulated: "architect=silent" }, /^the architect gave no tests: .*silent/],
    ["gives up", {}, /^the architect gave no tests: criterion 2 does not hold \(it needs a decision\)/],
  ])(
    "an architect who %s halts at once",
    async (_, trying, why) => {
      const blocker = { kind: "blocker", why: "criterion 2 does not hold", needs: ["a decision"] };
      const outcome = await tried(project(), architectLines([{ output: { answer: blocker } }]), trying);
      expect(outcome).toMatchObject({ kind: "halted", why: expect.stringMatching(why) });
    },
    LONG,
  );

  test(
    "that a person writes are looked at before anybody is asked",
    async () => {
      const directory = project();
      expect(await tried(directory, architectLines([careless, careless, careless]))).toMatchObject({
        kind: "halted",
      });
      sampleGit(directory, "fetch", "--quiet", ".cupel/hub.git", "main");
      sampleGit(directory, "merge", "--quiet", "--ff-only", "FETCH_HEAD");
      commitSample(directory, { "e2e/mine.test.ts": suite(...HONEST) });
      const outcome = await tried(directory, architectLines([{}], 9));
      expect(outcome).toMatchObject({
        kind: "accepted",
        suite: { files: { "mine.test.ts": expect.stringMatching(/^sha256:/) } },
      });
      expect((await journal(directory)).filter(({ kind }) => kind === "role_call_finished")).toHaveLength(3);
    },
    LONG,
  );

  test.each([
    ["the rigor does not list them", { base: "standard", layers: ["unit", "static"] }],
    ["it is lite", "lite"],
  ])(
    "are not written where %s",
    async (_, rigor) => {
      const directory = join(place, `quiet-${projects++}`);
      await makeTried(directory, CONFIG.replace('"standard"', JSON.stringify(rigor)));
      expect(await tried(directory, architectLines([{}]))).toEqual({ kind: "not-due" });
    },
    LONG,
  );
});
