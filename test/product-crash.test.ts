// SIGKILL again and again, between iterations and around each answer of a person: the loop comes to the same end, asks the
// agent for nothing that it has answered, and leaves a clean store.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkStateStore } from "../src/store/state-store.ts";
import {
  answerIn,
  eventsIn,
  incompleteSpec,
  productProject,
  renamedSpec,
  storeIn,
} from "./product-samples.ts";
import { temporaryDirectory } from "./temporary.ts";
import { bundleWorker } from "./worker-bundle.ts";

const Told = z.looseObject({ kind: z.string(), question: z.looseObject({ id: z.string() }).optional() });

const LONG = process.env["CUPEL_LONG"] === "1";
/** From the opening of the run to the question. */
const POINTS = LONG ? Array.from({ length: 64 }, (_, index) => 2 + index / 2) : [14, 16.5, 22, 27.5];

test(
  "killed anywhere on the way to its first question, it asks once and pays once",
  { timeout: 300_000 },
  async () => {
    const worker = await bundled();
    for (const point of POINTS) {
      const project = productProject();
      expect(await take(worker, project, 0, point)).toBeUndefined();
      const before = await eventsIn(project);
      expect(await take(worker, project, 1, 0)).toMatchObject({ kind: "waiting" });
      const kinds = (await eventsIn(project)).map(({ kind }) => kind);
      const paid = kinds.filter((kind) => kind === "role_call_finished").length;
      // Only what had ended and was not kept yet, which is a moment, is asked for again.
      const isLost = LONG && before.at(-1)?.kind === "role_call_finished";
      if (!isLost) expect([point, paid]).toEqual([point, 1]);
      expect([point, kinds.filter((kind) => kind === "spec_drafted").length]).toEqual([point, 1]);
      const store = storeIn(project);
      expect(await store.inbox.open()).toHaveLength(1);
      await store.close();
    }
  },
);

test("a loop that is killed wherever it may be comes to its end, once", { timeout: 300_000 }, async () => {
  const worker = await bundled();
  const project = productProject([
    { spec: null, files: { "draft.json": JSON.stringify(incompleteSpec()) } },
    { attempt: 2 },
    { round: 2, spec: renamedSpec(), answers: [{ point: 1, answer: "Renamed.", changed: ["TSK-001"] }] },
  ]);
  const answers = [{ action: "AMEND", feedback: "Rename the first task." }, { action: "APPROVE" }];
  const kills: number[] = [];
  let told: z.infer<typeof Told> | undefined;
  for (let start = 0; told?.kind !== "approved" && start < 60; start++) {
    const last = deathOf(start);
    told = await take(worker, project, start, last);
    if (told === undefined) kills.push(last);
    if (told?.kind !== "waiting" || told.question === undefined) continue;
    const decision = answers.shift();
    expect(decision).toBeDefined();
    expect(await answerIn(project, told.question.id, decision)).toMatchObject({ kind: "accepted" });
  }
  expect(told).toMatchObject({ kind: "approved" });
  expect(kills.length).toBeGreaterThanOrEqual(3);

  const events = await eventsIn(project);
  expect(events.map(({ kind }) => kind).filter((kind) => kind.startsWith("spec_"))).toEqual([
    "spec_drafted",
    "spec_amended",
    "spec_drafted",
    "spec_approved",
  ]);
  const calls = events.flatMap((event) =>
    event.kind === "role_call_started" ? [`${event.node} ${event.attempt}`] : [],
  );
  // A call that was under way may be made again; one whose outcome was kept never is.
  expect(calls.filter((call, index) => call !== calls[index - 1])).toEqual([
    "refine 1",
    "refine 2",
    "refine@2 1",
  ]);
  const { problems } = await checkStateStore(project, { repair: false });
  expect(problems).toEqual([]);
});

/** Quick: in each draft and around each answer; 0 lives. */
const DEATHS = [22, 0, 9.5, 0, 14.5];

function deathOf(start: number): number {
  if (!LONG) return DEATHS[start] ?? 0;
  // Growing steps: some die at once, and none is caught for ever in front of the same long step.
  return 3 + ((start * 7) % 31) / 2 + Math.floor(start / 3);
}

async function bundled(): Promise<string> {
  const directory = temporaryDirectory();
  // As deep as the sources, which find the prompts from where they lie.
  const worker = join(directory, "dist/src/factory/worker.mjs");
  mkdirSync(join(directory, "dist/src/factory"), { recursive: true });
  symlinkSync(resolve("prompts"), join(directory, "prompts"));
  await bundleWorker("product-worker.ts", worker);
  return worker;
}

/** Undefined where it died. */
async function take(worker: string, project: string, start: number, last: number) {
  const child = spawn(process.execPath, [worker, project, `r-${start % 2}`, String(last), String(start)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  await once(child, "close");
  return child.signalCode === "SIGKILL" ? undefined : Told.parse(JSON.parse(said));
}
