// `cupel index search`: finds shipped modules by what they do.
import { parseOrThrow } from "../../domain/parse.ts";
import { CodeIndexQuery } from "../../domain/plan/reuse.ts";
import type { CodeIndexHit } from "../../domain/plan/reuse.ts";
import { openCodeIndex } from "../../factory/code-index.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";

export interface SearchCommand {
  directory: string;
  json: boolean;
  words: string[];
  tags: string[];
  inputTypes: string[];
  outputTypes: string[];
  all: boolean;
  top: string | undefined;
}

export async function search(command: SearchCommand): Promise<void> {
  const { directory, json, words, tags, inputTypes, outputTypes, all, top } = command;
  const query = parseOrThrow(
    CodeIndexQuery,
    {
      query: words.join(" "),
      tags,
      input_types: inputTypes,
      output_types: outputTypes,
      include_inactive: all,
      ...(top === undefined ? {} : { top_k: Number(top) }),
    },
    "the search",
  );
  const { index, close } = await openCodeIndex({ directory, env: process.env });
  try {
    const hits = await index.search(query);
    if (json) printJson(hits);
    else printText(hits.length === 0 ? advice(await index.size(), query) : hits.map(rendered).join("\n"));
  } finally {
    close();
  }
}

function rendered({
  similarity_score,
  module_id,
  version,
  name,
  purpose,
  io_summary,
  tags,
  ...rest
}: CodeIndexHit): string {
  const colors = colorsFor(process.stdout);
  const status = rest.status === "SHIPPED" ? "" : `  ${colors.yellow(statusOf(rest))}`;
  const signature = `${listed(io_summary.inputs)} → ${listed(io_summary.outputs)}`;
  return [
    `${similarity_score.toFixed(2)}  ${colors.bold(`${module_id}@${version}`)}  ${short(name)}${status}`,
    `      ${short(purpose)}`,
    `      ${colors.dim(short(signature))}`,
    ...(tags.length === 0 ? [] : [`      ${colors.dim(short(tags.join(", ")))}`]),
  ].join("\n");
}

function statusOf({ status, superseded_by }: Pick<CodeIndexHit, "status" | "superseded_by">): string {
  return superseded_by === undefined ? status : `${status} by ${superseded_by}`;
}

function listed(lines: readonly string[]): string {
  return lines.length === 0 ? "nothing" : lines.join(", ");
}

/** As wide as the screen, or what still reads well in a file. */
function short(text: string): string {
  const line = oneLine(text.replaceAll(/\s+/g, " "));
  const width = Math.max(40, (process.stdout.columns ?? 120) - 6);
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

function advice(
  size: number,
  { tags = [], input_types = [], output_types = [], include_inactive }: CodeIndexQuery,
): string {
  if (size === 0) {
    return [
      "The Code Index is empty: a module comes into it when it ships.",
      "If modules have shipped here already (cupel store ls modules), cupel index reindex adds them.",
    ].join("\n");
  }
  const filters = [
    ...tags.map((tag) => `--tag ${tag}`),
    ...input_types.map((type) => `--input-type ${type}`),
    ...output_types.map((type) => `--output-type ${type}`),
  ];
  const fewer = filters.length === 0 ? [] : [`Leave out some of ${oneLine(filters.join(" "))}.`];
  const all = include_inactive ? [] : ["--all also finds modules that were deprecated or superseded."];
  return [`None of ${size} modules passes the filters.`, ...fewer, ...all].join("\n");
}
