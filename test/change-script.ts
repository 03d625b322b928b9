// What agents say while contracts change: whoever makes a module, whoever asks for another contract, and their debates.
import type { ScriptLine } from "../src/domain/agent/script-line.ts";
import { APPROVED, inFolder, line, passing } from "./invoice-script.ts";
import { INVOICE_TASK, plannedModule, type SampleModule } from "./invoice-samples.ts";
import { idOf } from "../src/simulator/cases/module-sketch.ts";

type Line = ReturnType<typeof line>;

/** One attempt at one task. */
export interface At {
  task: string;
  attempt?: number;
}

function nodeAt({ attempt = 1 }: At, node: string): string {
  return attempt === 1 ? node : `${node}@${attempt}`;
}

/** Builds on the first of what the Code Index offers, and has looked at the others. */
export function planOf(at: At, modules: readonly SampleModule[], offered: readonly string[] = []): Line {
  const key = { role: "micro_planner" as const, task: at.task, module: null };
  return line(
    { ...key, node: nodeAt(at, "micro_plan"), attempt: 1 },
    {
      modules: modules.map((each) => ({
        module_version: null,
        ...plannedModule(each),
        ...(offered.length === 0 ? {} : { depends_on: offered.slice(0, 1), reuse_candidate_refs: offered }),
      })),
    },
  );
}

function said({ name, purpose }: SampleModule) {
  return {
    claim: `${purpose} The tests show each promise of the contract.`,
    acceptance_checks: [`everything that was asked for: shown by the tests of ${name}`],
    applied_amendments: [],
  };
}

export function contractLines(at: At, module: SampleModule, ranges: readonly string[] = []): Line[] {
  const of = { task: at.task, module: idOf(module.name) };
  const contract =
    ranges.length === 0
      ? module.contract
      : { ...module.contract, dependencies: ranges.map((ref) => ({ ref, why: "it builds on it" })) };
  return [
    line(
      { role: "proposer", ...of, node: nodeAt(at, "propose_contract"), attempt: 1 },
      { contract, ...said(module) },
    ),
    ...judged(at, module, ["challenge_contract", "adjudicate_contract"], 1),
  ];
}

/** `asked` counts from the contract on, where that was debated in the same thread. */
export function buildLines(at: At, module: SampleModule, asked = 2): Line[] {
  const key = { role: "proposer" as const, task: at.task, module: idOf(module.name) };
  return [
    line({ ...key, node: nodeAt(at, "propose"), attempt: asked }, said(module), inFolder(module)),
    ...judged(at, module, ["challenge", "adjudicate"], asked),
  ];
}

export function judged(
  at: At,
  module: Pick<SampleModule, "name">,
  [challenge, adjudicate]: readonly [string, string],
  attempt: number,
): Line[] {
  const of = { task: at.task, module: idOf(module.name) };
  return [
    line({ role: "challenger", ...of, node: nodeAt(at, challenge), attempt }, passing(module)),
    line({ role: "arbiter", ...of, node: nodeAt(at, adjudicate), attempt }, APPROVED),
  ];
}

/** Instead of a contract: the proposer asks for another one of what it builds on. */
export function raisingLine(at: At, name: string, request: object): Line {
  const key = { role: "proposer" as const, task: at.task, module: idOf(name) };
  const toolCalls: ScriptLine["toolCalls"] = [
    { tool: "raise_interface_change_exception", input: JSON.parse(JSON.stringify(request)) },
  ];
  const blocker = { kind: "blocker", why: "the contract of initials will not do", needs: ["another one"] };
  return { ...line({ ...key, node: nodeAt(at, "propose_contract"), attempt: 1 }, blocker), toolCalls };
}

export function taskCalled(task_id: string) {
  return { ...INVOICE_TASK, task_id };
}
