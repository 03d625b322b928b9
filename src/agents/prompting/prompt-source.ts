// Where prompts come from: the package's own, unless the project has one of the same name; partials are put in here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasCode } from "../../domain/environment-error.ts";
import { CupelError } from "../../domain/error.ts";
import type { TemplateText } from "./template.ts";

/** The text of a template by its name, such as `proposer.jinja`, and how to name it in errors. */
export type PromptSource = (name: string) => { text: string; file: string } | undefined;

/** The prompts that Cupel brings. */
export const packagedPrompts: PromptSource = promptsIn(
  fileURLToPath(new URL("../../../prompts", import.meta.url)),
  "prompts",
);

export function promptsIn(directory: string, shownAs: string = directory): PromptSource {
  return (name) => {
    try {
      return { text: readFileSync(join(directory, name), "utf8"), file: `${shownAs}/${name}` };
    } catch (cause) {
      if (hasCode(cause, "ENOENT", "ENOTDIR")) return undefined;
      throw cause;
    }
  };
}

/** The first that has it. */
export function firstOf(...sources: readonly PromptSource[]): PromptSource {
  return (name) => {
    for (const source of sources) {
      const found = source(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

const NAME = /^[a-z0-9_-]+(\/[a-z0-9_-]+)?\.jinja$/;
const INCLUDE = /^\s*\{%-?\s*include\s+"([^"]*)"\s*-?%\}\s*$/;
const DEEPEST = 5;

/** A template with every `{% include "…" %}`, which stands on a line of its own, replaced by what it names. */
export function loadTemplate(source: PromptSource, name: string): TemplateText {
  return { lines: linesOf(source, name, []) };
}

function linesOf(source: PromptSource, name: string, within: readonly string[]): TemplateText["lines"] {
  const by = within.length === 0 ? "" : `, which ${within.at(-1)} includes,`;
  if (!NAME.test(name)) {
    throw new CupelError("invalid_input", `"${name}"${by} cannot be the name of a template`, {
      expected: "a name such as proposer.jinja or partials/answer.jinja",
    });
  }
  if (within.length >= DEEPEST || within.includes(name)) {
    throw new CupelError("invalid_input", `templates include each other: ${[...within, name].join(" → ")}`);
  }
  const found = source(name);
  if (found === undefined) {
    throw new CupelError("not_found", `there is no template ${name}${by.replace(/,$/, "")}`, {
      hint: `write it to cupel/prompts/${name}`,
    });
  }
  const lines = found.text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  return lines.flatMap((text, index) => {
    const included = INCLUDE.exec(text)?.[1];
    if (included !== undefined) return linesOf(source, included, [...within, name]);
    return [{ text, file: found.file, line: index + 1 }];
  });
}
