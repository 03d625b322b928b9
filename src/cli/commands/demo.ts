// `cupel demo`: a small product from its SPEC.md to the last module, with scripted agents; whoever is asked decides.
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { openDemo, PREPARED_ANSWER, REPORT, testDemo } from "../../factory/demo-project.ts";
import { openQuestions } from "../../factory/inbox.ts";
import type { Question } from "../../store/port.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, oneLine } from "../output.ts";
import { approve } from "./approve.ts";
import {
  approvalLines,
  demoCommand,
  type Act,
  endLines,
  haltLines,
  INTRODUCTION,
  narrator,
  ACTS,
} from "./demo-text.ts";
import { report } from "./report.ts";
import { resolve } from "./resolve.ts";
import { run } from "./run.ts";

export interface DemoCommand {
  dir?: string;
  yes?: boolean;
  quiet?: boolean;
}

/** Where the story stands is in the store, so the same command goes on after anything. */
export async function demo(command: DemoCommand): Promise<number> {
  const { directory, begun } = await openDemo(command.dir);
  const quiet = command.quiet === true;
  const tell = (lines: readonly string[]): void => {
    if (!quiet) for (const line of lines) process.stderr.write(`${oneLine(line)}\n`);
  };
  tell(INTRODUCTION(directory, begun));
  const narrate = narrator((act) => tell(headed(act)));
  for (let first = !begun; ; first = false) {
    if (first) tell(headed(ACTS.specification));
    tell(["", first ? "$ cupel run" : "$ cupel run --resume"]);
    const status = await run({ directory, quiet, input: false, ...(quiet ? {} : { narrate }) });
    const [question] = await openQuestions(directory);
    if (status === EXIT.ok) return finish(directory, tell);
    const waits = status === EXIT.awaitingPerson || status === EXIT.halted;
    if (!waits || question === undefined) return goOnLater(directory, status);
    if (!(await decide(directory, question, command, tell))) return goOnLater(directory, status);
  }
}

function headed({ title, lines }: Act): string[] {
  const { bold } = colorsFor(process.stderr);
  // What colours it is ours; what it says is checked line by line.
  process.stderr.write(`\n${bold(oneLine(title))}\n`);
  return lines.map((line) => `  ${line}`);
}

/** False: nobody decided. */
async function decide(
  directory: string,
  question: Question,
  command: DemoCommand,
  tell: (lines: readonly string[]) => void,
): Promise<boolean> {
  const task = question.kind === "escalation" ? taskIn(question) : undefined;
  if (task === undefined) {
    tell([...headed(ACTS.approval), ...approvalLines(question)]);
    if (!(await agreed("Approve it? [Y/n] ", command))) return false;
    tell(["", `$ cupel approve ${question.id}`]);
    await approve(question.id, { directory, json: false });
    return true;
  }
  tell([...headed(ACTS.resolution), ...haltLines(directory, question)]);
  if (!(await agreed("Say that? [Y/n] ", command))) return false;
  tell(["", `$ cupel resolve ${task} --file ${PREPARED_ANSWER}`]);
  const file = join(directory, PREPARED_ANSWER);
  await resolve(task, { directory, file, criterion: [], json: false });
  return true;
}

function taskIn({ body }: Question): string | undefined {
  const task: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "task_id") : undefined;
  return typeof task === "string" ? task : undefined;
}

async function agreed(words: string, { yes = false, quiet = false }: DemoCommand): Promise<boolean> {
  if (yes) {
    if (!quiet) process.stderr.write(`  ${words}yes (--yes says it for you)\n`);
    return true;
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(y(es)?)?$/i.test((await terminal.question(`  ${words}`)).trim());
  } finally {
    terminal.close();
  }
}

function goOnLater(directory: string, status: number): number {
  const waits = status === EXIT.awaitingPerson || status === EXIT.halted;
  const why = waits
    ? "The demo waits for a person, and nobody has said yes."
    : "The demo did not get to its end.";
  process.stderr.write(`\n${why}\nTo go on: ${oneLine(demoCommand(directory))}\n`);
  return waits ? EXIT.awaitingPerson : status;
}

async function finish(directory: string, tell: (lines: readonly string[]) => void): Promise<number> {
  tell([...headed(ACTS.report), "", `$ cupel report --out ${REPORT}`]);
  await report({ directory, out: join(directory, REPORT) });
  tell([...headed(ACTS.tests), "", "$ npm test"]);
  const tested = await testDemo(directory, untilInterrupted());
  for (const line of tested.stdout.trim().split("\n")) process.stdout.write(`${oneLine(line)}\n`);
  if (tested.kind !== "exited" || tested.code !== 0) {
    process.stderr.write(
      `${oneLine(tested.stderr.trim())}\nThe product's tests did not pass: ${tested.kind}\n`,
    );
    return EXIT.gatesFailed;
  }
  tell(endLines(directory));
  return EXIT.ok;
}
