// The specification of a builtin task as an engineer reads it.
import type { CaseExample } from "../../simulator/port.ts";
import type { EntrySketch } from "../../simulator/cases/module-sketch.ts";

export interface SpecParts {
  title: string;
  purpose: string;
  entries: readonly EntrySketch[];
  constraints: readonly { id: string; text: string }[];
  examples: readonly CaseExample[];
}

const CLASSES = "Each is an exported class that extends `Error`, unless the language has it already.";

export function specOf({ title, purpose, entries, constraints, examples }: SpecParts): string {
  const errors = entries.flatMap((each) =>
    each.errors.map(({ name, when }) => `- \`${each.entry}\` throws \`${name}\` when ${when}`),
  );
  const effects = entries.flatMap((each) =>
    (each.effects ?? []).map(({ type, target, description }) => `- ${type} ${target}: ${description}`),
  );
  const sections = [
    [`# ${title}`],
    [purpose],
    ["## Entry points"],
    entries.map(({ entry, signature }) => `- \`${entry}: ${signature}\``),
    ["## What must hold"],
    constraints.map(({ id, text }) => `- ${id}: ${text}`),
    ["## Errors"],
    errors.length === 0 ? ["None: every input has a result."] : [...errors, "", CLASSES],
    ["## Effects"],
    effects.length === 0 ? ["None."] : effects,
    ["## Examples"],
    examples.map(
      ({ call, gives, throws }) =>
        `- \`${call.replaceAll(/\s*\n\s*/g, " ")}\` ${throws === null ? `gives \`${gives}\`` : `throws \`${throws}\``}`,
    ),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
