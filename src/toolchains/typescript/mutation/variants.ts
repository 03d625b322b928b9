// Every mutant of a module as a copy of its own: whoever wants code with a real mistake takes one of them.
import type { Site, Variant } from "../../port.ts";
import { inTurn } from "../in-turn.ts";
import { instrument } from "./instrument.ts";
import type { Place, Position } from "./place.ts";

export async function variants(site: Site): Promise<Variant[]> {
  const instrumented = await inTurn(() => instrument(site), "first");
  if (instrumented.kind === "impossible") return [];
  const files = site.files();
  return instrumented.mutants.map(({ kind, file, replacement, place }) => ({
    kind,
    replacement,
    edits: { [file]: replaced(files[file] ?? "", place, replacement) },
  }));
}

function replaced(text: string, { start, end }: Place, by: string): string {
  const lines = text.split("\n");
  const before = [...lines.slice(0, start.line), cut(lines, start)[0]].join("\n");
  const after = [cut(lines, end)[1], ...lines.slice(end.line + 1)].join("\n");
  return before + by + after;
}

function cut(lines: readonly string[], { line, column }: Position): [string, string] {
  const text = lines[line] ?? "";
  return [text.slice(0, column), text.slice(column)];
}
