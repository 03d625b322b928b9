// `cupel ask`: one role asked once; its answer on stdout, what happened on stderr.
import { CupelError } from "../../domain/error.ts";
import { askOnce, listRoles } from "../../factory/ask-once.ts";
import type { AskOnceOptions, RoleListing } from "../../factory/ask-once.ts";
import { EXIT, exitStatusOfCall } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { printJson, printText } from "../output.ts";
import { renderBeginning, renderEnding } from "./ask-text.ts";

export interface AskCommand {
  directory: string;
  list?: boolean;
  input?: string;
  runtime?: string;
  model?: string;
  workspace?: string;
  record?: string;
  replay?: string;
  ignoreInput?: boolean;
  json?: boolean;
}

export async function ask(role: string | undefined, command: AskCommand): Promise<number> {
  const { list = false, json = false, directory } = command;
  if (list) {
    if (json) printJson(listRoles());
    else printText(listRoles().map(renderRole).join("\n"));
    return EXIT.ok;
  }
  const options = checked(role, command);
  const begun = performance.now();
  const { about, outcome } = await askOnce(options, (about) => tell(renderBeginning(about, options.replay)));
  tell(renderEnding(about, outcome, { ms: performance.now() - begun, directory }));
  if (json) printJson({ ...about, ...outcome });
  else if (outcome.kind === "done") printJson(outcome.output);
  return exitStatusOfCall(outcome.kind);
}

/** What does not go together is refused before anything is opened. */
function checked(role: string | undefined, command: AskCommand): AskOnceOptions {
  const { list: _, json: __, input, ...options } = command;
  if (role === undefined) {
    const names = listRoles().map(({ name }) => name);
    throw refusal("no role is named", names.join(", "), "cupel ask --list");
  }
  if (input === undefined) {
    const schema = listRoles().find(({ name }) => name === role)?.input;
    if (schema !== undefined)
      throw refusal(
        `there is nothing to ask the ${role}`,
        "--input FILE, or --input - to read from stdin",
        `cupel schema ${schema} (shows what belongs into it)`,
      );
  }
  const beside = (["runtime", "model"] as const).filter((name) => options[name] !== undefined);
  if (options.replay !== undefined && beside.length > 0) {
    const flags = beside.map((name) => `--${name}`).join(" and ");
    throw refusal(`${flags} would do nothing: a replay plays every role from its script`, "one or the other");
  }
  if (options.ignoreInput === true && options.replay === undefined)
    throw refusal("--ignore-input is about a replay", "--replay FILE");
  return { ...options, role, input: input ?? "", signal: untilInterrupted() };
}

function refusal(message: string, expected: string, hint?: string): CupelError {
  return new CupelError("usage", message, { expected, ...(hint === undefined ? {} : { hint }) });
}

/** The longest name and a gap. */
const WIDTH = 21;

function renderRole({ name, purpose, tier, tools, input }: RoleListing): string {
  const indent = " ".repeat(WIDTH);
  return [
    `${name.padEnd(WIDTH)}${purpose}`,
    `${indent}tier:  ${tier}`,
    `${indent}tools: ${tools.length === 0 ? "none" : tools.join(", ")}`,
    `${indent}input: cupel schema ${input}`,
  ].join("\n");
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
