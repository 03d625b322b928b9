// Wraps, aligns and justifies text.

export type Alignment = "left" | "right" | "center" | "justify";

/** Lines of at most `width` characters; words that are longer are cut. */
export function wrap(text: string, width: number): string[] {
  if (!Number.isInteger(width) || width < 1) throw new RangeError("a width of at least 1 is needed");
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    let rest = word;
    if (line !== "" && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = "";
    }
    while (rest.length > width) {
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    line = line === "" ? rest : `${line} ${rest}`;
  }
  if (line !== "") lines.push(line);
  return lines;
}

export function align(line: string, width: number, alignment: Alignment): string {
  const gap = width - line.length;
  if (gap <= 0) return line;
  switch (alignment) {
    case "left":
      return line + " ".repeat(gap);
    case "right":
      return " ".repeat(gap) + line;
    case "center": {
      const before = Math.floor(gap / 2);
      return " ".repeat(before) + line + " ".repeat(gap - before);
    }
    case "justify":
      return justify(line, gap);
  }
}

/** Wide gaps first; a single word stays where it is. */
function justify(line: string, gap: number): string {
  const words = line.split(" ");
  const places = words.length - 1;
  if (places === 0) return line + " ".repeat(gap);
  const each = Math.floor(gap / places);
  const wider = gap % places;
  return words
    .map((word, at) => (at < places ? word + " ".repeat(1 + each + (at < wider ? 1 : 0)) : word))
    .join("");
}

/** The last line of a justified paragraph is set to the left. */
export function paragraph(text: string, width: number, alignment: Alignment = "left"): string {
  const lines = wrap(text, width);
  return lines
    .map((line, at) =>
      align(line, width, alignment === "justify" && at === lines.length - 1 ? "left" : alignment),
    )
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Cuts in the middle, so that the beginning and the end can be read. */
export function ellipsis(text: string, width: number): string {
  if (width < 3) throw new RangeError("no room for an ellipsis");
  if (text.length <= width) return text;
  const left = Math.ceil((width - 1) / 2);
  const right = width - 1 - left;
  return `${text.slice(0, left)}…${text.slice(text.length - right)}`;
}

export function table(rows: readonly (readonly string[])[], alignments: readonly Alignment[] = []): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      widths
        .map((width, column) => align(row[column] ?? "", width, alignments[column] ?? "left"))
        .join(" | ")
        .trimEnd(),
    )
    .join("\n");
}
