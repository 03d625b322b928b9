// Whatever was thrown, in words: also what has none, and what throws again when it is asked for them.

export function thrownText(cause: unknown, longest = 2000): string {
  const text = wordsOf(cause);
  return text.trim() === "" ? "an error without a message" : text.slice(0, longest);
}

function wordsOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return "something that cannot be put into words";
  }
}
