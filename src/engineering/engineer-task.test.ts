// The supervisor of one task: order, failure, escalation, resolutions, and going on after anything.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { slugifyContract } from "../../test/arbitraries/contract.ts";
import {
  line,
  openGround,
  orderOf,
  personsModule,
  plannedModule,
  TASK,
} from "../../test/engineering-ground.ts";
import { shipSample } from "../../test/shipped-sample.ts";
import { factory, failing, needs, shipped } from "../../test/task-factory.ts";
import { EXCEPTION, ICE, raiseSample } from "../../test/raised-change.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { haltOf, tinyProtocol } from "../../test/tiny-protocol.ts";
import { show } from "../../test/workshop-samples.ts";
import { tipOf } from "../workshop/git/refs.ts";
import { engineerTask } from "./engineer-task.ts";

/** A diamond, and one that has nothing to do with it. */
const DIAMOND = [
  plannedModule("top", needs("left", "right")),
  plannedModule("left", needs("base")),
  plannedModule("right", needs("base")),
  plannedModule("base"),
  plannedModule("alone"),
];

describe("a diamond and one beside it", () => {
  test("ships in the order of its dependencies, each with the contracts of what it builds on", async () => {
    const seen: Record<string, string[]> = {};
    const ground = await factory(DIAMOND, (current) => async (turn) => {
      const { module, dependencies } = turn.ports.assignment;
      seen[module.module_id] = dependencies.map(({ ref }) => ref);
      return shipped(current(), turn);
    });
    const refs = ["top", "left", "right", "base", "alone"].map((id) => `MM-${id}@1.0.0`);
    expect(await engineerTask(ground.ports, orderOf())).toEqual({
      kind: "shipped",
      task: TASK.task_id,
      modules: refs,
    });
    expect(ground.made.map((what) => what.split(" ")[0])).toEqual([
      "MM-base",
      "MM-alone",
      "MM-left",
      "MM-right",
      "MM-top",
    ]);
    expect(seen["MM-top"]).toEqual(["MM-left@1.0.0", "MM-right@1.0.0"]);
    expect(await ground.ports.store.inbox.open()).toEqual([]);
    // The same order again finds everything done.
    await engineerTask(ground.ports, orderOf());
    expect(ground.made).toHaveLength(5);
    expect(ground.calls()).toBe(1);
  });

  test("of which one fails: what waits for it is never attempted, the rest ships, a person gets everything", async () => {
    const ground = await factory(DIAMOND, failing("MM-left"));
    const outcome = await engineerTask(ground.ports, orderOf());
    expect(ground.made).toEqual([
      "MM-base make shipped",
      "MM-alone make shipped",
      "MM-left make halted",
      "MM-right make shipped",
    ]);
    if (outcome.kind !== "halted") throw new Error(JSON.stringify(outcome));
    const { escalation } = outcome;
    expect(escalation).toMatchObject({
      task_id: TASK.task_id,
      task_ref: orderOf().path,
      failed_module: "MM-left",
      abandoned_modules: ["MM-top"],
      shipped_modules: ["MM-right@1.0.0", "MM-base@1.0.0", "MM-alone@1.0.0"],
      failed_invariants: [{ invariant: "MM-left keeps its contract", evidence: "a test is red" }],
      minimal_decision_required: "Decide about MM-left.",
      recommended_resolution: "PROVIDE_FIX",
      state_machine_snapshot: { project_id: "p" },
      plan_ref: expect.stringMatching(/^sha256:/),
      resolution: null,
    });
    const { store } = ground.ports;
    const id = escalation.escalation_id;
    expect(JSON.parse(readFileSync(join(store.root, "escalations", `${id}.json`), "utf8"))).toEqual(
      escalation,
    );
    expect(await store.artifacts.has(id)).toBe(true);
    expect(await store.inbox.open()).toMatchObject([
      { id, kind: "escalation", answerSchema: "HumanResolution" },
    ]);
    const raised = (await store.journal.read(0, 500)).filter(({ kind }) => kind === "escalation_raised");
    expect(raised).toMatchObject([{ escalation: id, task: TASK.task_id }]);
    // The same order is the same escalation, and nobody is asked twice.
    expect(await engineerTask(ground.ports, orderOf())).toEqual(outcome);
    expect(ground.made).toHaveLength(4);
    expect(await store.inbox.open()).toHaveLength(1);
  });
});

