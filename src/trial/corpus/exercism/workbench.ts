// Where exercises are looked at by the compiler: what an exemplar offers, and whether what was made of it fits together.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractFrom } from "../../../domain/contract/contract-draft.ts";
import type { MicroModuleContract } from "../../../domain/contract/contract.ts";
import { ModuleResearch } from "../../../domain/gatekeeper/module-research.ts";
import { researchProblems } from "../../../domain/gatekeeper/research-check.ts";
import { PlannedModule } from "../../../domain/plan/micro-plan.ts";
import { writeFiles } from "../../../evidence/neighbours.ts";
import { researchOf } from "../../../simulator/honest.ts";
import type { SimulatedCase } from "../../../simulator/port.ts";
import type { Files, SeenEffect, SurfaceEntry } from "../../../toolchains/port.ts";
import { build } from "../../../toolchains/typescript/compiler/build.ts";
import { checkContract } from "../../../toolchains/typescript/compiler/check-contract.ts";
import type { ModuleView } from "../../../toolchains/typescript/compiler/module-view.ts";
import { compareSurface } from "../../../toolchains/typescript/compiler/surface-compare.ts";
import { surface } from "../../../toolchains/typescript/compiler/surface.ts";
import { effectsInCode } from "../../../toolchains/typescript/watch/effects-in-code.ts";
import { caseOf } from "../builtin-case.ts";
import { type BuiltinTask, type TestBlock, testsOf } from "../builtin-task.ts";
import { callsEntry } from "../test-file.ts";
import { leaveOut } from "./left-out.ts";

export interface Workbench {
  look(exemplar: Files): Promise<{ surface: SurfaceEntry[]; effects: SeenEffect[] }>;
  /** With those of its tests that compile; a task that could not be built by anybody is left out. */
  checked(task: BuiltinTask): BuiltinTask;
  close(): void;
}

export function openWorkbench(): Workbench {
  const home = mkdtempSync(join(tmpdir(), "cupel-corpus-"));
  let made = 0;
  const viewOf = (files: Files): ModuleView => {
    const directory = writeFiles(join(home, String((made += 1))), files);
    const paths = Object.keys(files);
    const sources = paths.filter((path) => path.startsWith("src/"));
    const tests = paths.filter((path) => !path.startsWith("src/"));
    return { directory, layout: { entry: "src/index.ts", sources, tests, configuration: [] } };
  };
  return {
    look: async (exemplar) => {
      const view = viewOf(exemplar);
      const built = build(view);
      if (built.kind === "broken")
        leaveOut(`its exemplar does not compile here: ${built.errors[0]?.message}`);
      const { effects } = await effectsInCode({ layout: view.layout, files: () => exemplar });
      return { surface: surface(view).entries, effects };
    },
    checked: (task) => {
      const compiling = (blocks: readonly TestBlock[]) => {
        const view = viewOf({ ...task.reference, ...testsOf(task, blocks) });
        return compilingBlocks(view, blocks, testsOf(task, blocks));
      };
      const tests = compiling(task.tests);
      const shown = new Set(tests.map(({ covers }) => covers));
      const sound: BuiltinTask = {
        ...task,
        tests,
        wrongTests: compiling(task.wrongTests),
        constraints: task.constraints.filter(({ id }) => shown.has(id)),
      };
      checkCalls(sound);
      checkExamples(sound);
      checkPromises(sound, viewOf(task.reference));
      return sound;
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Undefined types and the like are those of jest; the oracle runs all the same. */
function compilingBlocks(view: ModuleView, blocks: readonly TestBlock[], files: Files): TestBlock[] {
  const built = build(view);
  if (built.kind === "built" || blocks.length === 0) return [...blocks];
  const text = Object.values(files)[0] ?? "";
  return blocks.filter(({ code }) => {
    const first = text.slice(0, text.indexOf(code)).split("\n").length;
    const last = first + code.split("\n").length;
    return !built.errors.some(({ file, line }) => file in files && line >= first && line < last);
  });
}

function checkCalls({ tests, contract }: BuiltinTask): void {
  if (tests.length === 0) leaveOut("none of its tests compiles on its own");
  const uncalled = contract.entry_points.find(
    ({ name }) => !tests.some(({ code }) => callsEntry(code, name)),
  );
  if (uncalled !== undefined) leaveOut(`no test of it calls ${uncalled.name}`);
}

/** What no honest researcher could show would halt whoever begins with research, and only them. */
function checkExamples(task: BuiltinTask): void {
  const about = caseOf(task);
  const { examples } = about;
  const [problem] =
    examples.length === 0
      ? ["there is none"]
      : researchProblems(ModuleResearch.parse(researchOf(about)), plannedOf(about));
  if (problem !== undefined) leaveOut(`its tests show too few examples: ${problem}`);
  const shown = new Set(examples.map(({ entry }) => entry));
  const hidden = about.contract.entry_points.find(({ name }) => !shown.has(name));
  if (hidden !== undefined) leaveOut(`its tests show no plain result of ${hidden.name}`);
}

/** The exemplar keeps its contract, and stubs can be made of it. */
function checkPromises(task: BuiltinTask, view: ModuleView): void {
  const contract = wholeContract(task);
  const { differences } = compareSurface(view, contract.entry_points);
  const [difference] = differences;
  if (difference !== undefined)
    leaveOut(
      `a contract cannot carry ${difference.entry}: ${difference.expected}, found ${difference.found}`,
    );
  const [problem] = checkContract(contract, undefined);
  if (problem !== undefined) leaveOut(`a contract cannot carry it: ${problem}`);
}

function wholeContract(task: BuiltinTask): MicroModuleContract {
  const drafted = contractFrom(task.contract, plannedOf(caseOf(task)), "1.0.0");
  if (drafted.kind === "ok") return drafted.contract;
  const [problem] = drafted.problems;
  return leaveOut(`a contract cannot carry it: ${problem?.path} must be ${problem?.expected}`);
}

function plannedOf({ planned }: SimulatedCase): PlannedModule {
  const { module_version: _, ...told } = planned;
  return PlannedModule.parse(told);
}
