// Reads a task file back into its record, or says which of its parts is missing or not understood.
import { type Parsed, type Problem, parse, preview } from "../parse.ts";
import { type Entry, entriesOf, layoutOf } from "./task-file-layout.ts";
import { decode } from "./task-file-text.ts";
import {
  DEPENDENCY_INTRO,
  DIMENSION_LABELS,
  NO_DEPENDENCIES,
  PLACE_LABELS,
  SEPARATOR,
  TASK_ID,
  TITLE,
  TaskFile,
} from "./task-file.ts";

export function parseTaskFile(markdown: string): Parsed<TaskFile> {
  const problems: Problem[] = [];
  const page = pageOf(markdown, problems);
  const record = {
    task_name: page.title,
    task_id: page.taskId,
    context: contextIn(page),
    description: decode(linesOf(page, "description").join("\n").trim()),
    subtasks: listIn(page, "subtasks", /^\d+\. /),
    acceptance_criteria: listIn(page, "acceptance_criteria"),
    micro_module_contract: contractIn(page),
    dependency_contracts: dependenciesIn(page),
    error_cases: listIn(page, "error_cases"),
    ...amendmentsIn(page),
  };
  return problems.length === 0 ? parse(TaskFile, record) : { kind: "invalid", problems };
}

/** Every field that has a section of its own. */
const HEADINGS = {
  context: "Context",
  description: "Description",
  subtasks: "Subtasks",
  acceptance_criteria: "Acceptance Criteria",
  micro_module_contract: "Micro Module Contract",
  dependency_contracts: "Dependency Contracts",
  error_cases: "Error Cases",
  amendment_history: "Amendment History",
} as const;
type Field = keyof typeof HEADINGS;

interface Page {
  title: string | undefined;
  taskId: string | undefined;
  sections: Map<string, string[]>;
  complain: (path: string, expected: string, found?: string) => void;
}

function pageOf(markdown: string, problems: Problem[]): Page {
  const layout = layoutOf(markdown);
  const page: Page = {
    title: undefined,
    taskId: undefined,
    sections: new Map(),
    complain: (path, expected, found = "nothing") => problems.push({ path, expected, found }),
  };
  if (layout.title.startsWith(TITLE)) page.title = decode(layout.title.slice(TITLE.length));
  else page.complain("$.task_name", `the first line to be "${TITLE}…"`, preview(layout.title));
  const known: string[] = Object.values(HEADINGS);
  for (const { heading, lines } of layout.sections) {
    const isTaskId = heading.startsWith(TASK_ID);
    if (isTaskId) page.taskId = heading.slice(TASK_ID.length);
    else if (known.includes(heading) && !page.sections.has(heading)) page.sections.set(heading, lines);
    else if (heading !== "")
      page.complain("$", `each of the sections ${known.join(", ")} once`, `"## ${heading}"`);
    if (isTaskId || heading === "")
      refuseStray(
        page,
        "$",
        lines.filter((line) => line.trim() !== ""),
      );
  }
  if (page.taskId === undefined) page.complain("$.task_id", `a line "## ${TASK_ID}…"`);
  return page;
}

function refuseStray(page: Page, path: string, lines: readonly string[]): void {
  for (const line of lines)
    page.complain(path, "nothing but what the template has", `the line ${preview(line)}`);
}

function linesOf(page: Page, field: Field): string[] {
  const lines = page.sections.get(HEADINGS[field]);
  if (lines === undefined) page.complain(`$.${field}`, `a section "## ${HEADINGS[field]}"`);
  return lines ?? [];
}

function entriesIn(page: Page, field: Field, lines = linesOf(page, field), marker?: RegExp): Entry[] {
  const { entries, stray } = entriesOf(lines, marker);
  refuseStray(page, `$.${field}`, stray);
  return entries;
}

function refuseNested(page: Page, path: string, entry: Entry): void {
  const lines = entry.nested.map((nested) => `- ${nested.text}`);
  refuseStray(page, path, lines);
}

function listIn(page: Page, field: Field, marker?: RegExp): string[] {
  const entries = entriesIn(page, field, linesOf(page, field), marker);
  return entries.map((entry, index) => {
    refuseNested(page, `$.${field}[${index}]`, entry);
    return decode(entry.text);
  });
}

