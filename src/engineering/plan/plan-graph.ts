// Planning one task: the harness searches, the planner plans, the checks decide; two more tries with the exact errors.
import { z } from "zod";
import { microPlanner } from "../../agents/roles/micro-planner.ts";
import { searchCodeIndexTool } from "../../agents/tools/code-index-tool.ts";
import { DraftedModule, MicroPlannerInput, PlanCritique } from "../../domain/agent/plan-roles.ts";
import { idOfType } from "../../domain/artifact/artifact-type.ts";
import { jsonSchemaOf, SCHEMAS } from "../../domain/schemas.ts";
import { renderTaskFile, type TaskFile } from "../../domain/task/task-file.ts";
import { defineGraph, stateKey } from "../../graph/define-graph.ts";
import type { NodeContext, StateOf, Step } from "../../graph/port.ts";
import { askOnce } from "../calls/ask-once.ts";
import { dependencyView } from "../dependency-view.ts";
import type { EngineeringPorts } from "../port.ts";
import type { Subject } from "../subject.ts";
import { tellOnce } from "../trail.ts";
import { checkDraft } from "./check-draft.ts";
import { lockPlan } from "./lock-plan.ts";
import { PlanOutcome } from "./plan-outcome.ts";

export interface PlanPorts {
  engineering: EngineeringPorts;
  subject: Subject;
  /** Who answers for a plan that was given. */
  givenBy: "person" | "harness";
}

const Author = z.strictObject({ pack: idOfType("CONTEXT_PACK"), runId: z.string(), at: z.string() });

const state = {
  /** A person's own plan, or one that follows from an approved change; then no agent is asked. */
  given: stateKey({ schema: z.array(DraftedModule).nullable(), initial: () => null }),
  found: stateKey({ schema: MicroPlannerInput.shape.code_index_results, initial: () => [] }),
  attempts: stateKey({ schema: z.int(), initial: () => 0 }),
  drafted: stateKey({ schema: z.array(DraftedModule), initial: () => [] }),
  /** Who drafted it; null for a plan that was given. */
  author: stateKey({ schema: Author.nullable(), initial: () => null }),
  violations: stateKey({ schema: z.array(PlanCritique), initial: () => [] }),
  outcome: stateKey({ schema: PlanOutcome.nullable(), initial: () => null }),
};
type State = StateOf<typeof state>;

/** The first and two more. */
export const MOST_PLANS = 3;
const MINUTE = 60_000;

export const planGraph = defineGraph({
  name: "plan",
  version: 1,
  state,
  nodes: {
    search: {
      run: search,
      routes: ["micro_plan", "check"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "looks in the Code Index for what the task asks for",
    },
    micro_plan: {
      run: plan,
      routes: ["check", "end"],
      timeoutMs: 120 * MINUTE,
      lane: "micro planner",
      does: "cuts the task into modules",
    },
    check: {
      run: check,
      routes: ["micro_plan", "end"],
      timeoutMs: 10 * MINUTE,
      retries: 2,
      lane: "harness",
      does: "checks the plan and locks it",
    },
  },
  entries: { start: "search" },
});

async function search(
  { given }: State,
  { engineering, subject }: PlanPorts,
  context: NodeContext,
): Promise<Step<typeof state, "micro_plan" | "check">> {
  if (given !== null) return { update: { drafted: given }, goto: "check" };
  const query = { query: purposeOf(subject.task), include_inactive: false, top_k: 10 };
  const hits = await engineering.index.search(query, context.signal);
  const found = hits.map((hit) => ({
    module: `${hit.module_id}@${hit.version}`,
    summary: `${hit.name}: ${hit.purpose} From ${hit.io_summary.inputs.join("; ")} to ${hit.io_summary.outputs.join("; ")} (similarity ${hit.similarity_score.toFixed(2)})`,
  }));
  return { update: { found }, goto: "micro_plan" };
}

function purposeOf({ task_name, description, micro_module_contract }: TaskFile): string {
  const { inputs, outputs } = micro_module_contract;
  return `${task_name}. ${description} From ${inputs} to ${outputs}`;
}

/** The records that follow from a plan, as §3.4 lists them. */
const SCHEMAS_TOLD = ["MicroPlan", "MicroModuleContract", "ReuseSearchReport"];

async function plan(
  { found, attempts, drafted, violations }: State,
  { engineering, subject }: PlanPorts,
  context: NodeContext,
): Promise<Step<typeof state, "check" | "end">> {
  const { index, store } = engineering;
  const asked = await askOnce(engineering, context, {
    role: microPlanner,
    input: {
      task_file: renderTaskFile(subject.task),
      dependencies: await Promise.all(subject.dependencies.map((ref) => dependencyView(store, ref))),
      code_index_results: found,
      harness_schemas: schemasTold(),
      plan_violations: violations,
      refused_plan: violations.length > 0 ? drafted : [],
    },
    attempt: attempts + 1,
    situation: violations.length > 0 ? { phase: "revise" } : {},
    subject,
    besides: ["code_index_results"],
    open: async () => ({ tools: [searchCodeIndexTool((query, signal) => index.search(query, signal))] }),
    raised: async () => undefined,
  });
  if (asked.kind === "stopped")
    return { update: { outcome: { kind: "stopped", stop: asked.stop } }, goto: "end" };
  const author = { pack: asked.ids.pack, runId: asked.runId, at: asked.ids.at };
  return { update: { attempts: attempts + 1, drafted: asked.output.modules, author }, goto: "check" };
}

const JsonRecord = z.record(z.string(), z.json());

function schemasTold(): z.infer<typeof JsonRecord> {
  const entries = SCHEMAS_TOLD.flatMap((name) => {
    const schema = SCHEMAS.get(name);
    return schema === undefined ? [] : [[name, jsonSchemaOf(name, schema)]];
  });
  return JsonRecord.parse(JSON.parse(JSON.stringify(Object.fromEntries(entries))));
}

async function check(
  { given, drafted, attempts, author }: State,
  { engineering, subject, givenBy }: PlanPorts,
  context: NodeContext,
): Promise<Step<typeof state, "micro_plan" | "end">> {
  const checked = await checkDraft(
    engineering,
    context,
    subject,
    drafted,
    given === null ? "agent" : "person",
  );
  if (checked.kind === "valid") {
    const outcome = await lockPlan(engineering, context, subject, checked.plan, drafted, author ?? givenBy);
    return { update: { outcome, violations: [] }, goto: "end" };
  }
  const { violations } = checked;
  if (given === null) {
    const findings = violations.map(({ path, message }) => `${path}: expected ${message}`.slice(0, 800));
    await tellOnce(engineering, context, "refused", [
      { kind: "plan_refused", task: subject.task.task_id, attempt: attempts, findings },
    ]);
  }
  if (given === null && attempts < MOST_PLANS) return { update: { violations }, goto: "micro_plan" };
  const planRef = await engineering.store.payloads.put(JSON.stringify(drafted, null, 2));
  return { update: { violations, outcome: { kind: "refused", violations, planRef } }, goto: "end" };
}
