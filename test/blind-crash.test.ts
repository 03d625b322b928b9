// kill -9 in the middle of the blind protocol, again and again: it goes on and comes to the same module, made once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { HybridResult } from "../src/domain/blind/hybrid-result.ts";
import { checkStateStore, openStateStore } from "../src/store/state-store.ts";
import { blindLines, honestFix, honestRetest, TRIVIAL_TESTS, WRONG_CODE } from "./blind-samples.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { sampleGit, sampleProject } from "./git-samples.ts";
import { scriptText } from "./invoice-script.ts";
import { temporaryDirectory } from "./temporary.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
/** Shares of the transactions of an undisturbed run at which a process dies. */
const KILLS = LONG ? Array.from({ length: 19 }, (_, index) => (index + 1) / 20) : [0.45, 0.85];
const worker = fileURLToPath(new URL("blind-worker.ts", import.meta.url));

const Line = z.looseObject({ what: z.string(), points: z.int().optional(), outcome: z.unknown().optional() });

describe.skipIf(!bubblewrapWorks)("the blind protocol", () => {
  test(
    `killed ${KILLS.length} times on its way, it comes to the same end`,
    { timeout: LONG ? 3_600_000 : 600_000 },
    async () => {
      const undisturbed = await wholeRun();
      const project = sampleProject({ "README.md": "# Invoices\n" });
      let done = 0;
      let kills = 0;
      for (const share of KILLS) {
        // What is done already takes no transactions again, so the way to the next place is what is left of it.
        const at = Math.max(1, Math.floor(share * undisturbed.points) - done);
        const line = await run(project, undisturbed.script, at, kills + 1);
        if (line.what === "killed") kills += 1;
        done += at;
      }
      expect(kills).toBeGreaterThan(0);
      await expectSameEnd(project, undisturbed, kills);
    },
  );

  test.skipIf(!LONG)(
    "killed once, wherever it is, it comes to the same end (long form)",
    { timeout: 3_600_000 },
    async () => {
      const undisturbed = await wholeRun();
      const { points, script } = undisturbed;
      const places = Array.from({ length: 32 }, (_, index) => 1 + Math.floor((index * points) / 32));
      for (const at of places) {
        const project = sampleProject({ "README.md": "# Invoices\n" });
        const line = await run(project, script, at, 1);
        expect(line.what, `point ${at} of ${points}`).toBe("killed");
        await expectSameEnd(project, undisturbed, 1, `killed at point ${at} of ${points}`);
      }
    },
  );
});

interface Whole {
  script: string;
  points: number;
  outcome: unknown;
  picture: Omit<Awaited<ReturnType<typeof pictureOf>>, "answers">;
}

/** What comes of it when nothing happens: rejected tests and a fix on the way. */
async function wholeRun(): Promise<Whole> {
  const script = join(temporaryDirectory(), "script.jsonl");
  const lines = { tests: TRIVIAL_TESTS, code: WRONG_CODE, more: [honestRetest(), honestFix()] };
  writeFileSync(script, scriptText(blindLines(lines)));
  const project = sampleProject({ "README.md": "# Invoices\n" });
  const { points = 0, outcome } = await run(project, script);
  expect(outcome).toMatchObject({ kind: "shipped" });
  expect(points).toBeGreaterThan(100);
  const { answers, ...picture } = await pictureOf(project);
  expect(answers).toBe(picture.answered.length);
  return { script, points, outcome, picture };
}

async function expectSameEnd(project: string, whole: Whole, kills: number, when = ""): Promise<void> {
  const { outcome } = await run(project, whole.script, 0, kills + 1);
  const { answers, ...picture } = await pictureOf(project);
  // An answer that was told of but not kept yet when the process died is asked for again: once for each kill at most.
  expect(answers - picture.answered.length).toBeLessThanOrEqual(kills);
  const { problems } = await checkStateStore(project, { repair: false });
  expect({ when, outcome, picture, problems }).toEqual({
    when,
    outcome: whole.outcome,
    picture: whole.picture,
    problems: [],
  });
}

async function run(project: string, script: string, killAt = 0, hours = 0) {
  const args = ["--import", "tsx", worker, project, script, String(killAt), String(hours)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  await once(child, "close");
  const last = out.trim().split("\n").at(-1) ?? "";
  if (last === "") throw new Error(errors);
  return Line.parse(JSON.parse(last));
}

/** What anybody could see of it afterwards, without times and ids. */
async function pictureOf(project: string) {
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  try {
    const events = await store.journal.read(0, 5000);
    const answers = events.flatMap((event) =>
      event.kind === "role_call_finished" ? [`${event.role} ${event.node}`] : [],
    );
    const [report, ...others] = await store.artifacts.query({ type: "WITNESS_REPORT" });
    const ref = report?.body["result.json"];
    if (ref === undefined || others.length > 0) throw new Error(`${others.length + 1} reports`);
    const result = HybridResult.parse(JSON.parse((await store.payloads.get(ref)).toString("utf8")));
    const { witness: _, totalCost: __, ...rest } = result;
    const hub = join(project, ".cupel", "hub.git");
    return {
      result: rest,
      shipped: events.filter(({ kind }) => kind === "module_shipped").length,
      answers: answers.length,
      answered: [...new Set(answers)].toSorted(),
      files: sampleGit(hub, "ls-tree", "-r", "main", "modules/initials/src", "modules/initials/test"),
      contract: sampleGit(hub, "show", "main:modules/initials/contract.json"),
    };
  } finally {
    await store.close();
  }
}
