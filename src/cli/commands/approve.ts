// `cupel approve`: a person's decision about a specification.
import { readFileSync } from "node:fs";
import { hasCode } from "../../domain/environment-error.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { SpecDecision } from "../../domain/people/spec-decision.ts";
import { amendmentPoints } from "../../domain/product/amendment-points.ts";
import { decideSpec } from "../../factory/inbox.ts";
import { count, oneLine, printJson, printText } from "../output.ts";
import { nameOfPerson } from "../person.ts";

export interface ApproveCommand {
  directory: string;
  json: boolean;
  amend?: string;
  amendFile?: string;
  reject?: string;
  /** In whose name. */
  as?: string;
}

export async function approve(id: string | undefined, command: ApproveCommand): Promise<void> {
  const decision = decisionOf(command);
  const { question, answer } = await decideSpec(
    command.directory,
    id,
    decision,
    command.as ?? nameOfPerson(),
  );
  if (command.json) {
    const { by, answeredAt } = answer;
    printJson({ id: question.id, decision, by, answeredAt });
    return;
  }
  printText(`${sentence(decision, question.id)}, by ${oneLine(answer.by)}.\nNext: cupel run`);
}

function decisionOf({ amend, amendFile, reject }: ApproveCommand): SpecDecision {
  const given = Object.entries({ "--amend": amend, "--amend-file": amendFile, "--reject": reject });
  const flags = given.flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (flags.length > 1) {
    throw new CupelError("usage", `${flags.join(" and ")} do not go together`, { expected: "one decision" });
  }
  const feedback = amendFile === undefined ? amend : textIn(amendFile);
  if (feedback !== undefined) return checked({ action: "AMEND", feedback }, "what should be changed");
  if (reject !== undefined) return checked({ action: "REJECT", reasons: reject }, "the reason");
  return { action: "APPROVE" };
}

function checked(decision: SpecDecision, what: string): SpecDecision {
  const [text = ""] = Object.values(decision).slice(1);
  if (text.trim() === "") {
    throw new CupelError("usage", `${what} is empty`, {
      expected: "a sentence or more; the agents work with it",
      hint: "cupel approve --amend 'what should be different'",
    });
  }
  return parseOrThrow(SpecDecision, decision, "the decision");
}

/** `-` is the standard input. */
function textIn(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    const why = hasCode(cause, "ENOENT") ? `there is no file ${file}` : `${file} cannot be read`;
    throw new CupelError("not_found", why, { expected: "a text with what should be changed", cause });
  }
}

function sentence(decision: SpecDecision, id: string): string {
  switch (decision.action) {
    case "APPROVE":
      return `${id} is approved`;
    case "REJECT":
      return `${id} is rejected; it begins anew with your reasons`;
    case "AMEND":
      return `${id} is to be amended in ${count(amendmentPoints(decision.feedback).length, "point")}; the draft is kept`;
  }
}
