// kill -9 in the middle of the blind protocol, again and again: it goes on and comes to the same module, made once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
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

test.skipIf(!bubblewrapWorks)(
  `killed ${KILLS.length} times on its way through rejected tests and a fix, it comes to the same end`,
  { timeout: LONG ? 3_600_000 : 600_000 },
  async () => {
    const script = join(temporaryDirectory(), "script.jsonl");
    writeFileSync(
      script,
      scriptText(blindLines({ tests: TRIVIAL_TESTS, code: WRONG_CODE, more: [honestRetest(), honestFix()] })),
    );
    const undisturbed = sampleProject({ "README.md": "# Invoices\n" });
    const { points = 0, outcome } = await run(undisturbed, script);
    expect(outcome).toMatchObject({ kind: "shipped" });
    const expected = await pictureOf(undisturbed);
    expect(points).toBeGreaterThan(100);

    const project = sampleProject({ "README.md": "# Invoices\n" });
    let done = 0;
    let kills = 0;
    for (const share of KILLS) {
      // What is done already takes no transactions again, so the way to the next place is what is left of it.
      const at = Math.max(1, Math.floor(share * points) - done);
      const line = await run(project, script, at, kills + 1);
      if (line.what === "killed") kills += 1;
      done += at;
    }
    const end = await run(project, script, 0, kills + 1);
    expect(kills).toBeGreaterThan(0);
    expect(end.outcome).toEqual(outcome);
    expect(await pictureOf(project)).toEqual(expected);
    expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
  },
);

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
    const [report, ...others] = await store.artifacts.query({ type: "WITNESS_REPORT" });
    const ref = report?.body["result.json"];
    if (ref === undefined || others.length > 0) throw new Error(`${others.length + 1} reports`);
    const result = HybridResult.parse(JSON.parse((await store.payloads.get(ref)).toString("utf8")));
    const { witness: _, totalCost: __, ...rest } = result;
    const hub = join(project, ".cupel", "hub.git");
    return {
      result: rest,
      shipped: events.filter(({ kind }) => kind === "module_shipped").length,
      answered: events
        .flatMap((event) => (event.kind === "role_call_finished" ? [`${event.role} ${event.node}`] : []))
        .toSorted(),
      files: sampleGit(hub, "ls-tree", "-r", "main", "modules/initials/src", "modules/initials/test"),
      contract: sampleGit(hub, "show", "main:modules/initials/contract.json"),
    };
  } finally {
    await store.close();
  }
}
