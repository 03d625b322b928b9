// Planning: every violation goes back in its exact words, three plans are enough, and nothing is made that exists unseen.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type Ground,
  line,
  openGround,
  orderOf,
  personsModule,
  plannedModule,
  TASK,
} from "../../../test/engineering-ground.ts";
import { shipSample } from "../../../test/shipped-sample.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { slugifyContract } from "../../../test/arbitraries/contract.ts";
import type { RuntimeRequest } from "../../agents/port.ts";
import { scriptedRuntime } from "../../agents/runtimes/scripted.ts";
import type { DraftedModule } from "../../domain/agent/plan-roles.ts";
import { planTask } from "./plan-task.ts";

async function planning(...plans: DraftedModule[][]): Promise<Ground & { asked: RuntimeRequest[] }> {
  const script = plans.map((modules, index) =>
    line({ role: "micro_planner", node: "micro_plan", attempt: index + 1, output: { modules } }),
  );
  const played = scriptedRuntime(script);
  const asked: RuntimeRequest[] = [];
  const runtime = { ...played, run: (request: RuntimeRequest) => (asked.push(request), played.run(request)) };
  const ground = await openGround(temporaryDirectory(), { runtime });
  onTestFinished(() => ground.close());
  return { ...ground, asked };
}

const GOOD = [plannedModule("b", { depends_on: ["MM-a@1.0.0"] }), plannedModule("a")];

describe("a plan that holds", () => {
  test("is locked at once, with reasons for each new module, and is the same ever after", async () => {
    const ground = await planning(GOOD);
    const { store } = ground.ports;
    const planned = await planTask(ground.ports, orderOf());
    if (planned.kind !== "planned" || planned.outcome.kind !== "locked")
      throw new Error(JSON.stringify(planned));
    const { plan, artifact, planRef } = planned.outcome;
    expect(plan).toMatchObject({
      micro_plan_id: expect.stringMatching(/^MP-[0-9a-f]{8}$/),
      parent_task_ref: `${TASK.task_id}@1.0.0`,
      modules: [{ module_id: "MM-b" }, { module_id: "MM-a" }],
    });
    expect(JSON.parse(String(await store.payloads.get(planRef)))).toEqual(plan);
    expect(JSON.parse(String(await store.artifacts.readBody(artifact, "plan.json")))).toEqual(plan);
    const reports = await store.artifacts.query({ type: "REUSE_SEARCH_REPORT" });
    expect(reports.map(({ envelope }) => envelope.notes)).toEqual(["MM-b", "MM-a"]);
    const events = (await store.journal.read(0, 100)).filter(({ kind }) => kind === "module_planned");
    expect(events).toHaveLength(2);
    const [contribution, ...more] = await store.artifacts.contributions(TASK.task_id);
    expect(more).toEqual([]);
    expect(contribution).toMatchObject({ type: "MICRO_PLAN", artifact_ref: `${artifact}@1.0.0` });

    expect(await planTask(ground.ports, orderOf())).toEqual(planned);
    expect(ground.calls()).toBe(1);
    expect(await store.artifacts.query({ type: "MICRO_PLAN" })).toHaveLength(1);
  });

  test("the planner's pack lies in the store before, and says what it sees and what not", async () => {
    const ground = await planning(GOOD);
    const { store } = ground.ports;
    await shipSample(ground, slugifyContract());
    await planTask(ground.ports, orderOf());
    const [row] = await store.artifacts.query({ type: "CONTEXT_PACK" });
    const path = join(store.root, "context_packs", `${row?.envelope.artifact_id ?? ""}.json`);
    expect(existsSync(path)).toBe(true);
    const pack = JSON.parse(readFileSync(path, "utf8"));
    expect(pack.included_refs.map(({ ref }: { ref: string }) => ref).toSorted()).toEqual([
      "T-text-slugs-001@1.0.0",
      "code_index_results@1.0.0",
      "decomposition_rubric@1.0.0",
      "harness_schemas@1.0.0",
    ]);
    expect(pack.excluded_refs.map(({ ref }: { ref: string }) => ref)).toEqual(
      expect.arrayContaining(["implementation_source@1.0.0", "evaluation_rubric@1.0.0", "proposal@1.0.0"]),
    );
    // The harness searched by itself, before the planner was asked.
    expect(ground.index.asked[0]).toContain("Turn titles into slugs.");
    expect(ground.asked[0]?.prompt).toContain("MM-slugify@1.0.0");
  });
});

