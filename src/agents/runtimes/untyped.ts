// Reads what programs of others say, where nothing can be taken for granted.

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An empty record for everything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The words in a text, or in a list of parts of which some are text, as agents tell what a tool said. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  return content
    .map(recordOf)
    .map((part) => textOf(part["text"]) || textOf(recordOf(part["content"])["text"]))
    .filter((text) => text !== "")
    .join("\n");
}

/** Zero for what is no count. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** Undefined for text that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