test("what is reused is recorded and not made, and others build on what has shipped", async () => {
  const reuse = { reuse_decision: "REUSE" as const, reuse_candidate_refs: ["MM-slugify@1.0.0"] };
  const plan = [plannedModule("mine", reuse), plannedModule("user", needs("mine"))];
  const seen: string[] = [];
  const ground = await factory(plan, (current) => async (turn) => {
    seen.push(...turn.ports.assignment.dependencies.map(({ ref }) => ref));
    return shipped(current(), turn);
  });
  await shipSample(ground, slugifyContract());
  expect(await engineerTask(ground.ports, orderOf())).toMatchObject({
    kind: "shipped",
    modules: ["MM-slugify@1.0.0", "MM-user@1.0.0"],
  });
  expect(seen).toEqual(["MM-slugify@1.0.0"]);
  const planned = (await ground.ports.store.journal.read(0, 100)).filter(
    ({ kind }) => kind === "module_planned",
  );
  expect(planned).toMatchObject([
    { module: "MM-mine", reused: "MM-slugify@1.0.0" },
    { module: "MM-user", reused: null },
  ]);
});

test("a request for another contract is asked as such", async () => {
  const ground = await factory(
    [plannedModule("a")],
    () => async () => haltOf("MM-a", { interfaceChange: ICE }),
  );
  await raiseSample(ground.ports);
  const outcome = await engineerTask(ground.ports, orderOf());
  expect(outcome).toMatchObject({ escalation: { interface_change_ref: ICE, interface_change: EXCEPTION } });
  expect(await ground.ports.store.inbox.open()).toMatchObject([
    { kind: "interface_change", answerSchema: "InterfaceChangeDecision" },
  ]);
});

test("a plan that never held is put before a person with all that is wrong", async () => {
  const bad = [plannedModule("a", { purpose: "One. Two." })];
  const script = [1, 2, 3].map((attempt) =>
    line({ role: "micro_planner", node: "micro_plan", attempt, output: { modules: bad } }),
  );
  const protocol = tinyProtocol(() => Promise.reject(new Error("nothing is made")));
  const ground = await openGround(temporaryDirectory(), { script, protocol });
  onTestFinished(() => ground.close());
  const outcome = await engineerTask(ground.ports, orderOf());
  if (outcome.kind !== "halted") throw new Error(JSON.stringify(outcome));
  expect(outcome.escalation).toMatchObject({
    plan_violations: [
      { check: 6, path: "$.modules[0].purpose", message: expect.stringContaining("one sentence only") },
    ],
    recommended_resolution: "REVISE_PLAN",
  });
  const ref = outcome.escalation.plan_ref ?? "";
  expect(JSON.parse(String(await ground.ports.store.payloads.get(ref)))).toEqual(bad);
});

