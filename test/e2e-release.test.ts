// A release where the rigor wants end-to-end tests: no without them, no where they are not run, yes with them.
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RIGOR } from "../src/domain/evidence/rigor.ts";
import { release } from "../src/release/release.ts";
import type { ReleaseOutcome } from "../src/release/port.ts";
import {
  architectLines,
  HONEST,
  makeTried,
  scriptFile,
  SHARE,
  suite,
  TOO_MUCH,
  tried,
} from "./e2e-ground.ts";
import { commitSample, sampleGit } from "./git-samples.ts";
import { CLAMP_TASK, openReleaseWorld } from "./release-samples.ts";

const LONG = 120_000;
const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const [bare, whole] = [join(place, "bare"), join(place, "whole")];
const WHY = "nobody sees from outside what it costs";
beforeAll(async () => {
  await makeTried(bare);
  cpSync(bare, whole, { recursive: true });
  const [first] = HONEST;
  const own = first === undefined ? [] : [first];
  const files = {
    "e2e/whole.test.ts": suite(...own, [`a share [${SHARE}]`, "expect(percent(120)).toBe(100);"]),
  };
  const notShown = [{ criterion: TOO_MUCH, why: WHY }];
  const script = scriptFile(architectLines([{ files, notShown }]), place);
  const { kind } = await tried(whole, [], { script });
  if (kind !== "accepted") throw new Error(`the tests of the product are ${kind}`);
}, LONG);
afterAll(() => rmSync(place, { recursive: true }));

function copyOf(template: string, name: string): string {
  const project = join(place, name);
  cpSync(template, project, { recursive: true });
  sampleGit(project, "fetch", "--quiet", ".cupel/hub.git", "main");
  sampleGit(project, "merge", "--quiet", "--ff-only", "FETCH_HEAD");
  return project;
}

async function released(project: string, tasks?: string[]): Promise<ReleaseOutcome> {
  const ports = { ...(await openReleaseWorld(project)), rigor: RIGOR.standard };
  const { signal } = new AbortController();
  try {
    return await release(
      ports,
      tasks === undefined ? { scope: "full", signal } : { scope: "partial", tasks, signal },
    );
  } finally {
    await ports.store.close();
  }
}

function words(outcome: ReleaseOutcome): string[] {
  if (outcome.kind !== "failed") return [outcome.kind];
  return outcome.report.failures.flatMap(({ gate, violations }) =>
    violations.map(({ explanation, next }) => `${gate}: ${explanation}. ${next}`),
  );
}

test(
  "without any is refused",
  async () => {
    expect(words(await released(copyOf(bare, "none")))).toEqual([
      expect.stringMatching(
        /^e2e_check: there are no end-to-end tests, and the rigor asks .*cupel run --resume/,
      ),
    ]);
  },
  LONG,
);

test(
  "with those that were accepted is let out, and says what they do not show",
  async () => {
    const outcome = await released(copyOf(whole, "yes"));
    expect(outcome).toMatchObject({
      kind: "released",
      manifest: { notes: `No end-to-end test shows ${TOO_MUCH}: ${WHY}` },
    });
    const verdict = "manifest" in outcome ? outcome.manifest.evidence.at(-1) : undefined;
    expect(verdict).toMatchObject({
      denominator: 4,
      summary: expect.stringMatching(/2 of 2 modules; 2 end-to-end tests are among it$/),
      planted: expect.stringMatching(/, and an end-to-end test that fails$/),
    });
  },
  LONG,
);

test(
  "with others than those that were accepted is refused",
  async () => {
    const project = copyOf(whole, "others");
    commitSample(project, { "e2e/whole.test.ts": 'import { test } from "vitest";\ntest("x", () => {});\n' });
    expect(words(await released(project))[0]).toMatch(/what lies in e2e\/ is not what was accepted/);
  },
  LONG,
);

test(
  "whose test command does not run them is refused",
  async () => {
    const project = copyOf(whole, "unrun");
    const manifest: unknown = JSON.parse(sampleGit(project, "show", "HEAD:package.json"));
    const scripts = { test: "vitest run modules" };
    commitSample(project, { "package.json": JSON.stringify({ ...Object(manifest), scripts }) });
    expect(words(await released(project))).toEqual([
      expect.stringMatching(
        /passes although an end-to-end test in e2e\/whole\.test\.ts fails, so it does not run/,
      ),
    ]);
  },
  LONG,
);

test(
  "of a part does without them",
  async () => {
    const project = copyOf(whole, "part");
    expect(await released(project, [CLAMP_TASK])).toMatchObject({
      kind: "released",
      tag: "v1.0.0-partial.1",
    });
    expect(sampleGit(project, "ls-tree", "--name-only", "v1.0.0-partial.1")).not.toContain("e2e");
  },
  LONG,
);
