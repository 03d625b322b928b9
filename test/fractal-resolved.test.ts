// A node of a tree that halted and a person who decides: their code goes the way of all code, their word takes the place of
// a review, and either counts once.
import { describe, expect, test } from "vitest";
import type { TaskResolution } from "../src/domain/task/task-record.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import { idOf } from "../src/simulator/cases/module-sketch.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { engineered } from "./engineered.ts";
import { personsModule } from "./engineering-ground.ts";
import { sampleGit } from "./git-samples.ts";
import { type Crop, sourceOf } from "./harvest-modules.ts";
import { HARVEST_ORDER } from "./harvest-run.ts";
import { harvestLines } from "./harvest-samples.ts";
import { line } from "./invoice-script.ts";

const ROOT: Crop = { name: "harvest", parts: [{ name: "kale" }] };
const KALE = idOf("kale");

function isMeant({ key }: ReturnType<typeof line>): boolean {
  return key.node === "review" && key.module === KALE;
}

/** The reviewer finds the child fundamentally wrong the first time, and right afterwards. */
function lines() {
  const rejected = { kind: "Reject", reason: "nobody counts kale like this", missingCriteria: ["AC-1"] };
  return harvestLines(ROOT).flatMap((each) =>
    isMeant(each)
      ? [line(each.key, { exit: rejected }), { ...each, key: { ...each.key, attempt: each.key.attempt + 1 } }]
      : [each],
  );
}

async function halted() {
  const made = await engineered({ lines: lines(), order: HARVEST_ORDER });
  const { outcome } = made;
  if (outcome.kind !== "halted") throw new Error(JSON.stringify(outcome));
  expect(outcome.escalation).toMatchObject({ failed_module: KALE, abandoned_modules: [idOf("harvest")] });
  const { ports } = made.engineering;
  const resolved = (resolution: TaskResolution) => engineerTask(ports, { ...HARVEST_ORDER, resolution });
  const calls = async (): Promise<number> =>
    (await made.store.journal.read(0, 20_000)).filter(({ kind }) => kind === "role_call_started").length;
  const at = (path: string): string => sampleGit(ports.hub.gitDir, "show", `${ports.hub.branch}:${path}`);
  return { ...made, escalation: outcome.escalation.escalation_id, resolved, calls, at };
}

const SHIPPED = { kind: "shipped", modules: [`${KALE}@1.0.0`, `${idOf("harvest")}@1.0.0`] };

describe.skipIf(!bubblewrapWorks)("a node that halted (needs bubblewrap)", { timeout: 900_000 }, () => {
  test("goes on with a person's code, which is reviewed, merged and judged", async () => {
    const { resolved, calls, at, outcome } = await halted();
    expect(await engineerAgain(resolved, calls)).toBe(0);
    const code = `${sourceOf({ name: "kale" })}// By hand.\n`;
    const fix = {
      kind: "fix",
      module: KALE,
      files: { "src/index.ts": code },
      description: "by hand",
    } as const;
    const stray = { ...fix, files: { "src/interface.ts": "export {};\n" } };
    await expect(resolved(stray)).rejects.toThrow("belongs to the parent of kale");
    expect(await resolved(fix)).toEqual({ ...SHIPPED, task: outcome.task });
    expect(at("modules/kale/src/index.ts")).toContain("By hand.");
    const before = await calls();
    expect(await resolved(fix)).toEqual({ ...SHIPPED, task: outcome.task });
    expect(await calls()).toBe(before);
  });

  test("is let through on a person's word, which stays with it", async () => {
    const { resolved, escalation, at, outcome } = await halted();
    const rationale = "kale is counted well enough";
    expect(await resolved({ kind: "override", module: KALE, escalation, rationale })).toEqual({
      ...SHIPPED,
      task: outcome.task,
    });
    expect(JSON.parse(at("modules/kale/ship.json"))).toMatchObject({
      override: { escalation_ref: escalation, rationale },
    });
    expect(JSON.parse(at("modules/harvest/ship.json"))).not.toHaveProperty("override");
  });

  test("gives way to a person's plan, whose modules are debated one by one", async () => {
    const { engineering, store } = await halted();
    const before = (await store.journal.read(0, 20_000)).length;
    const resolution: TaskResolution = { kind: "plan", modules: [personsModule("kale")] };
    const again = { ...HARVEST_ORDER, attempt: 2 };
    const first = await engineerTask(engineering.ports, { ...again, resolution });
    // Nobody has written lines for a debate, so it gets as far as asking for a proposal.
    expect(first.kind).toBe("stopped");
    const fix = { kind: "fix", module: KALE, files: {}, description: "nothing" } as const;
    await engineerTask(engineering.ports, { ...again, resolution: fix });
    const later = (await store.journal.read(0, 20_000)).slice(before);
    const asked = later.flatMap((event) => (event.kind === "role_call_started" ? [event.role] : []));
    expect(new Set(asked)).toEqual(new Set(["proposer"]));
  });
});

/** A decision about something else changes nothing: the same question is asked again, and nobody is. */
async function engineerAgain(
  resolved: (resolution: TaskResolution) => ReturnType<typeof engineerTask>,
  calls: () => Promise<number>,
): Promise<number> {
  const before = await calls();
  const fix = { kind: "fix", module: idOf("harvest"), files: {}, description: "nothing" } as const;
  expect((await resolved(fix)).kind).toBe("halted");
  return (await calls()) - before;
}
