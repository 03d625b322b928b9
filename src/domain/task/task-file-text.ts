// Writes arbitrary text into the Markdown of a task file and reads it back exactly, touching ordinary text nowhere.
//
// The only escape is the numeric character reference, `&#35;` for `#`: renderers show it as the character, and unlike
// the backslash it leaves regular expressions, paths and code as their authors wrote them. Written that way are
//   - white space at the ends of a text or of a line, control characters, lone surrogates (files would lose them),
//   - the first character of a line that would pass for a heading, for HTML, or for an entry of the task file,
//   - an ampersand that begins something that looks like such a reference itself.

/** Text that stays on its line, whatever it holds. */
export function encodeLine(text: string): string {
  return encodeCharacters(text).replaceAll("\n", reference);
}

/** Text that keeps its lines; all but the first are indented, so that they stay within their list entry. */
export function encodeBlock(text: string, indent = ""): string {
  const lines = encodeCharacters(text).split("\n");
  return encodeLineStarts(lines)
    .map((line, index) => (index === 0 || line === "" ? line : indent + line))
    .join("\n");
}

export function decode(text: string): string {
  return text.replaceAll(/&#(\d{1,5});/g, (written, code: string) =>
    Number(code) <= 0xffff ? String.fromCharCode(Number(code)) : written,
  );
}

/** `&#N;` for one UTF-16 code unit. */
export function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

function encodeCharacters(text: string): string {
  return text
    .replaceAll(/&(?=#\d{1,5};)/g, reference)
    .replaceAll(/\p{Cc}|\p{Cs}|[\u2028\u2029\ufeff]/gu, (found) =>
      /[\n\t]/.test(found) ? found : reference(found),
    )
    .replaceAll(/^\s+|[^\S\n]+(?=\n)|\s+$/g, (space) => space.replaceAll(/[^]/g, reference));
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING_FENCE = /^ {0,3}(?:`{3,}|~{3,})$/;
const HEADING = /^ {0,3}#{1,6}(?=\s|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)$/;
const HTML = /^ {0,3}<(?=[A-Za-z/!?])/;
/** What the entries and sections of a task file begin with, also in the middle of code. */
const OWN = /^(?:## |- \*\*)/;

function encodeLineStarts(lines: string[]): string[] {
  const code = codeLines(lines);
  return lines.map((line, index) => {
    const special = code.has(index) ? [OWN] : [OWN, HEADING, UNDERLINE, HTML, FENCE];
    return special.some((pattern) => pattern.test(line)) ? line.replace(/\S/, reference) : line;
  });
}

/** Which lines are code between fences, the fences included; a fence that never closes is text like any other. */
function codeLines(lines: string[]): Set<number> {
  const code = new Set<number>();
  const closings = lines.flatMap((line, index) =>
    CLOSING_FENCE.test(line) ? [{ index, fence: line.trim() }] : [],
  );
  let end = -1;
  lines.forEach((line, index) => {
    const opening = index > end ? FENCE.exec(line)?.[1] : undefined;
    if (opening !== undefined) {
      end = closings.find((each) => each.index > index && each.fence.startsWith(opening))?.index ?? end;
    }
    if (index <= end) code.add(index);
  });
  return code;
}
