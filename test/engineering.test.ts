// One task through the whole factory, with scripted agents and everything else real: git, sandbox, tests, mutants, seals.
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import { openEngineering, type Engineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { expectOneContributionEach } from "./call-count.ts";
import { sampleGit, sampleProject } from "./git-samples.ts";
import { INVOICE } from "./invoice-modules.ts";
import { INVOICE_TASK, type SampleModule } from "./invoice-samples.ts";
import { idOf } from "../src/simulator/cases/module-sketch.ts";
import { inFolder, line, moduleLines, passing, planLine, scriptText } from "./invoice-script.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import { temporaryDirectory } from "./temporary.ts";
import { PACKAGES } from "./typescript-site.ts";

const LONG = 300_000;

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
    "ships a diamond and one on its own: sealed, proven, indexed, and a product that anybody can test",
    async () => {
      const { project, engineering, works } = await factory([planLine(), ...INVOICE.flatMap(moduleLines)]);
      const outcome = await engineerTask(engineering.ports, orderFor(INVOICE_TASK));
      expect(outcome).toEqual({ kind: "shipped", task: INVOICE_TASK.task_id, modules: REFS });
      for (const { name } of INVOICE) {
        const ref = `${idOf(name)}@1.0.0`;
        expect((await works.store.modules.get(ref)).sealedAt).not.toBeNull();
        expect(JSON.parse(at(engineering, `modules/${name}/ship.json`))).toMatchObject({
          module_id: idOf(name),
          verification: { result: "PASS" },
        });
        expect(await engineering.ports.index.get(ref)).toMatchObject({ status: "SHIPPED" });
      }
      const found = await engineering.ports.index.search({
        query: "work out the sales tax of a price",
        include_inactive: false,
        top_k: 1,
      });
      expect(found.map(({ name }) => name)).toEqual(["vat"]);

      expect(await expectOneContributionEach(works.store)).toEqual({
        MICRO_PLAN: 1,
        CONTRACT: 5,
        IMPLEMENTATION: 5,
        CHALLENGE: 10,
        ADJUDICATION: 10,
      });

      const before = await works.store.journal.latest();
      expect(await engineerTask(engineering.ports, orderFor(INVOICE_TASK))).toEqual(outcome);
      const since = await works.store.journal.read(before, 100);
      expect(since.filter(({ kind }) => kind === "role_call_started")).toEqual([]);

      const clone = join(temporaryDirectory(), "clone");
      sampleGit(project, "clone", "--quiet", engineering.ports.hub.gitDir, clone);
      symlinkSync(PACKAGES, join(clone, "node_modules"));
      const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };
      const run = spawnSync("npm", ["test"], { cwd: clone, encoding: "utf8", env });
      expect(run.stdout).toMatch(/Test Files +8 passed/);
      expect(run.status).toBe(0);
      expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
    },
    LONG,
  );

  test(
    "goes on with what does not wait for a failed one, and tells a person everything",
    async () => {
      const { engineering, works } = await factory([...planLines(), ...INVOICE.flatMap(unlessNetTotal)]);
      const outcome = await engineerTask(engineering.ports, orderFor(INVOICE_TASK));
      if (outcome.kind !== "halted") throw new Error(JSON.stringify(outcome));
      const { escalation } = outcome;
      expect(escalation).toMatchObject({
        task_id: INVOICE_TASK.task_id,
        failed_module: "MM-net_total",
        abandoned_modules: ["MM-invoice_line"],
        shipped_modules: ["MM-parse_amount@1.0.0", "MM-vat@1.0.0", "MM-initials@1.0.0"],
        debate_trail: { proposals: [{}, {}, {}, {}], challenges: [{}], adjudications: [{}] },
        state_machine_snapshot: { tasks: { [INVOICE_TASK.task_id]: { status: "IN_PROGRESS" } } },
        resolution: null,
      });
      expect(escalation.failed_invariants.map(({ evidence }) => evidence).join("\n")).toMatch(
        /green|tests? fail/,
      );
      // A plan that was refused and a mild review count like everything else.
      expect(await expectOneContributionEach(works.store)).toMatchObject({ CALL_RECORD: 2, MICRO_PLAN: 1 });
      expect(escalation.minimal_decision_required).not.toBe("");
      const asked = await works.store.inbox.open();
      expect(asked).toMatchObject([{ kind: "escalation", answerSchema: "HumanResolution" }]);
      expect(existsSync(join(works.store.root, "escalations", `${escalation.escalation_id}.json`))).toBe(
        true,
      );
      await expect(works.store.modules.get("MM-net_total@1.0.0")).rejects.toThrow("no module");
      expect(
        sampleGit(
          engineering.ports.hub.gitDir,
          "ls-tree",
          "--name-only",
          engineering.ports.hub.branch,
          "modules/",
        )
          .split("\n")
          .toSorted(),
      ).toEqual(["modules/initials", "modules/parse-amount", "modules/vat"]);
    },
    LONG,
  );
});

/** The first says two things in one purpose. */
function planLines() {
  const [first, ...others] = INVOICE;
  if (first === undefined) throw new Error("a product of nothing");
  const { key, ...second } = planLine();
  return [
    planLine([{ ...first, purpose: "Reads an amount. Writes it, too." }, ...others]),
    { ...second, key: { ...key, attempt: 2 } },
  ];
}

/** Says nothing at first, and does its work when it is told so. */
function mildAtFirst(module: SampleModule) {
  const [proposal, contract, approval, work, code, shipping] = moduleLines(module);
  if (!proposal || !contract || !approval || !work || !code || !shipping) throw new Error("not six lines");
  const { rubric_assessments, ...verdict } = passing(module);
  const mild = rubric_assessments.map((each) => ({ ...each, evidence: "It looks good to me all in all." }));
  return [
    proposal,
    line(contract.key, { ...verdict, rubric_assessments: mild }),
    { ...contract, key: { ...contract.key, attempt: 2 } },
    approval,
    work,
    { ...code, key: { ...code.key, attempt: 3 } },
    shipping,
  ];
}

/** Honest, but for one that counts wrong and does not mend it. */
function unlessNetTotal(module: SampleModule) {
  if (module.name === "initials") return mildAtFirst(module);
  const lines = moduleLines(module);
  if (module.name !== "net-total") return lines;
  const wrong = (module.files["src/index.ts"] ?? "").replace("total + parseAmount", "total - parseAmount");
  const broken = inFolder({ ...module, files: { ...module.files, "src/index.ts": wrong } });
  const of = { role: "proposer" as const, task: INVOICE_TASK.task_id, module: idOf(module.name) };
  const said = { claim: "It adds up.", acceptance_checks: ["`x`: shown"], applied_amendments: [] };
  return [
    ...lines.slice(0, 3),
    line({ ...of, node: "propose", attempt: 2 }, said, broken),
    // A file that differs each time, so that there is something to take back.
    ...[3, 4].map((attempt) =>
      line({ ...of, node: "revise", attempt }, said, {
        ...broken,
        "modules/net-total/src/index.ts": `${wrong}// ${attempt}\n`,
      }),
    ),
  ];
}
