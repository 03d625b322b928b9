// Locks a plan that holds: an artifact that nobody can change, why each new module is made, and what was planned.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { DraftedModule } from "../../domain/agent/plan-roles.ts";
import { artifactId, idOfType } from "../../domain/artifact/artifact-type.ts";
import { form, IsoTime } from "../../domain/refs.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { MicroPlan } from "../../domain/plan/micro-plan.ts";
import { ReuseSearchReport } from "../../domain/plan/reuse.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { EngineeringPorts } from "../port.ts";
import { pillarOf, type Subject } from "../subject.ts";
import { contributionOf, tellOnce } from "../trail.ts";
import { type PlanOutcome, reusedBy } from "./plan-outcome.ts";
import { reuseReport } from "./reuse-rules.ts";

/** The call that drafted it, or who gave it without one. */
type Author = { pack: string; runId: string; at: string } | "person" | "harness";

const Ids = z.strictObject({
  reports: z.array(idOfType("REUSE_SEARCH_REPORT")),
  contribution: form(/^CONTRIB-[0-9a-f]{8}$/, "a contribution id"),
  at: IsoTime,
});

export async function lockPlan(
  engineering: EngineeringPorts,
  context: NodeContext,
  { task }: Subject,
  plan: MicroPlan,
  drafted: readonly DraftedModule[],
  author: Author,
): Promise<Extract<PlanOutcome, { kind: "locked" }>> {
  const { store, fence, runId, now } = engineering;
  const created = drafted.filter(({ reuse_decision }) => reuse_decision === "CREATE_NEW");
  const ids = await context.once("lock:ids", Ids, async () => ({
    reports: created.map(() => artifactId("REUSE_SEARCH_REPORT", randomUUID())),
    contribution: `CONTRIB-${randomUUID().slice(0, 8)}`,
    at: now().toISOString(),
  }));
  const pillar = pillarOf(task);
  const call = typeof author === "string" ? null : author;
  const by =
    typeof author === "string"
      ? ({ role: author, run_id: runId } as const)
      : ({ role: "micro_planner", run_id: author.runId } as const);
  const body = `${JSON.stringify(plan, null, 2)}\n`;
  await store.artifacts.create(fence, {
    id: plan.micro_plan_id,
    type: "MICRO_PLAN",
    pillar,
    createdBy: by,
    contextPackRef: call?.pack ?? null,
    inputs: [{ ref: plan.parent_task_ref, purpose: "the task that it cuts" }],
    notes: "locked",
    body: { "plan.json": body },
  });
  const planArtifact = `${plan.micro_plan_id}@1.0.0`;
  for (const [index, module] of created.entries()) {
    const report = parseOrThrow(ReuseSearchReport, reuseReport(module), `the reuse of ${module.module_id}`);
    await store.artifacts.create(fence, {
      id: ids.reports[index] ?? "",
      type: "REUSE_SEARCH_REPORT",
      pillar,
      createdBy: { role: "harness", run_id: runId },
      contextPackRef: null,
      inputs: [{ ref: planArtifact, purpose: "the plan that makes the module" }],
      notes: module.module_id,
      body: { "reuse_search_report.json": JSON.stringify(report, null, 2) },
    });
  }
  const contribution = {
    type: "MICRO_PLAN",
    produced_by: by,
    artifact_ref: planArtifact,
    task_ref: task.task_id,
    created_at: ids.at,
  } as const;
  await store.artifacts.contribute(
    fence,
    call === null
      ? { ...contribution, contribution_id: ids.contribution, context_pack_ref: null }
      : contributionOf(call.pack, contribution),
  );
  const planned = plan.modules.map((module) => ({
    kind: "module_planned" as const,
    task: task.task_id,
    module: module.module_id,
    reused: reusedBy(module) ?? null,
  }));
  await tellOnce(engineering, context, "planned", planned);
  return { kind: "locked", plan, artifact: plan.micro_plan_id, planRef: await store.payloads.put(body) };
}
