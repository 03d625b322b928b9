// `cupel trial corpus`: the tasks that a corpus has, and which of its exercises are left out and why.
import { readCorpus } from "../../trial/corpus/corpora.ts";
import { count, oneLine, printJson, printText } from "../output.ts";

export async function trialCorpus(corpus: string, json: boolean): Promise<void> {
  const { tasks, leftOut } = await readCorpus(corpus);
  if (json) {
    printJson({ corpus, tasks: tasks.map(({ id, area, title }) => ({ id, area, title })), leftOut });
    return;
  }
  const lines = [
    ...tasks.map(({ id, title }) => `${id.padEnd(28)} ${title}`),
    ...(leftOut.length === 0 ? [] : ["", "Left out:"]),
    ...leftOut.map(({ exercise, why }) => `${exercise.padEnd(28)} ${why}`),
    "",
    `${count(tasks.length, "task")}, ${leftOut.length} left out.`,
  ];
  printText(lines.map(oneLine).join("\n"));
}
