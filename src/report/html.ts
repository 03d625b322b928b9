// HTML in which everything that is put in is text, unless it was made here: agents and specs cannot write markup.

/** Markup that was made by `html`. */
export interface Markup {
  readonly markup: string;
}

export type Content = string | number | Markup | readonly Markup[];

export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const markup = parts.map((part, index) => {
    const value = values[index];
    return value === undefined ? part : `${part}${markupOf(value)}`;
  });
  return { markup: markup.join("") };
}

function markupOf(value: Content): string {
  if (typeof value === "string" || typeof value === "number") return escaped(String(value));
  if ("markup" in value) return value.markup;
  return value.map(({ markup }) => markup).join("");
}

/** Control characters, and those that turn the direction of what follows, are shown as what they are: nothing to read. */
const UNSEEN = /[^\P{Cc}\t\n]|[\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]|\p{Cs}/gu;

function escaped(text: string): string {
  return text
    .replaceAll(UNSEEN, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
