// `cupel demo`: a small product from its SPEC.md to the last module, with scripted agents; whoever is asked decides.
import { join } from "node:path";
import { openDemo, PREPARED_ANSWER, REPORT, testDemo } from "../../factory/demo-project.ts";
import { openQuestions } from "../../factory/inbox.ts";
import { taskOf } from "../../factory/resolve-task.ts";
import type { Question } from "../../store/port.ts";
import { askPerson } from "../ask-person.ts";
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
  introduction,
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
  const stage = stageFor(quiet);
  stage.say(introduction(directory, begun));
  const narrate = narrator((act) => stage.act(act));
  for (let first = !begun; ; first = false) {
    if (first) stage.act(ACTS.specification);
    stage.say(["", first ? "$ cupel run" : "$ cupel run --resume"]);
    const status = await run({ directory, quiet, input: false, narrate });
    if (status === EXIT.ok) return finish(directory, stage);
    const [question] = waitsForPerson(status) ? await openQuestions(directory) : [];
    const decided = question !== undefined && (await decide(directory, question, command, stage));
    if (!decided) return goOnLater(directory, status);
  }
}

/** Where it is told, if anybody wants to hear it. */
interface Stage {
  act(act: Act): void;
  say(lines: readonly string[]): void;
}

function stageFor(quiet: boolean): Stage {
  const { bold } = colorsFor(process.stderr);
  if (quiet) return { act: () => undefined, say: () => undefined };
  return {
    act({ title, lines }) {
      write(`\n${bold(title)}`);
      for (const line of lines) write(`  ${line}`);
    },
    say(lines) {
      for (const line of lines) write(oneLine(line));
    },
  };
}

function write(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** False: nobody decided. */
async function decide(
  directory: string,
  question: Question,
  command: DemoCommand,
  stage: Stage,
): Promise<boolean> {
  const task = question.kind === "escalation" ? taskOf(question) : undefined;
  if (task === undefined) {
    stage.act(ACTS.approval);
    stage.say(approvalLines(question));
    if (!(await agreed("Approve it? [Y/n] ", command))) return false;
    stage.say(["", `$ cupel approve ${question.id}`]);
    await approve(question.id, { directory, json: false });
    return true;
  }
  stage.act(ACTS.resolution);
  stage.say(haltLines(directory, question));
  if (!(await agreed("Say that? [Y/n] ", command))) return false;
  stage.say(["", `$ cupel resolve ${task} --file ${PREPARED_ANSWER}`]);
  const file = join(directory, PREPARED_ANSWER);
  await resolve(task, { directory, file, criterion: [], json: false });
  return true;
}

async function agreed(words: string, { yes = false, quiet = false }: DemoCommand): Promise<boolean> {
  if (yes) {
    if (!quiet) process.stderr.write(`  ${words}yes (--yes says it for you)\n`);
    return true;
  }
  return (await askPerson(`  ${words}`, true)) ?? false;
}

function waitsForPerson(status: number): boolean {
  return status === EXIT.awaitingPerson || status === EXIT.halted;
}

function goOnLater(directory: string, status: number): number {
  const waits = waitsForPerson(status);
  const why = waits
    ? "The demo waits for a person, and nobody has said yes."
    : "The demo did not get to its end.";
  process.stderr.write(`\n${why}\nTo go on: ${oneLine(demoCommand(directory))}\n`);
  return waits ? EXIT.awaitingPerson : status;
}

async function finish(directory: string, stage: Stage): Promise<number> {
  stage.act(ACTS.report);
  stage.say(["", `$ cupel report --out ${REPORT}`]);
  await report({ directory, out: join(directory, REPORT) });
  stage.act(ACTS.tests);
  stage.say(["", "$ npm test"]);
  const tested = await testDemo(directory, untilInterrupted());
  for (const line of tested.stdout.trim().split("\n")) process.stdout.write(`${oneLine(line)}\n`);
  if (tested.kind !== "exited" || tested.code !== 0) {
    process.stderr.write(
      `${oneLine(tested.stderr.trim())}\nThe product's tests did not pass: ${tested.kind}\n`,
    );
    return EXIT.gatesFailed;
  }
  stage.say(endLines(directory));
  return EXIT.ok;
}
