// `cupel show`: one question, artifact or module as a person reads it, with what to type next.
import { EscalationArtifact } from "../../domain/people/escalation.ts";
import { SpecReview } from "../../domain/people/spec-decision.ts";
import { kindInWords } from "../../factory/inbox.ts";
import { type Texts, type Thing, thingNamed } from "../../factory/things.ts";
import { type Line, renderLines } from "../lines.ts";
import { printJson, printText } from "../output.ts";
import { escalationLines } from "./escalation-text.ts";
import { reviewLines } from "./spec-review-text.ts";

export async function show(id: string, options: { directory: string; json: boolean }): Promise<void> {
  const thing = await thingNamed(options.directory, id);
  if (options.json) printJson(thing);
  else printText(renderLines(render(thing)));
}

function render(thing: Thing): Line[] {
  switch (thing.kind) {
    case "question":
      return questionLines(thing);
    case "artifact": {
      const { artifact_id, version, status, artifact_type, created_by, created_at } = thing.envelope;
      const head = `${artifact_id}@${version}  ${artifact_type} ${status}, by the ${created_by.role}, ${created_at}`;
      return [{ bold: head }, ...fileLines(thing.files)];
    }
    case "module": {
      const since = thing.sealedAt === null ? "open" : `sealed ${thing.sealedAt}`;
      return [
        { bold: `${thing.ref}  ${since}` },
        ...fileLines(thing.files),
        "",
        ...(thing.report === null ? [] : [`How it was made: cupel show ${thing.report}`]),
        `Next: cupel index show ${thing.ref}`,
      ];
    }
  }
}

function questionLines({ question, answer, files }: Extract<Thing, { kind: "question" }>): Line[] {
  const { id, kind, title, askedAt, answerSchema } = question;
  const state =
    answer === null
      ? `waits since ${askedAt}`
      : `answered by ${answer.by}, ${answer.answeredAt}: ${JSON.stringify(answer.answer)}`;
  const head: Line[] = [{ bold: `${id}  ${kindInWords(kind)}` }, title, state, ""];
  const review = SpecReview.safeParse(question.body);
  if (review.success)
    return [
      ...textLines(files["spec.md"] ?? ""),
      "",
      ...head,
      ...reviewLines(review.data, id, answer === null),
    ];
  const escalation = EscalationArtifact.safeParse(question.body);
  if (escalation.success) return [...head, ...escalationLines(escalation.data, answer === null)];
  return [
    ...head,
    ...textLines(JSON.stringify(question.body, null, 2)),
    "",
    `It is answered by: cupel schema ${answerSchema}`,
  ];
}

/** What is made for people comes first, and alone. */
function fileLines(files: Texts): Line[] {
  const paths = Object.keys(files);
  const readable = paths.filter((path) => path.endsWith(".md"));
  return (readable.length > 0 ? readable : paths).flatMap((path): Line[] => [
    "",
    { bold: path },
    ...(files[path] == null ? ["(no text)"] : textLines(files[path])),
  ]);
}

function textLines(text: string): string[] {
  return text.trimEnd().split("\n");
}
