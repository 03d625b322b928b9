// A module asks for another contract of what it builds on: raised, decided, debated, made, shipped, and built upon, with
// scripted agents and everything else real.
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TaskRequest } from "../src/domain/people/interface-change.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import { type DecisionOrder, decideInterfaceChange } from "../src/engineering/interface-change/decide.ts";
import type { TaskOrder, TaskPorts } from "../src/engineering/port.ts";
import { openEngineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import {
  BADGE,
  INITIALS_1,
  INITIALS_1_1,
  INITIALS_2,
  OPTIONAL_SEPARATOR,
  REQUIRED_SEPARATOR,
  SIGNATURE,
} from "./change-samples.ts";
import { buildLines, contractLines, judged, planOf, raisingLine, taskCalled } from "./change-script.ts";
import { sampleGit, sampleProject } from "./git-samples.ts";
import { scriptText } from "./invoice-script.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import { temporaryDirectory } from "./temporary.ts";

const LONG = 300_000;
const [FIRST, SECOND, THIRD, CHANGE, BREAKING, LATE] = [1, 2, 3, 4, 5, 6].map(
  (n) => `T-billing-invoices-lines-00${n}`,
);

/** Dies when the arbiter is to be asked, once the challenger was. */
function dyingAtArbiter(ports: TaskPorts): TaskPorts {
  return {
    ...ports,
    ask: (role, call) =>
      role.name === "arbiter" ? Promise.reject(new Error("killed")) : ports.ask(role, call),
  };
}

async function exceptionOf({ store }: TaskPorts): Promise<string> {
  const question = (await store.inbox.open()).at(-1);
  expect(question).toMatchObject({ kind: "interface_change", answerSchema: "InterfaceChangeDecision" });
  const raised = await store.artifacts.query({ type: "INTERFACE_CHANGE_EXCEPTION" });
  const id = raised.findLast(({ envelope }) => envelope.version === "1.0.0")?.envelope.artifact_id ?? "";
  expect(question?.body).toMatchObject({ interface_change_ref: id });
  const answer = { decision: "APPROVE_CHANGE", exception_id: id };
  expect(await store.inbox.answer(question?.id ?? "", answer, "ada")).toMatchObject({ kind: "accepted" });
  return id;
}

describe.skipIf(!bubblewrapWorks)("a contract that has to change (needs bubblewrap)", () => {
  test(
    "grows for the one who asked, then breaks, and nobody who uses it is left behind",
    async () => {
      const first = { task: FIRST ?? "" };
      const second = { task: SECOND ?? "" };
      const again = { ...second, attempt: 2 };
      const third = { task: THIRD ?? "" };
      const grown = { task: CHANGE ?? "" };
      const broken = { task: BREAKING ?? "" };
      const late = { task: LATE ?? "" };
      const debate = ["debate_round", "check_resolved"] as const;
      const project = sampleProject({ "README.md": "# Names\n" });
      const script = join(temporaryDirectory(), "script.jsonl");
      const lines = [
        planOf(first, [INITIALS_1, BADGE]),
        ...[INITIALS_1, BADGE].flatMap((each) => [...contractLines(first, each), ...buildLines(first, each)]),
        planOf(second, [SIGNATURE], ["MM-initials@1.0.0", "MM-badge@1.0.0"]),
        raisingLine(second, "signature", OPTIONAL_SEPARATOR),
        ...judged(grown, INITIALS_1, debate, 1),
        ...buildLines(grown, INITIALS_1_1, 1),
        planOf(again, [SIGNATURE], ["MM-initials@1.1.0", "MM-badge@1.0.0"]),
        ...contractLines(again, SIGNATURE, ["MM-initials@^1.1.0"]),
        ...buildLines(again, SIGNATURE),
        planOf(
          third,
          [{ ...SIGNATURE, name: "monogram" }],
          ["MM-initials@1.1.0", "MM-signature@1.0.0", "MM-badge@1.0.0"],
        ),
        raisingLine(third, "monogram", REQUIRED_SEPARATOR),
        ...judged({ ...broken, attempt: 3 }, INITIALS_1, debate, 1),
        ...buildLines(broken, INITIALS_2, 1),
        planOf(
          late,
          [{ ...SIGNATURE, name: "seal" }],
          ["MM-initials@1.1.0", "MM-signature@1.0.0", "MM-badge@1.0.0"],
        ),
        raisingLine(late, "seal", REQUIRED_SEPARATOR),
      ];
      writeFileSync(script, scriptText(lines));
      const works = await openWorks({ project, runId: "r-names", replay: script, ignoreInput: true });
      const engineering = await openEngineering(works, { ownScripts: true });
      onTestFinished(async () => {
        await engineering.close();
        await works.close();
      });
      const { ports } = engineering;
      const at = (path: string) => sampleGit(ports.hub.gitDir, "show", `${ports.hub.branch}:${path}`);

      expect(await engineerTask(ports, orderFor(taskCalled(first.task)))).toMatchObject({
        kind: "shipped",
        modules: ["MM-initials@1.0.0", "MM-badge@1.0.0"],
      });

      const halted = orderFor(taskCalled(second.task));
      expect(await engineerTask(ports, halted)).toMatchObject({
        kind: "halted",
        escalation: { interface_change_ref: expect.stringMatching(/^ICE-/), failed_module: "MM-signature" },
      });
      const exception_id = await exceptionOf(ports);
      const approval: DecisionOrder = {
        decision: { decision: "APPROVE_CHANGE", exception_id },
        order: halted,
        taskId: grown.task,
      };
      expect(await decideInterfaceChange(dyingAtArbiter(ports), approval)).toMatchObject({
        kind: "stopped",
        why: expect.stringContaining("killed"),
      });
      const decided = await decideInterfaceChange(ports, approval);
      if (decided.kind !== "task_requested") throw new Error(JSON.stringify(decided));
      expect(decided).toMatchObject({
        request: {
          from: "MM-initials@1.0.0",
          to: "MM-initials@1.1.0",
          breaking: [],
          consumers: [{ module: "MM-badge@1.0.0", action: "reverify" }],
        },
        task: { task_id: grown.task },
      });
      expect(await decideInterfaceChange(ports, approval)).toEqual(decided);
      const other = { ...approval, decision: { decision: "DEFER" as const, exception_id } };
      await expect(decideInterfaceChange(ports, other)).rejects.toThrow(/is APPROVED already/);

      const made = orderFor(decided.task, { change: decided.request });
      expect(await engineerTask(ports, made)).toEqual({
        kind: "shipped",
        task: grown.task,
        modules: ["MM-initials@1.1.0"],
        consumers: [{ module: "MM-badge@1.0.0", verified: true, action: "reverify" }],
      });
      expect(await ports.index.get("MM-initials@1.0.0")).toMatchObject({
        status: "SUPERSEDED",
        superseded_by: "MM-initials@1.1.0",
      });
      const contract = await ports.store.artifacts.get(decided.request.contract_ref.split("@")[0] ?? "");
      expect(contract.envelope.status).toBe("SHIPPED");

      expect(await engineerTask(ports, { ...halted, attempt: 2 })).toMatchObject({
        kind: "shipped",
        modules: ["MM-signature@1.0.0"],
      });
      expect(JSON.parse(at("modules/initials/contract.json"))).toMatchObject({ module_version: "1.1.0" });
      expect(Object.keys(JSON.parse(at("package.json")).imports)).toEqual([
        "#modules/badge",
        "#modules/initials",
        "#modules/signature",
      ]);
      runProduct(ports);

      await breaks(ports, orderFor(taskCalled(third.task)), broken.task);
      expect(Object.keys(JSON.parse(at("package.json")).imports)).toContain("#modules/initials@1");
      expect(JSON.parse(at("modules/initials/contract.json"))).toMatchObject({ module_version: "2.0.0" });
      expect(JSON.parse(at("modules/initials@1/contract.json"))).toMatchObject({ module_version: "1.1.0" });
      expect(at("modules/badge/src/index.ts")).toContain('from "#modules/initials@1"');
      runProduct(ports);

      await comesTooLate(ports, orderFor(taskCalled(late.task)), broken.task);
    },
    LONG,
  );
});

/** Put off first, then rejected for the time being, then approved after all. */
async function breaks(ports: TaskPorts, halted: TaskOrder, taskId: string): Promise<void> {
  expect(await engineerTask(ports, halted)).toMatchObject({ kind: "halted" });
  const exception_id = await exceptionOf(ports);
  const decide = (decision: DecisionOrder["decision"]) =>
    decideInterfaceChange(ports, { decision, order: halted, taskId });
  expect(await decide({ decision: "DEFER", exception_id })).toMatchObject({
    kind: "stays_halted",
    because: "deferred",
    // All that the first escalation told is told again.
    escalation: { failed_module: "MM-monogram", interface_change: { exception_id } },
  });
  const rejection = { decision: "REJECT_CHANGE", exception_id, reason: "Not now.", requeue: false } as const;
  const asked = (await ports.store.inbox.open()).at(-1);
  expect(await ports.store.inbox.answer(asked?.id ?? "", rejection, "ada")).toMatchObject({
    kind: "accepted",
  });
  expect(await decide(rejection)).toMatchObject({ kind: "stays_halted", because: "rejected" });
  expect(await ports.store.inbox.open()).toMatchObject([{ kind: "escalation" }]);
  const decided = await decide({ decision: "APPROVE_CHANGE", exception_id });
  if (decided.kind !== "task_requested") throw new Error(JSON.stringify(decided));
  const { request, task } = decided;
  const consumers: TaskRequest["consumers"] = [
    { module: "MM-badge@1.0.0", action: "task" },
    { module: "MM-signature@1.0.0", action: "task" },
  ];
  expect(request).toMatchObject({
    to: "MM-initials@2.0.0",
    breaking: expect.arrayContaining([expect.stringContaining("became required")]),
    consumers,
  });
  expect(await engineerTask(ports, orderFor(task, { change: request }))).toMatchObject({
    kind: "shipped",
    modules: ["MM-initials@2.0.0"],
    consumers: consumers.map((consumer) => ({ ...consumer, verified: false })),
  });
}

/** Whoever asks for a change of what has a successor already is told so, and a person decides anew. */
async function comesTooLate(ports: TaskPorts, halted: TaskOrder, taskId: string): Promise<void> {
  expect(await engineerTask(ports, halted)).toMatchObject({ kind: "halted" });
  const exception_id = await exceptionOf(ports);
  const decide = (decision: DecisionOrder["decision"]) =>
    decideInterfaceChange(ports, { decision, order: halted, taskId });
  const unresolved = await decide({ decision: "APPROVE_CHANGE", exception_id });
  expect(unresolved).toMatchObject({
    kind: "unresolved",
    escalation: {
      interface_change_ref: exception_id,
      failed_invariants: [{ evidence: expect.stringContaining("MM-initials@2.0.0 has shipped since") }],
    },
  });
  expect(await decide({ decision: "APPROVE_CHANGE", exception_id })).toEqual(unresolved);
  expect((await ports.store.inbox.open()).at(-1)).toMatchObject({ kind: "interface_change" });
  const rejection = { decision: "REJECT_CHANGE", exception_id, reason: "Use 2.0.0.", requeue: true } as const;
  expect(await decide(rejection)).toEqual({ kind: "requeue", reason: "Use 2.0.0." });
}

/** As a person would who has just cloned it. */
function runProduct({ hub }: TaskPorts): void {
  const copy = temporaryDirectory();
  sampleGit(copy, "clone", "--quiet", "--branch", hub.branch, hub.gitDir, "product");
  const product = join(copy, "product");
  symlinkSync(join(import.meta.dirname, "..", "node_modules"), join(product, "node_modules"));
  const vitest = join(product, "node_modules", "vitest", "vitest.mjs");
  execFileSync(process.execPath, [vitest, "run"], { cwd: product, stdio: "pipe" });
}
