// `cupel index show`: everything that the Code Index knows about one module.
import { CupelError } from "../../domain/error.ts";
import { nearest } from "../../domain/nearest.ts";
import type { CodeIndexEntry } from "../../domain/plan/reuse.ts";
import type { CodeIndex } from "../../code-index/port.ts";
import { openCodeIndex } from "../../factory/code-index.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";

/** Without a version: the newest. */
export async function show(
  ref: string,
  { directory, json }: { directory: string; json: boolean },
): Promise<void> {
  const { index, close } = await openCodeIndex({ directory, env: process.env });
  try {
    const entry = await find(index, ref);
    const dependents = await index.dependents(refOf(entry));
    if (json) printJson(entry);
    else printText(rendered(entry, dependents.map(refOf)));
  } finally {
    close();
  }
}

async function find(index: CodeIndex, ref: string): Promise<CodeIndexEntry> {
  const [moduleId = "", version] = ref.split("@");
  const versions = await index.list({ moduleId });
  const entry = version === undefined ? versions.at(-1) : versions.find((each) => each.version === version);
  if (entry !== undefined) return entry;
  const known =
    versions.length > 0 ? versions.map(refOf) : (await index.list()).map(({ module_id }) => module_id);
  const meant = nearest(versions.length > 0 ? ref : moduleId, known);
  throw new CupelError("not_found", `${JSON.stringify(ref)} is not in the Code Index`, {
    expected:
      versions.length > 0 ? `one of ${known.join(", ")}` : "a module that shipped, such as MM-slugify@1.0.0",
    hint: meant === undefined ? "cupel index search WORDS" : `cupel index show ${meant}`,
  });
}

function rendered(entry: CodeIndexEntry, dependents: readonly string[]): string {
  const colors = colorsFor(process.stdout);
  const { inputs, outputs, error_surfaces, effects, modes } = entry.io_summary;
  const { status, superseded_by, notes } = entry;
  const lines: [string, readonly string[]][] = [
    ["status", [superseded_by === undefined ? status : `${status} by ${superseded_by}`]],
    ["purpose", [entry.purpose]],
    ["tags", entry.tags.length === 0 ? [] : [entry.tags.join(", ")]],
    ["inputs", inputs],
    ["outputs", outputs],
    ["errors", error_surfaces],
    ["effects", effects],
    ["modes", modes],
    ["needs", entry.dependencies],
    ["needed by", dependents],
    ["notes", notes === "" ? [] : notes.split("\n")],
    ["contract", [entry.contract_ref]],
    ["examples", [entry.examples_ref]],
    ["shipped", [entry.ship_ref]],
  ];
  return [
    `${colors.bold(refOf(entry))}  ${oneLine(entry.name)}`,
    ...lines.flatMap(([name, values]) =>
      (values.length === 0 ? ["none"] : values).map(
        (value, index) => `  ${(index === 0 ? name : "").padEnd(10)} ${oneLine(value)}`,
      ),
    ),
    `cupel store show ${entry.contract_ref} prints the contract`,
  ].join("\n");
}

function refOf({ module_id, version }: CodeIndexEntry): string {
  return `${module_id}@${version}`;
}
