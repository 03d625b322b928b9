// What honest agents say when they make the sample product: one line of a script for each role call.
import type { ScriptLine } from "../src/domain/agent/script-line.ts";
import { INVOICE } from "./invoice-modules.ts";
import { INVOICE_TASK, plannedModule, type SampleModule } from "./invoice-samples.ts";
import { idOf } from "../src/simulator/cases/module-sketch.ts";
import { APPROVED, passing as passingChallenge } from "../src/simulator/judgements.ts";

type Line = Pick<ScriptLine, "key" | "output"> & Partial<ScriptLine>;

const task = INVOICE_TASK.task_id;

export function line(key: ScriptLine["key"], answer: object, files: ScriptLine["files"] = {}): Line {
  return { key, output: JSON.parse(JSON.stringify({ answer })), files };
}

/** The contract is proposed, challenged and approved, then the module; everything at the first try. */
export function moduleLines(module: SampleModule): Line[] {
  const of = { task, module: idOf(module.name) };
  const criteria = INVOICE_TASK.acceptance_criteria;
  const claim = `${module.purpose} The tests show each promise of the contract.`;
  const checks = [`\`${criteria[0] ?? ""}\`: shown by the tests of ${module.name}`];
  const said = { claim, acceptance_checks: checks, applied_amendments: [] };
  return [
    line(
      { role: "proposer", ...of, node: "propose_contract", attempt: 1 },
      { contract: module.contract, ...said },
    ),
    line({ role: "challenger", ...of, node: "challenge_contract", attempt: 1 }, passing(module)),
    line({ role: "arbiter", ...of, node: "adjudicate_contract", attempt: 1 }, APPROVED),
    line({ role: "proposer", ...of, node: "propose", attempt: 2 }, said, inFolder(module)),
    line({ role: "challenger", ...of, node: "challenge", attempt: 2 }, passing(module)),
    line({ role: "arbiter", ...of, node: "adjudicate", attempt: 2 }, APPROVED),
  ];
}

export function inFolder({ name, files }: SampleModule): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`modules/${name}/${path}`, text]));
}

export { APPROVED };

export function passing({ name }: Pick<SampleModule, "name">) {
  return passingChallenge(name, INVOICE_TASK.acceptance_criteria[0] ?? "");
}

export function planLine(modules: readonly SampleModule[] = INVOICE): Line {
  const key = { role: "micro_planner" as const, task, module: null, node: "micro_plan", attempt: 1 };
  return line(key, { modules: modules.map((each) => ({ module_version: null, ...plannedModule(each) })) });
}

/** As a file of the scripted runtime. */
export function scriptText(lines: readonly Line[]): string {
  const filled = lines.map((each) => ({
    inputHash: null,
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    latencyMs: 0,
    ending: "ok",
    ...each,
  }));
  return filled.map((each) => `${JSON.stringify(each)}\n`).join("");
}
