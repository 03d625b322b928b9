// One task through the whole factory, with scripted agents and everything else real: git, sandbox, tests, mutants, seals.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import type { TaskOrder, TaskOutcome } from "../src/engineering/port.ts";
import { openEngineering, type Engineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { sampleGit, sampleProject } from "./git-samples.ts";
import { INVOICE } from "./invoice-modules.ts";
import { idOf, INVOICE_TASK } from "./invoice-samples.ts";
import { moduleLines, planLine, scriptText } from "./invoice-script.ts";
import { temporaryDirectory } from "./temporary.ts";

const LONG = 300_000;

function order(change: Partial<TaskOrder> = {}): TaskOrder {
  const task = INVOICE_TASK.task_id;
  return {
    task: INVOICE_TASK,
    path: `project/billing/invoices/lines/${task}/${task}.md`,
    attempt: 1,
    rigor: resolveRigor("standard"),
    protocol: "debate",
    snapshot: () => ({
      project_id: "invoices",
      spec_version: "1.0.0",
      updated_at: "2026-01-01T00:00:00.000Z",
      tasks: {
        [task]: {
          pillar: "Billing",
          epic: "Invoices",
          story: "Lines",
          task: INVOICE_TASK.task_name,
          depends_on: [],
          status: "IN_PROGRESS",
          module_refs: [],
          shipped_at: null,
          halted_reason: null,
          escalation_ref: null,
          superseded_by: [],
          declaration_order: 0,
        },
      },
    }),
    ...change,
  };
}

async function factory(lines: Parameters<typeof scriptText>[0]) {
  const project = sampleProject({ "README.md": "# Invoices\n" });
  const script = join(temporaryDirectory(), "script.jsonl");
  writeFileSync(script, scriptText(lines));
  const works = await openWorks({ project, runId: "r-invoice", replay: script, ignoreInput: true });
  const engineering = await openEngineering(works, { ownScripts: true });
  onTestFinished(async () => {
    await engineering.close();
    await works.close();
  });
  return { project, works, engineering };
}

function at({ ports }: Engineering, path: string): string {
  return sampleGit(ports.hub.gitDir, "show", `${ports.hub.branch}:${path}`);
}

const REFS = INVOICE.map(({ name }) => `${idOf(name)}@1.0.0`);

describe.skipIf(!bubblewrapWorks)("a task of five modules (needs bubblewrap)", () => {
  test(
    "ships a diamond and one on its own, sealed, proven, indexed and on the product's branch",
    async () => {
      const { engineering, works } = await factory([planLine(), ...INVOICE.flatMap(moduleLines)]);
      const outcome: TaskOutcome = await engineerTask(engineering.ports, order());
      expect(outcome).toEqual({ kind: "shipped", task: INVOICE_TASK.task_id, modules: REFS });
      for (const { name } of INVOICE) {
        const module = await works.store.modules.get(`${idOf(name)}@1.0.0`);
        expect(module.sealedAt).not.toBeNull();
        expect(JSON.parse(at(engineering, `modules/${name}/ship.json`))).toMatchObject({
          module_id: idOf(name),
          verification: { result: "PASS" },
        });
        expect(await engineering.ports.index.get(`${idOf(name)}@1.0.0`)).toMatchObject({ status: "SHIPPED" });
      }
    },
    LONG,
  );
});