describe("a resolution", () => {
  const PLAN = [plannedModule("a"), plannedModule("b", needs("a"))];

  test("a fix is a commit of the person's files on the product, enters at challenge once, and the rest goes on", async () => {
    const ground = await factory(PLAN, failing("MM-a"));
    await engineerTask(ground.ports, orderOf());
    const order = orderOf({
      resolution: {
        kind: "fix",
        module: "MM-a",
        files: { "src/index.ts": "fixed\n" },
        description: "mend it",
      },
    });
    const main = await tipOf(ground.ports.hub.gitDir, "main");
    expect(await engineerTask(ground.ports, order)).toMatchObject({ kind: "shipped" });
    expect(ground.made).toEqual(["MM-a make halted", "MM-a challenge shipped", "MM-b make shipped"]);
    expect(await tipOf(ground.ports.hub.gitDir, "main")).toBe(main);
    await engineerTask(ground.ports, order);
    expect(ground.made).toHaveLength(3);
  });

  test("the fix has the person's files below the module's folder, and cannot reach out of it", async () => {
    const commits: string[] = [];
    const ground = await factory([plannedModule("a")], (current) => async (turn) => {
      if (turn.at === "challenge") commits.push(turn.given);
      return turn.at === "make" ? haltOf("MM-a") : shipped(current(), turn);
    });
    await engineerTask(ground.ports, orderOf());
    const fix = (path: string) =>
      engineerTask(
        ground.ports,
        orderOf({
          resolution: { kind: "fix", module: "MM-a", files: { [path]: "fixed\n" }, description: "mend it" },
        }),
      );
    for (const path of ["../x.ts", "modules/other/src/x.ts", "/etc/passwd", "a/../../x"])
      await expect(fix(path)).rejects.toMatchObject({ code: "invalid_input" });
    await fix("modules/a/src/index.ts");
    expect(await show(ground.ports.hub.gitDir, `${commits[0] ?? ""}:modules/a/src/index.ts`)).toBe("fixed\n");
  });

  test("one that was interrupted goes on where it was, and is not entered again", async () => {
    const given: string[] = [];
    const ground = await factory([plannedModule("a")], (current) => async (turn) => {
      if (turn.at === "make") return haltOf("MM-a");
      given.push(turn.given);
      if (given.length === 1) throw new Error("killed");
      return shipped(current(), turn);
    });
    await engineerTask(ground.ports, orderOf());
    const fix = {
      kind: "fix",
      module: "MM-a",
      files: { "src/index.ts": "x\n" },
      description: "mend it",
    } as const;
    const order = orderOf({ resolution: fix });
    expect(await engineerTask(ground.ports, order)).toMatchObject({ kind: "stopped" });
    const thread = ground.ports.graphs.find(`r-1/${TASK.task_id}/1/MM-a`);
    expect(await engineerTask(ground.ports, order)).toMatchObject({ kind: "shipped" });
    expect(given[1]).toBe(given[0]);
    expect(ground.ports.graphs.find(`r-1/${TASK.task_id}/1/MM-a`)?.epoch).toBe(thread?.epoch);
  });

  test("an override enters at ship; a halt after it is another escalation", async () => {
    const ground = await factory(PLAN, () => async (turn) => haltOf(turn.ports.assignment.module.module_id));
    const first = await engineerTask(ground.ports, orderOf());
    if (first.kind !== "halted") throw new Error("not halted");
    const { escalation_id: escalation } = first.escalation;
    const order = orderOf({
      resolution: { kind: "override", module: "MM-a", escalation, rationale: "I know." },
    });
    const second = await engineerTask(ground.ports, order);
    expect(ground.made).toEqual(["MM-a make halted", "MM-a ship halted"]);
    if (second.kind !== "halted") throw new Error("not halted");
    expect(second.escalation.escalation_id).not.toBe(escalation);
    expect(await engineerTask(ground.ports, order)).toEqual(second);
    expect(ground.made).toHaveLength(2);
  });

  test("a plan begins from scratch, with nothing carried over", async () => {
    const ground = await factory(PLAN, failing("MM-a"));
    await engineerTask(ground.ports, orderOf());
    const modules = [personsModule("mine")];
    const order = orderOf({ attempt: 2, resolution: { kind: "plan", modules } });
    expect(await engineerTask(ground.ports, order)).toMatchObject({
      kind: "shipped",
      modules: ["MM-mine@1.0.0"],
    });
    expect(ground.made).toEqual(["MM-a make halted", "MM-mine make shipped"]);
    expect(ground.calls()).toBe(1);
  });
});

test("a protocol that nobody has here is refused with what there is", async () => {
  const ground = await factory([plannedModule("a")], failing());
  await expect(engineerTask(ground.ports, orderOf({ protocol: "blind" }))).rejects.toMatchObject({
    code: "usage",
    expected: "one of debate",
  });
});