/** `**Label:** text`; the text is still encoded. */
function labelOf(entry: Entry): { label: string; text: string } | undefined {
  const match = /^\*\*([^*\n]+):\*\*(?: ([^]*))?$/.exec(entry.text);
  return match === null ? undefined : { label: match[1] ?? "", text: match[2] ?? "" };
}

/** One entry for each label, by label; texts are still encoded. */
function labelledIn(page: Page, field: Field, labels: Record<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  const wanted = Object.values(labels);
  for (const entry of entriesIn(page, field)) {
    const { label, text } = labelOf(entry) ?? { label: "", text: "" };
    refuseNested(page, `$.${field}`, entry);
    if (wanted.includes(label) && !found.has(label)) found.set(label, text);
    else page.complain(`$.${field}`, `one entry each for ${wanted.join(", ")}`, `"- ${entry.text}"`);
  }
  if (!page.sections.has(HEADINGS[field])) return found;
  for (const [key, label] of Object.entries(labels)) {
    if (!found.has(label)) page.complain(`$.${field}.${key}`, `an entry "- **${label}:** …"`);
  }
  return found;
}

function contractIn(page: Page): Record<string, string> {
  const found = labelledIn(page, "micro_module_contract", DIMENSION_LABELS);
  const texts = Object.entries(DIMENSION_LABELS).map(([key, label]) => [key, decode(found.get(label) ?? "")]);
  return Object.fromEntries(texts);
}

function contextIn(page: Page): Record<string, unknown> {
  const found = labelledIn(page, "context", PLACE_LABELS);
  const places = Object.entries(PLACE_LABELS).map(([key, label]) => {
    const text = found.get(label) ?? SEPARATOR;
    // Names hold no bare dash, so the first one is the separator.
    const at = text.indexOf(SEPARATOR);
    if (at < 0) page.complain(`$.context.${key}`, `"name${SEPARATOR}description"`, preview(text));
    return [key, { name: decode(text.slice(0, at)), description: decode(text.slice(at + SEPARATOR.length)) }];
  });
  return Object.fromEntries(places);
}

function dependenciesIn(page: Page): unknown[] {
  const lines = linesOf(page, "dependency_contracts").filter((line) => line !== DEPENDENCY_INTRO);
  if (lines.join("\n").trim() === NO_DEPENDENCIES) return [];
  const entries = entriesIn(page, "dependency_contracts", lines);
  if (entries.length === 0 && page.sections.has(HEADINGS.dependency_contracts)) {
    page.complain("$.dependency_contracts", `entries, or the line "${NO_DEPENDENCIES}"`);
  }
  return entries.map((entry, index) => {
    const path = `$.dependency_contracts[${index}]`;
    const at = entry.text.indexOf(": ");
    if (at < 0) page.complain(path, '"MM-…@version: summary"', preview(entry.text));
    return {
      module_ref: entry.text.slice(0, at),
      summary: decode(entry.text.slice(at + 2)),
      examples: nestedTexts(page, path, entry, ["Example"]).get("Example"),
    };
  });
}

function amendmentsIn(page: Page): { amendment_history?: unknown[] } {
  if (!page.sections.has(HEADINGS.amendment_history)) return {};
  const amendment_history = entriesIn(page, "amendment_history").map((entry, index) => {
    const path = `$.amendment_history[${index}]`;
    const head = labelOf(entry);
    if (head?.label !== "Amended") page.complain(path, 'an entry "- **Amended:** time"', `"- ${entry.text}"`);
    const texts = nestedTexts(page, path, entry, ["Rationale", "Previous criterion"]);
    const [rationale, ...more] = texts.get("Rationale") ?? [];
    if (more.length > 0) page.complain(`${path}.rationale`, "one rationale", `${more.length + 1}`);
    return { at: head?.text, rationale, previous_acceptance_criteria: texts.get("Previous criterion") };
  });
  return { amendment_history };
}

/** The texts of the entries within an entry, by label. */
function nestedTexts(page: Page, path: string, entry: Entry, labels: string[]): Map<string, string[]> {
  const texts = new Map(labels.map((label): [string, string[]] => [label, []]));
  for (const nested of entry.nested) {
    const { label, text } = labelOf(nested) ?? { label: "", text: "" };
    const known = texts.get(label);
    if (known === undefined)
      page.complain(path, `only entries for ${labels.join(", ")}`, `"- ${nested.text}"`);
    known?.push(decode(text));
    refuseNested(page, path, nested);
  }
  return texts;
}
