// Puts text from elsewhere into a Markdown document so that it reads as written and cannot change the document's form.

/** Text for one line: a heading, a list entry, a part of a paragraph. Line breaks become spaces. */
export function inlineText(text: string): string {
  return atLineStart(escaped(oneLine(text), PLAIN));
}

/** Text for a link's label, where any bracket would count. */
export function labelText(text: string): string {
  return escaped(oneLine(text), LABEL);
}

/** Text for a table cell. */
export function cellText(text: string): string {
  // A backslash before a pipe would undo the pipe's escape, and within code it cannot be doubled.
  return escaped(oneLine(text), PLAIN, "\\|").replaceAll("|", "\\|");
}

/** Paragraphs and plain lists stay; headings, quotes, fences, tables and HTML are shown as the characters they are. */
export function blockText(text: string): string {
  return text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(blockLine)
    .join("\n");
}

/** The anchor that common renderers give to a heading. */
export function anchorOf(heading: string): string {
  const kept = oneLine(heading)
    .toLowerCase()
    .replaceAll(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Nl}\p{Pc} -]/gu, "");
  return kept.replaceAll(" ", "-");
}

function blockLine(line: string): string {
  const entry = /^\s*([-*+]|\d{1,9}[.)])\s+(\S.*)$/.exec(line);
  return entry === null ? inlineText(line) : `${entry[1]} ${inlineText(entry[2] ?? "")}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** What means something at the start of a line: headings, quotes, lists, fences, and rows that make tables or rules. */
function atLineStart(line: string): string {
  return line
    .replace(/^(?=#{1,6}(?: |$)|[>|]|[-+*](?: |$)|~~~|[-:=|* _]+$)/, "\\")
    .replace(/^(\d{1,9})(?=[.)](?: |$))/, "$1\\");
}

/** Emphasis may stay, it ends with its paragraph; tags, entities, links and images may not. */
const PLAIN = /\\(?![A-Za-z0-9 ])|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[([:])/g;
const LABEL = /\\(?![A-Za-z0-9 ])|<(?=[A-Za-z/!?])|&(?=#?\w+;)|[[\]]/g;

/** Entities where they exist: a bare address before a backslash would swallow it, and with it the escape. */
function harmless(character: string): string {
  if (character === "<") return "&lt;";
  return character === "&" ? "&amp;" : `\\${character}`;
}

/** Escapes what is `special` outside code spans; within them Markdown knows no escapes and needs none. */
function escaped(text: string, special: RegExp, neverInCode?: string): string {
  let result = "";
  let done = 0;
  const runs = /`+/g;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    const [ticks] = run;
    const end = followsAddress(text, run.index) ? -1 : endOfCodeSpan(text, runs.lastIndex, ticks.length);
    const span = text.slice(run.index, end);
    const isCode = end > 0 && (neverInCode === undefined || !span.includes(neverInCode));
    const written = isCode ? span : "\\`".repeat(ticks.length);
    result += text.slice(done, run.index).replaceAll(special, harmless) + written;
    done = isCode ? end : runs.lastIndex;
    runs.lastIndex = done;
  }
  return result + text.slice(done).replaceAll(special, harmless);
}

/** Renderers turn bare addresses into links and count everything up to the next space as part of them. */
function followsAddress(text: string, index: number): boolean {
  const word = text.slice(text.lastIndexOf(" ", index) + 1, index);
  return /\/\/|www\./i.test(word);
}

/** A code span ends at the next run of exactly as many backticks as it began with; -1 if there is none. */
function endOfCodeSpan(text: string, from: number, ticks: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    if (run[0].length === ticks) return runs.lastIndex;
  }
  return -1;
}
