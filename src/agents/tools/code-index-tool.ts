// Searching the Code Index; the search itself is handed in.
import { CodeIndexQuery, type CodeIndexHit } from "../../domain/plan/reuse.ts";
import type { AgentTool } from "../port.ts";
import { defineTool } from "./define-tool.ts";

export type SearchCodeIndex = (
  query: CodeIndexQuery,
  signal: AbortSignal,
) => Promise<readonly CodeIndexHit[]>;

export function searchCodeIndexTool(search: SearchCodeIndex): AgentTool {
  return defineTool({
    name: "search_code_index",
    description:
      "Finds shipped modules by what they do. Say in `query` in plain words what you need done, not how; results come " +
      "best first with their contracts in short. Search before you build anything, in two or three wordings. A module " +
      "that fits is used through its contract; its code is closed to you.",
    input: CodeIndexQuery,
    narrow: "ask for a smaller top_k, or filter by tags or types",
    async run(query, signal) {
      const hits = await search(query, signal);
      if (hits.length === 0)
        return "No shipped module was found. Try other words or fewer filters before you conclude that there is none.";
      return hits.map(rendered).join("\n\n");
    },
  });
}

function rendered(hit: CodeIndexHit): string {
  const { inputs, outputs, error_surfaces, effects, modes } = hit.io_summary;
  const lines = [
    `${hit.module_id}@${hit.version} ${hit.name} (${hit.status}, similarity ${hit.similarity_score.toFixed(2)})`,
    `  purpose: ${hit.purpose}`,
    `  inputs: ${list(inputs)}`,
    `  outputs: ${list(outputs)}`,
    `  errors: ${list(error_surfaces)}`,
    `  effects: ${list(effects)}`,
    `  modes: ${list(modes)}`,
    `  tags: ${list(hit.tags)}`,
  ];
  if (hit.superseded_by !== undefined) lines.push(`  replaced by: ${hit.superseded_by}`);
  if (hit.notes.trim() !== "") lines.push(`  notes: ${hit.notes}`);
  return lines.join("\n");
}

function list(entries: readonly string[]): string {
  return entries.length === 0 ? "none" : entries.join("; ");
}
