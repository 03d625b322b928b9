// One finished step of work: who made which artifact for which task, and what they had been shown.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { form, IsoTime, TaskId, Text } from "../refs.ts";
import { ARTIFACT_PREFIXES, ArtifactRef, ArtifactType, idOfType } from "./artifact-type.ts";
import { Author, isRole } from "./role.ts";

/** Closed: the artifacts that count as progress, as opposed to those that only record it. */
export const ContributionType = ArtifactType.extract([
  "CONTRACT",
  "MICRO_PLAN",
  "IMPLEMENTATION",
  "CHALLENGE",
  "ADJUDICATION",
  "SHIP_EVIDENCE",
  "PRODUCT_SPEC",
  "RESEARCH",
  "TEST_SUITE",
  "MERGE_EVENT",
  "WITNESS_REPORT",
  "RELEASE_MANIFEST",
  "BLINDNESS_CERTIFICATE",
  "PROOF_BUNDLE",
  // Of a call that came to nothing: a mild review, a refused draft, an agent that gave up.
  "CALL_RECORD",
]);
export type ContributionType = z.infer<typeof ContributionType>;

/** What is made before there are tasks, or from all of them at once. */
const WITHOUT_TASK: ReadonlySet<ContributionType> = new Set(["PRODUCT_SPEC", "RELEASE_MANIFEST"]);
/** Tests are those of one module, or of the whole product. */
const WITH_OR_WITHOUT: ReadonlySet<ContributionType> = new Set(["TEST_SUITE"]);

export const Contribution = z
  .strictObject({
    contribution_id: form(/^CONTRIB-[0-9a-f]{8}$/, "a contribution id such as CONTRIB-0a1b2c3d"),
    type: ContributionType,
    produced_by: z.strictObject({ role: Author, run_id: Text }),
    artifact_ref: ArtifactRef,
    task_ref: TaskId.nullable(),
    created_at: IsoTime,
    context_pack_ref: idOfType("CONTEXT_PACK").nullable(),
  })
  .superRefine((contribution, context) => {
    const { type, task_ref, artifact_ref, context_pack_ref, produced_by } = contribution;
    if (!artifact_ref.startsWith(`${ARTIFACT_PREFIXES[type]}-`)) {
      refuse(context, ["artifact_ref"], `a reference to a ${type}`, `"${artifact_ref}"`);
    }
    if (task_ref === null && !WITHOUT_TASK.has(type) && !WITH_OR_WITHOUT.has(type)) {
      refuse(context, ["task_ref"], `the task that this ${type} belongs to`, "null");
    }
    if (task_ref !== null && WITHOUT_TASK.has(type)) {
      refuse(context, ["task_ref"], `null, since a ${type} belongs to no single task`, `"${task_ref}"`);
    }
    if (isRole(produced_by.role) !== (context_pack_ref !== null)) {
      const expected = isRole(produced_by.role)
        ? `the context pack that the ${produced_by.role} was given`
        : `null for what the ${produced_by.role} made`;
      refuse(context, ["context_pack_ref"], expected, JSON.stringify(context_pack_ref));
    }
  });
export type Contribution = z.infer<typeof Contribution>;
