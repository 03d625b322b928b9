// What a person's answer to a halt does to the project: exactly the effects of its action, or a refusal with its reason.
import { CupelError } from "../../domain/error.ts";
import { type HumanResolution, resolutionApplies } from "../../domain/people/resolution.ts";
import type { ModuleRef } from "../../domain/refs.ts";
import type { TaskRecord, TaskResolution } from "../../domain/task/task-record.ts";
import type { ProjectEdit } from "../project.ts";
import { behindAbandoned, blockedQuestionIds, blockedQuestions } from "./blocked-questions.ts";
import { amended } from "./amend-task.ts";
import type { Resolving } from "./resolving.ts";
import { splitTask } from "./split-task.ts";

/** Changes nothing: whoever applies it has the whole effect, and whoever only looks knows that it would be refused. */
export function resolutionEdit(resolving: Resolving, resolution: HumanResolution): ProjectEdit {
  const { machine, task, at } = resolving;
  assertApplies(resolving, resolution);
  const id = task.taskId;
  const withdrawn = blockedQuestionIds(id, machine.entry(id).depends_on);
  switch (resolution.action) {
    case "APPROVE_OVERRIDE": {
      const { module, escalation } = failedModule(resolving, resolution.action);
      const { rationale } = resolution;
      return goesOn(task, at, { kind: "override", module, escalation, rationale }, rationale);
    }
    case "PROVIDE_FIX": {
      const { module } = failedModule(resolving, resolution.action);
      const { fix_artifacts: files, fix_description: description } = resolution;
      return goesOn(task, at, { kind: "fix", module, files, description }, description);
    }
    case "REVISE_PLAN": {
      assertOwnPlan(task);
      const again = { ...task, attempt: task.attempt + 1 };
      const plan = { kind: "plan", modules: resolution.revised_micro_plan } as const;
      return goesOn(again, at, plan, "a person gave another plan");
    }
    case "AMEND_SPEC":
      return { ...amended(resolving, resolution), withdrawn };
    case "SPLIT_TASK":
      return { ...splitTask(resolving, resolution.new_tasks), withdrawn };
    case "ABANDON_TASK":
      return {
        why: `a person abandoned it: ${resolution.rationale}`,
        operations: [{ kind: "abandon", at, task: id }],
        withdrawn,
        askedAfter: (after) => blockedQuestions(after, id, at),
      };
    case "ATTEST_SHIPPED":
      return {
        why: `a person attests that it is done: ${resolution.rationale}`,
        operations: [{ kind: "attest", at, task: id, moduleRefs: attestedModules(resolving, resolution) }],
      };
  }
}

function assertApplies({ machine, task }: Resolving, { action }: HumanResolution): void {
  const status = machine.status(task.taskId);
  const behind = behindAbandoned(machine, task.taskId);
  const decision = resolutionApplies(action, status, behind);
  if (decision.kind === "allowed") return;
  const causes = status === "BLOCKED" ? machine.stoppedBy(task.taskId) : [];
  throw new CupelError("illegal_transition", `${task.taskId}: ${decision.reason}`, {
    expected: "a task that waits for a person",
    hint: causes.length === 0 ? "cupel next" : `cupel resolve ${causes[0] ?? ""}`,
  });
}

/** The same attempt goes on at a node of its graph, or a new one with the person's plan. */
function goesOn(task: TaskRecord, at: string, resolution: TaskResolution, why: string): ProjectEdit {
  return {
    why: `a person decided: ${why}`,
    operations: [{ kind: "resume", at, task: task.taskId }],
    revised: [{ ...task, resolution }],
  };
}

function failedModule({ task, escalation }: Resolving, action: string) {
  const module = escalation?.failed_module;
  if (escalation !== undefined && module !== undefined)
    return { module, escalation: escalation.escalation_id };
  throw new CupelError("usage", `${action} is about a module, and ${task.taskId} halted before it had one`, {
    expected: "REVISE_PLAN, AMEND_SPEC, SPLIT_TASK or ABANDON_TASK",
    hint: `cupel resolve ${task.taskId} --action REVISE_PLAN --file plan.json`,
  });
}

function assertOwnPlan({ taskId, change }: TaskRecord): void {
  if (change === null) return;
  throw new CupelError("usage", `the plan of ${taskId} follows from ${change.exception_id}`, {
    expected: "PROVIDE_FIX, APPROVE_OVERRIDE, AMEND_SPEC or ABANDON_TASK",
    hint: `cupel store show ${change.exception_id}`,
  });
}

/** What the person names, else what the task has shipped before it halted. */
function attestedModules(
  { escalation }: Resolving,
  { module_refs }: Extract<HumanResolution, { action: "ATTEST_SHIPPED" }>,
): ModuleRef[] {
  return module_refs ?? escalation?.shipped_modules ?? [];
}
