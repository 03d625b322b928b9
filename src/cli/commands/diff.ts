// `cupel diff`: what differs between two drafts of the specification.
import { renderDifference } from "../../domain/product/spec-difference.ts";
import { diffDrafts } from "../../factory/spec-drafts.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";

export async function diff(
  before: string | undefined,
  after: string | undefined,
  { directory, json }: { directory: string; json: boolean },
): Promise<void> {
  const difference = await diffDrafts(directory, before, after);
  if (json) {
    printJson(difference);
    return;
  }
  const { changes } = difference;
  const lines = changes.length === 0 ? ["nothing differs"] : coloured(renderDifference(changes));
  printText([`${difference.before} → ${difference.after}`, ...lines].join("\n"));
}

/** As renderDifference wrote them. */
export function coloured(lines: readonly string[]): string[] {
  const colors = colorsFor(process.stdout);
  const by: Readonly<Record<string, (text: string) => string>> = {
    "+": colors.green,
    "-": colors.red,
    "~": colors.yellow,
  };
  return lines.map((line) => (by[line.charAt(0)] ?? String)(oneLine(line)));
}
