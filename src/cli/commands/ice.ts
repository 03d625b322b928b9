// `cupel ice`: requests for another contract that wait for a person, and that person's decision.
import { CupelError } from "../../domain/error.ts";
import { openChanges, type OpenChange } from "../../factory/open-changes.ts";
import { projectAround } from "../../factory/project.ts";
import { decideChange } from "../../factory/resolve-task.ts";
import { EXIT } from "../exit-codes.ts";
import { oneLine, printJson, printText } from "../output.ts";
import { nameOfPerson } from "../person.ts";

export interface IceCommand {
  directory: string;
  approve?: boolean;
  reject?: string;
  requeue?: boolean;
  defer?: boolean;
  json: boolean;
}

export async function ice(id: string | undefined, command: IceCommand): Promise<number> {
  const project = projectAround(command.directory);
  const decision = decisionOf(id, command);
  if (decision === undefined) {
    const open = (await openChanges(project)).filter((each) => id === undefined || each.id === id);
    if (command.json) printJson(open);
    else printText(open.length === 0 ? "No request waits for you." : open.map(render).join("\n\n"));
    return EXIT.ok;
  }
  const { task } = await decideChange(project, decision, nameOfPerson());
  if (command.json) printJson({ task, decision });
  else printText(`Noted for ${task}.\nNext: cupel run --resume (carries it out)`);
  return EXIT.ok;
}

function decisionOf(id: string | undefined, { approve, reject, requeue, defer }: IceCommand): unknown {
  const said = [approve === true, reject !== undefined, defer === true].filter(Boolean).length;
  if (said === 0) return undefined;
  if (said > 1 || id === undefined) {
    throw new CupelError("usage", "a decision is one word about one request", {
      expected: "cupel ice ID with --approve, --reject REASON or --defer",
      hint: "cupel ice",
    });
  }
  if (approve === true) return { decision: "APPROVE_CHANGE", exception_id: id };
  if (defer === true) return { decision: "DEFER", exception_id: id };
  return { decision: "REJECT_CHANGE", exception_id: id, reason: reject, requeue: requeue === true };
}

function render({ id, task, target, reason, evidence, compatibility, urgency }: OpenChange): string {
  return [
    `${id}  ${task} needs another contract of ${target} (${compatibility}, ${urgency})`,
    `  ${reason}`,
    ...evidence.map((each) => `  - ${each}`),
    `  cupel store show ${id}   shows the change`,
    `  cupel ice ${id} --approve | --reject REASON [--requeue] | --defer`,
  ]
    .map(oneLine)
    .join("\n");
}
