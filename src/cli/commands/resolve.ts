// `cupel resolve`: shows why a task waits for a person, or carries that person's answer.
import { z } from "zod";
import type { EscalationArtifact } from "../../domain/people/escalation.ts";
import { ResolutionAction, resolutionEffect } from "../../domain/people/resolution.ts";
import { readRecord } from "../../evidence/record-file.ts";
import { projectAround } from "../../factory/project.ts";
import { E2E } from "../../factory/resolve-e2e.ts";
import { resolveTask, whatHalted } from "../../factory/resolve-task.ts";
import { EXIT } from "../exit-codes.ts";
import { oneLine, printJson, printText } from "../output.ts";
import { nameOfPerson } from "../person.ts";
import { resolveWhole } from "./resolve-e2e.ts";

export interface ResolveCommand {
  directory: string;
  action?: string;
  rationale?: string;
  criterion: string[];
  file?: string;
  json: boolean;
}

export async function resolve(task: string, command: ResolveCommand): Promise<number> {
  const project = projectAround(command.directory);
  if (task === E2E) return resolveWhole(project, command);
  if (command.action === undefined && command.file === undefined) {
    const escalation = await whatHalted(project, task);
    if (command.json) printJson(escalation ?? null);
    else printText(renderChoices(task, escalation));
    return EXIT.ok;
  }
  const resolution = await payloadOf(command);
  const result = await resolveTask(project, { task, resolution, by: nameOfPerson() });
  if (command.json) printJson(result);
  else if (result.carriedOut) printText(`${task} is ${result.status} now.\nNext: cupel run --resume`);
  else printText(`Noted. Whoever works on the run carries it out soon.\nNext: cupel status --watch`);
  return EXIT.ok;
}

/** The whole is checked once the flags are in it. */
const Part = z.looseObject({});
const KIND = { what: "a resolution", schema: "HumanResolution" };

/** The file, with what the flags say on top of it. */
async function payloadOf({ action, rationale, criterion, file }: ResolveCommand): Promise<unknown> {
  const fromFile = file === undefined ? {} : await readRecord(Part, file, KIND);
  const named = action?.toUpperCase().replaceAll("-", "_");
  const words = rationale === undefined ? {} : { [rationaleKey(named)]: rationale };
  const criteria = criterion.length === 0 ? {} : { amended_acceptance_criteria: criterion };
  return { ...fromFile, ...(named === undefined ? {} : { action: named }), ...words, ...criteria };
}

function rationaleKey(action: string | undefined): string {
  if (action === "AMEND_SPEC") return "amendment_rationale";
  return action === "PROVIDE_FIX" ? "fix_description" : "rationale";
}

const EFFECTS: Readonly<Record<ResolutionAction, string>> = {
  APPROVE_OVERRIDE: "ships without the debate's word; the gates still decide (--rationale TEXT)",
  AMEND_SPEC: "begins again with other criteria (--criterion TEXT, twice or more, and --rationale TEXT)",
  SPLIT_TASK: "gives way to smaller tasks (--file FILE)",
  REVISE_PLAN: "begins again with your plan (--file FILE)",
  PROVIDE_FIX: "your files go to the challenger (--file FILE)",
  ABANDON_TASK: "is never done; whoever waits for it needs you as well (--rationale TEXT)",
  ATTEST_SHIPPED: "counts as done because you say so (--rationale TEXT)",
};

/** What each choice does before it is made. */
function renderChoices(task: string, escalation: EscalationArtifact | undefined): string {
  const why =
    escalation === undefined
      ? [`${task} waits behind a task that was abandoned.`]
      : [
          `${task} halted: ${escalation.minimal_decision_required}`,
          ...escalation.failed_invariants.map(({ invariant, evidence }) => `  ✕ ${invariant}: ${evidence}`),
          `Everything: cupel store show ${escalation.escalation_id}`,
        ];
  const choices = ResolutionAction.options.map((action) => {
    const mark = action === escalation?.recommended_resolution ? "*" : " ";
    return ` ${mark} ${action.padEnd(16)} ${EFFECTS[action]}; then ${resolutionEffect(action).to}`;
  });
  return [
    ...why,
    "",
    "You can say (* is what the factory suggests):",
    ...choices,
    "",
    `cupel resolve ${task} --action ACTION …`,
  ]
    .map(oneLine)
    .join("\n");
}
