// Several writers of one kind at the same time: each has its own base and its own attempt, and one that stops is told.
import type { Written } from "../port.ts";
import { workProblems } from "../work-problems.ts";
import type { Ending } from "./state.ts";

interface Authored {
  commits: string[];
  findings: string[];
}

export interface Writers<Work extends Authored, Output> {
  works: readonly Work[];
  /** How often their role was asked before. */
  asked: number;
  todo: string;
  write: (work: Work, attempt: number) => Promise<Written<Output>>;
  /** What its author says about it from now on. */
  said: (work: Work, output: Output, pack: string) => Work;
}

export async function sideBySide<Work extends Authored, Output>({
  works,
  asked,
  todo,
  write,
  said,
}: Writers<Work, Output>): Promise<{ works: Work[]; ending: Ending }> {
  const answers = await Promise.all(works.map((work, index) => write(work, asked + 1 + index)));
  const stopped = answers.flatMap((answer) => (answer.kind === "stopped" ? [answer.stop] : []))[0];
  return {
    works: works.map((work, index) => {
      const answer = answers[index];
      if (answer?.kind !== "answered") return work;
      const told = said(work, answer.output, answer.pack);
      return answer.work.kind === "taken"
        ? { ...told, commits: [...work.commits, answer.work.commit], findings: [] }
        : { ...told, findings: workProblems(answer.work, { todo, standing: work.findings }) };
    }),
    ending: stopped === undefined ? { kind: "done" } : { kind: "stopped", stop: stopped },
  };
}
