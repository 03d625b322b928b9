// Cuts Markdown into headings, prose and code blocks line by line; whatever could hide a block from somebody's eyes is odd.

export type MarkdownPart =
  | { kind: "heading"; line: number; level: number; text: string }
  | { kind: "prose"; line: number; text: string }
  | { kind: "block"; line: number; language: string; text: string }
  /** What readers and renderers could take for different things. */
  | { kind: "odd"; line: number; what: string; instead: string };

/** Lines are counted from 1. Ends of lines of any system mean the same. */
export function markdownParts(text: string): MarkdownPart[] {
  const lines = linesOf(text);
  const parts: MarkdownPart[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const fence = openingFence(line);
    if (fence === undefined) {
      const part = partOf(line, at + 1, parts.at(-1));
      if (part !== undefined) parts.push(part);
      continue;
    }
    const end = closingLine(lines, at, fence);
    parts.push(end === undefined ? unclosed(at + 1, fence) : blockOf(lines, at, end, fence));
    // What follows an open fence is all inside of it.
    at = end ?? lines.length;
  }
  return parts;
}

export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
}

interface Fence {
  indent: number;
  mark: string;
  info: string;
}

function openingFence(line: string): Fence | undefined {
  const [, indent = "", mark = "", info = ""] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (mark === "" || (mark.startsWith("`") && info.includes("`"))) return undefined;
  return { indent: indent.length, mark, info: info.trim() };
}

/** At least as long, of the same character, with nothing behind it; a shorter one is content. */
function closingLine(lines: readonly string[], from: number, { mark }: Fence): number | undefined {
  const character = mark.slice(0, 1);
  for (let at = from + 1; at < lines.length; at++) {
    const [, closing = ""] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(lines[at] ?? "") ?? [];
    if (closing.length >= mark.length && closing.startsWith(character)) return at;
  }
  return undefined;
}

function blockOf(lines: readonly string[], from: number, to: number, fence: Fence): MarkdownPart {
  const indented = new RegExp(`^ {0,${fence.indent}}`);
  const content = lines.slice(from + 1, to).map((line) => line.replace(indented, ""));
  const [language = ""] = fence.info.split(/\s+/);
  return { kind: "block", line: from + 1, language: language.toLowerCase(), text: content.join("\n") };
}

function unclosed(line: number, { mark }: Fence): MarkdownPart {
  return {
    kind: "odd",
    line,
    what: "a code block that is never closed",
    instead: `a line ${mark} at its end`,
  };
}

function partOf(line: string, number: number, before: MarkdownPart | undefined): MarkdownPart | undefined {
  const odd = (what: string, instead: string): MarkdownPart => ({ kind: "odd", line: number, what, instead });
  if (line.trim() === "") return undefined;
  const [, marks = "", heading = ""] = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line) ?? [];
  if (marks !== "") {
    const text = heading.replace(/[ \t]+#+[ \t]*$/, "").trim();
    return { kind: "heading", line: number, level: marks.length, text };
  }
  if (/<(?:!--|[a-zA-Z/?!])/.test(line.replaceAll(/`[^`]*`/g, "")))
    return odd(
      "HTML, which can hide what follows",
      "plain text; put `<` between backticks where it is meant",
    );
  if (/^[ \t>*+\-\d.)]*(?:`{3}|~{3})/.test(line))
    return odd("a code block inside a list or a quote", "a code block that begins at the start of its line");
  const isUnderlined = before?.kind === "prose" && before.line === number - 1;
  if (isUnderlined && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line))
    return odd("an underlined heading", "a heading that begins with ##");
  return { kind: "prose", line: number, text: line.trim() };
}