const VIOLATIONS: [string, DraftedModule[], string][] = [
  ["schema", [plannedModule("a", { name: "" })], "$.modules[0].name"],
  [
    "dimensions",
    [plannedModule("a", { io_contract: { ...plannedModule("a").io_contract, inputs: [] } })],
    "at least one entry",
  ],
  ["dependencies", [plannedModule("a", { depends_on: ["MM-b"] })], "a module and its version"],
  ["ids", [plannedModule("a"), plannedModule("a")], "an id of its own"],
  [
    "cycles",
    [plannedModule("a", { depends_on: ["MM-b@1.0.0"] }), plannedModule("b", { depends_on: ["MM-a@1.0.0"] })],
    "no cycle: MM-a → MM-b → MM-a",
  ],
  ["rubric", [plannedModule("a", { purpose: "Cuts. Joins." })], "one sentence only"],
  [
    "modules that never shipped",
    [plannedModule("a", { depends_on: ["MM-gone@1.0.0"] })],
    "a module of this plan or one that has shipped",
  ],
  [
    "reuse of what is not there",
    [plannedModule("a", { reuse_decision: "REUSE", reuse_candidate_refs: ["MM-gone@1.0.0"] })],
    "a module that has shipped",
  ],
  [
    "candidates nobody knows",
    [plannedModule("a", { reuse_candidate_refs: ["MM-gone@1.0.0"] })],
    "a module of the Code Index",
  ],
];

describe("a plan that does not hold", () => {
  test.each(VIOLATIONS)("goes back with the exact words: %s", async (_, bad, words) => {
    const ground = await planning(bad, GOOD);
    expect(await planTask(ground.ports, orderOf())).toMatchObject({ outcome: { kind: "locked" } });
    expect(ground.asked[0]?.prompt).not.toContain("could not be locked");
    expect(ground.asked[1]?.prompt).toContain(words);
    expect(ground.asked[1]?.prompt).toContain("The plan that was refused");
    expect(ground.asked).toHaveLength(2);
  });

  test("is given up after the third, with the last plan and all that is wrong with it", async () => {
    const bad = [plannedModule("a", { purpose: "Cuts. Joins.", depends_on: ["MM-x@1.0.0"] })];
    const ground = await planning(bad, bad, bad, GOOD);
    const planned = await planTask(ground.ports, orderOf());
    expect(planned).toMatchObject({
      outcome: { kind: "refused", violations: [{ check: 3 }, { check: 6 }] },
    });
    expect(ground.calls()).toBe(3);
    if (planned.kind !== "planned" || planned.outcome.kind !== "refused") throw new Error("not refused");
    expect(JSON.parse(String(await ground.ports.store.payloads.get(planned.outcome.planRef)))).toEqual(bad);
  });
});

