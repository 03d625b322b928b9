// Whether a drafted plan may be locked: the six checks of its form and the rules of reuse, reported together.
import { randomUUID } from "node:crypto";
import type { DraftedModule } from "../../domain/agent/plan-roles.ts";
import { artifactId, idOfType } from "../../domain/artifact/artifact-type.ts";
import { checkPlan, type KnownVersions, type PlanCheck } from "../../domain/plan/plan-checks.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { EngineeringPorts } from "../port.ts";
import { type Subject, taskRefOf } from "../subject.ts";
import { checkReuse } from "./reuse-rules.ts";

export async function checkDraft(
  engineering: EngineeringPorts,
  context: NodeContext,
  { task }: Subject,
  drafted: readonly DraftedModule[],
  by: "agent" | "person",
): Promise<PlanCheck> {
  const id = await context.once("plan:id", idOfType("MICRO_PLAN"), async () =>
    artifactId("MICRO_PLAN", randomUUID()),
  );
  const modules = drafted.map(({ module_version, ...module }) =>
    module_version === null ? module : { ...module, module_version },
  );
  const plan = { micro_plan_id: id, parent_task_ref: taskRefOf(task), modules };
  const checked = checkPlan(plan, await knownVersions(engineering, drafted));
  const reuse = await checkReuse(engineering, drafted, by, context.signal);
  const violations = [...(checked.kind === "invalid" ? checked.violations : []), ...reuse];
  if (checked.kind === "valid" && violations.length === 0) return checked;
  return { kind: "invalid", violations: violations.toSorted((a, b) => a.check - b.check) };
}

async function knownVersions(
  { store }: EngineeringPorts,
  drafted: readonly DraftedModule[],
): Promise<KnownVersions> {
  const known = new Map<string, string[]>();
  for (const { module_id } of drafted) {
    const sealed = (await store.modules.list(module_id)).filter(({ sealedAt }) => sealedAt !== null);
    if (sealed.length > 0)
      known.set(
        module_id,
        sealed.map(({ version }) => version),
      );
  }
  return known;
}
