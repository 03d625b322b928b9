// Lines of a text for a person: headings of ours, and words of others that can steer nothing.
import { colorsFor, oneLine } from "./output.ts";

export type Line = string | { bold: string };

export function renderLines(lines: readonly Line[]): string {
  const { bold } = colorsFor(process.stdout);
  return lines
    .map((line) => (typeof line === "string" ? oneLine(line) : bold(oneLine(line.bold))))
    .join("\n");
}
