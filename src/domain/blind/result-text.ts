// What came of a module in the blind protocol, as a person reads it.
import type { HybridResult } from "./hybrid-result.ts";
import { workItems } from "./hybrid-result.ts";
import type { Sentence } from "./witness.ts";

export function resultText(result: HybridResult): string {
  const { module, shipped, halted, witness } = result;
  const items = workItems(result);
  const sections = [
    `# ${module}: ${shipped === null ? "halted" : `shipped as ${shipped}`}`,
    ...(halted === null ? [] : [`The question: ${halted}`]),
    facts(result).join("\n"),
    ...section("What happened", witness.narrative.map(cited)),
    ...section("What worried", witness.concerns.map(cited)),
    ...section("What could be better", witness.suggestions.map(cited)),
    ...section(
      "What is left to do",
      items.map(({ kind, about, todo }) => `${kind}: ${about}. ${todo}`),
    ),
  ];
  return `${sections.join("\n\n")}\n`;
}

function facts(result: HybridResult): string[] {
  const { coverage, typeAdversary, mutationAdversary, blindness, understanding, echoesDropped } = result;
  const fixes = understanding.tried.length;
  return [
    `- types: ${typeAdversary?.verdict ?? "not attacked"}, ${typeAdversary?.fixed.length ?? 0} holes closed on the way`,
    coverage === null
      ? "- tests: not verified"
      : `- tests: ${coverage.functionsCovered.length} functions, ${coverage.sketchesCovered.length} of ${coverage.sketchesCovered.length + coverage.sketchesUncovered.length} sketches and ${coverage.examplesCovered} of ${coverage.examplesTotal} examples covered`,
    `- suite: ${mutationAdversary?.verdict ?? "no mutants"}, ${mutationAdversary?.survivors.length ?? 0} survivors`,
    `- fixes: ${fixes}`,
    `- barrier: ${blindness === null ? "not certified" : `${blindness.result} (${blindness.barrier})`}, ${echoesDropped} echoes dropped`,
    `- cost: ${result.totalCost === "unknown" ? "unknown" : `$${result.totalCost.toFixed(4)}`}`,
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`];
}

function cited({ text, events }: Sentence): string {
  return `${text} [${events.join(", ")}]`;
}
