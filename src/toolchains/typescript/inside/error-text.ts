// Makes text of what an error says; it comes from foreign code, so any field may hold anything, of any size.

const MOST_TEXT = 4_000;

export function text(value: unknown): string {
  const whole = typeof value === "string" ? value : value === undefined ? "" : shown(value);
  const cut = whole.length > MOST_TEXT ? `${whole.slice(0, MOST_TEXT)}…` : whole;
  return cut.toWellFormed();
}

function shown(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "a value that cannot be shown";
  }
}
