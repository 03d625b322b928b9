// The specification of a module: its contract, and the examples of the research as code that is run before it ships.
import { z } from "zod";
import { ContractDraft } from "../contract/contract-draft.ts";
import type { MicroModuleContract } from "../contract/contract.ts";
import { Proposal } from "../debate/debate-records.ts";
import { EXAMPLES_FILE, parseExamples } from "../evidence/examples.ts";
import { Text } from "../refs.ts";
import type { ModuleResearch, ResearchExample } from "./module-research.ts";
import { errorOf } from "./research-check.ts";

/** How one example of the research is written as code; what comes of it is the research's word. */
export const SpecExample = z.strictObject({
  of: Text.describe("The name of the example in the research."),
  entry: Text.describe("The entry point that it shows."),
  code: Text.describe(
    "Code as a caller writes it: imports the module by its name and ends in an expression; the values are those of the research.",
  ),
});
export type SpecExample = z.infer<typeof SpecExample>;

export const ModuleSpec = z.strictObject({
  contract: ContractDraft,
  claim: Proposal.shape.claim.describe("Why this contract is what the task needs of the module."),
  acceptance_checks: Proposal.shape.acceptance_checks.describe(
    "For each acceptance criterion that this module serves: the field of the contract that promises it.",
  ),
  examples: z.array(SpecExample).describe("One for each example of the research."),
});
export type ModuleSpec = z.infer<typeof ModuleSpec>;

/** The text of examples.md. */
export function examplesText(spec: Pick<ModuleSpec, "examples">, research: ModuleResearch): string {
  const parts = spec.examples.flatMap(({ of, entry, code }) => {
    const example = research.examples.find(({ name }) => name === of);
    if (example === undefined) return [];
    const { form, text } = shownOutcome(example);
    const blocks = [fenced("ts", code.trim()), fenced(form, text)];
    return [`## ${entry}: ${of}`, sentence(example.why), ...blocks];
  });
  return `${parts.join("\n\n")}\n`;
}

/** Whatever it quotes, it is one line of text: it opens no block and begins no example. */
function sentence(why: string): string {
  const [first = ""] = why.split("```");
  return (
    first
      .replaceAll(/\s+/g, " ")
      .replace(/^[\s#>~-]+/, "")
      .trim() || "The task asks for it."
  );
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** In the form in which examples.md shows it. */
export function shownOutcome({ gives, throws }: Pick<ResearchExample, "gives" | "throws">): {
  form: string;
  text: string;
} {
  if (throws !== null) return { form: "error", text: throws };
  const text = gives ?? "null";
  return { form: isJson(text) ? "json" : "text", text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the specification says what the research found; in words that its author can act on. */
export function specProblems(
  spec: Pick<ModuleSpec, "examples">,
  research: ModuleResearch,
  contract: MicroModuleContract,
): string[] {
  const entries = contract.entry_points.map(({ name }) => name);
  const inputs = contract.inputs.map(({ name }) => name);
  const errors = contract.error_surfaces.map(({ name }) => name);
  const { examples, problems } = parseExamples(examplesText(spec, research));
  const lost = spec.examples.length - examples.length;
  return [
    ...research.examples.flatMap((example) => writtenOnce(example, spec.examples)),
    ...spec.examples.flatMap(({ of, entry }) => [
      ...(research.examples.some(({ name }) => name === of) ? [] : [`the research has no example "${of}"`]),
      ...(entries.includes(entry) ? [] : [`"${of}" shows ${entry}, which is no entry point of the contract`]),
    ]),
    ...research.inputs
      .filter(({ name }) => !inputs.includes(name))
      .map(({ name }) => `inputs: the contract has no ${name}, which the research describes`),
    ...research.examples.flatMap((example) => {
      const error = errorOf(example);
      return error === undefined || errors.includes(error.name)
        ? []
        : [`error_surfaces: the contract has no ${error.name}, which "${example.name}" throws`];
    }),
    ...problems.map(({ line, message }) => `${EXAMPLES_FILE}, line ${line}: ${message}`),
    ...(lost === 0 || problems.length > 0
      ? []
      : [`${EXAMPLES_FILE} reads as ${examples.length} examples: use no fences or headings inside of one`]),
  ];
}

function writtenOnce(example: ResearchExample, written: readonly SpecExample[]): string[] {
  const { name, inputs } = example;
  const mine = written.filter(({ of }) => of === name);
  if (mine.length !== 1) return [`"${name}" of the research is written ${mine.length} times; write it once`];
  const code = dense(mine[0]?.code ?? "");
  return inputs
    .filter(({ value }) => !code.includes(dense(value)))
    .map(
      (input) => `"${name}": the code does not use ${input.value} for ${input.name}, as the research does`,
    );
}

function dense(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
