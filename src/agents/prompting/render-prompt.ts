// Turns a role's template and its checked input into what the agent is told: who it is, and what to do now.
import { CupelError } from "../../domain/error.ts";
import type { RoleDefinition } from "../port.ts";
import { loadTemplate, type PromptSource } from "./prompt-source.ts";
import { renderTemplate, type TemplateText } from "./template.ts";
import { fencedInput } from "./untrusted.ts";

export interface Prompt {
  system: string;
  prompt: string;
}

/** What every template can use besides its role's input and facts. */
export interface CallFacts {
  attempt: number;
  attempts: number;
}

/** Names that no input and no fact may have. */
export const OWN_NAMES = ["role", "tools", "attempt", "attempts", "last_attempt", "may_retry"];

export function renderPrompt(
  role: RoleDefinition,
  input: Readonly<Record<string, unknown>>,
  call: CallFacts,
  source: PromptSource,
): Prompt {
  const [system, task] = halves(loadTemplate(source, `${templateOf(role)}.jinja`), templateOf(role));
  const last = call.attempt === call.attempts;
  const context = {
    ...fencedInput(role.input, input),
    ...role.facts,
    role: role.name,
    tools: role.tools,
    attempt: call.attempt,
    attempts: call.attempts,
    last_attempt: last,
    may_retry: role.retries === true && !last,
  };
  return { system: tidy(renderTemplate(system, context)), prompt: tidy(renderTemplate(task, context)) };
}

export function templateOf({ name, prompt }: Pick<RoleDefinition, "name" | "prompt">): string {
  return prompt ?? name;
}

const DIVIDER = /^\s*\{#-?\s*task\s*-?#\}\s*$/;

/** Divided before anything is rendered, so that no value can move the line between the two. */
function halves({ lines }: TemplateText, role: string): [TemplateText, TemplateText] {
  const dividers = lines.filter(({ text }) => DIVIDER.test(text)).length;
  const at = lines.findIndex(({ text }) => DIVIDER.test(text));
  if (dividers !== 1) {
    throw new CupelError("invalid_input", `${lines[0]?.file ?? role} has ${dividers} lines {# task #}`, {
      expected: "one line {# task #} between who the agent is and what it is to do now",
      hint: `look at prompts/${role}.jinja in Cupel`,
    });
  }
  return [{ lines: lines.slice(0, at) }, { lines: lines.slice(at + 1) }];
}

/** What stands between two conditions must not become a hole in the text; what is fenced is left as it is. */
function tidy(text: string): string {
  const parts = text.split(/(<untrusted name="[^"]*" id="([0-9a-f]{16})">\n[\s\S]*?\n<\/untrusted id="\2">)/);
  return parts
    .map((part, index) =>
      index % 3 === 0 ? part.replaceAll(/\n{3,}/g, "\n\n") : index % 3 === 1 ? part : "",
    )
    .join("")
    .trim();
}
