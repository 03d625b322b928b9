// `cupel inbox`: everything that waits for a person, in one place.
import { kindInWords, openQuestions } from "../../factory/inbox.ts";
import { colorsFor, count, oneLine, printJson, printText } from "../output.ts";

export async function inbox(options: { directory: string; json: boolean }): Promise<void> {
  const questions = await openQuestions(options.directory);
  if (options.json) {
    printJson(
      questions.map(({ id, kind, runId, title, answerSchema, askedAt }) => ({
        id,
        kind,
        runId,
        title,
        answerSchema,
        askedAt,
      })),
    );
    return;
  }
  const colors = colorsFor(process.stdout);
  if (questions.length === 0) {
    printText("Nothing waits for you.");
    return;
  }
  const [first] = questions;
  printText(
    [
      `${count(questions.length, "thing")} ${questions.length === 1 ? "waits" : "wait"} for you, the oldest first:`,
      ...questions.map(
        ({ id, kind, title, askedAt }) =>
          `  ${colors.bold(id.padEnd(14))} ${kindInWords(kind).padEnd(30)} ${oneLine(title)} ${colors.dim(`(since ${askedAt})`)}`,
      ),
      `Next: cupel show ${first?.id ?? "ID"}`,
    ].join("\n"),
  );
}