describe("reuse before creation", () => {
  const CUT = plannedModule("cut", { purpose: "Cuts a title into words." });

  test("what the index offers and nobody considered sends the plan back", async () => {
    const ground = await planning([CUT], [{ ...CUT, reuse_candidate_refs: ["MM-slugify@1.0.0"] }]);
    const ref = await shipSample(ground, slugifyContract());
    ground.index.alike.set(ref, 0.8);
    expect(await planTask(ground.ports, orderOf())).toMatchObject({ outcome: { kind: "locked" } });
    expect(ground.asked[1]?.prompt).toContain("MM-slugify@1.0.0 among them, reused or with the reason");
    const [report] = await ground.ports.store.artifacts.query({ type: "REUSE_SEARCH_REPORT" });
    const body = await ground.ports.store.artifacts.readBody(
      report?.envelope.artifact_id ?? "",
      "reuse_search_report.json",
    );
    expect(JSON.parse(String(body))).toMatchObject({
      conclusion: "CREATE_NEW",
      candidates_considered: [{ module_ref: ref, why_rejected: "Nothing of the kind is there." }],
    });
  });

  test("what is taken for a module must have shipped, also where something that has stands before it", async () => {
    const fake = plannedModule("fake", {
      reuse_decision: "REUSE",
      reuse_candidate_refs: ["MM-slugify@1.0.0", "MM-fake@1.0.0"],
    });
    const ground = await planning([fake], [fake], [fake]);
    await shipSample(ground, slugifyContract());
    expect(await planTask(ground.ports, orderOf())).toMatchObject({
      outcome: {
        kind: "refused",
        violations: [{ check: 7, path: "$.modules[0].reuse_candidate_refs[1]", found: '"MM-fake@1.0.0"' }],
      },
    });
  });

  test("a candidate that is far away needs no words", async () => {
    const ground = await planning([CUT]);
    ground.index.alike.set(await shipSample(ground, slugifyContract()), 0.3);
    expect(await planTask(ground.ports, orderOf())).toMatchObject({ outcome: { kind: "locked" } });
    expect(ground.calls()).toBe(1);
  });

  test("a new version of what has shipped can be planned, and its users mean that version", async () => {
    const next = plannedModule("slugify", { module_version: "1.1.0" });
    const user = plannedModule("user", {
      depends_on: ["MM-slugify@1.1.0"],
      reuse_candidate_refs: ["MM-slugify@1.0.0"],
    });
    const ground = await planning([next, user]);
    ground.index.alike.set(await shipSample(ground, slugifyContract()), 0.9);
    expect(await planTask(ground.ports, orderOf())).toMatchObject({
      outcome: { kind: "locked", plan: { modules: [{ module_version: "1.1.0" }, {}] } },
    });
    expect(ground.calls()).toBe(1);
  });
});

describe("a person's plan", () => {
  const modules = [personsModule("mine")];

  test("asks no agent, and argues with no index", async () => {
    const ground = await planning();
    ground.index.alike.set(await shipSample(ground, slugifyContract()), 0.9);
    const order = orderOf({ attempt: 2, resolution: { kind: "plan", modules } });
    expect(await planTask(ground.ports, order)).toMatchObject({ outcome: { kind: "locked" } });
    expect(ground.calls()).toBe(0);
    const [plan] = await ground.ports.store.artifacts.query({ type: "MICRO_PLAN" });
    expect(plan?.envelope).toMatchObject({ created_by: { role: "person" }, context_pack_ref: null });
  });

  test("is checked like any other, and begins an attempt of its own", async () => {
    const ground = await planning(GOOD);
    const broken = modules.map((module) => ({ ...module, purpose: "One. Two." }));
    const order = orderOf({ attempt: 2, resolution: { kind: "plan", modules: broken } });
    expect(await planTask(ground.ports, order)).toMatchObject({
      outcome: { kind: "refused", violations: [{ check: 6 }] },
    });
    await planTask(ground.ports, orderOf());
    await expect(
      planTask(ground.ports, orderOf({ resolution: { kind: "plan", modules } })),
    ).rejects.toMatchObject({ code: "usage" });
  });
});

test("a planner that is blocked stops the planning with its words", async () => {
  const script = [
    line({
      role: "micro_planner",
      node: "micro_plan",
      output: { kind: "blocker", why: "Two criteria contradict.", needs: ["a decision"] },
    }),
  ];
  const ground = await openGround(temporaryDirectory(), { script });
  onTestFinished(() => ground.close());
  expect(await planTask(ground.ports, orderOf())).toMatchObject({
    outcome: {
      kind: "stopped",
      stop: { kind: "blocked", why: expect.stringContaining("Two criteria contradict.") },
    },
  });
});
