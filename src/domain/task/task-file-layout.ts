// Cuts the Markdown of a task file into title, sections and list entries; it knows their form, not their meaning.

export interface Layout {
  /** The first line. */
  title: string;
  /** Headings of the second level with the lines under them; what stands before the first is under "". */
  sections: { heading: string; lines: string[] }[];
}

export function layoutOf(markdown: string): Layout {
  // References keep carriage returns and byte order marks of the texts themselves; raw ones come from editors and git.
  const [title = "", ...lines] = markdown.replace(/^\ufeff/, "").split(/\r?\n/);
  const sections: Layout["sections"] = [{ heading: "", lines: [] }];
  for (const line of lines) {
    if (line.startsWith("## ")) sections.push({ heading: line.slice(3).trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return { title, sections };
}

export interface Entry {
  /** Still encoded. */
  text: string;
  nested: Entry[];
}

/** The entries of a list, and the lines that belong to none. */
export function entriesOf(lines: readonly string[], marker = /^- /): { entries: Entry[]; stray: string[] } {
  const found: { lines: string[]; indent: string }[] = [];
  const stray: string[] = [];
  for (const line of lines) {
    const begin = marker.exec(line)?.[0];
    const current = found.at(-1);
    if (begin !== undefined) {
      found.push({ lines: [line.slice(begin.length)], indent: " ".repeat(begin.length) });
    } else if (line.trim() === "") {
      current?.lines.push("");
    } else if (current !== undefined && line.startsWith(current.indent)) {
      current.lines.push(line.slice(current.indent.length));
    } else {
      stray.push(line);
    }
  }
  return { entries: found.map((entry) => entryOf(entry.lines, stray)), stray };
}

/** Text of an entry cannot begin a line with `- **`, so whatever does is an entry within the entry. */
function entryOf(lines: readonly string[], stray: string[]): Entry {
  const first = lines.findIndex((line, index) => index > 0 && line.startsWith("- **"));
  const end = first < 0 ? lines.length : first;
  const inner = entriesOf(lines.slice(end));
  for (const line of inner.stray) stray.push(line);
  return { text: lines.slice(0, end).join("\n").trimEnd(), nested: inner.entries };
}
