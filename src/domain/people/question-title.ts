// The one line under which a question stands in the inbox; whoever opens the question reads all of it.

const LONGEST = 300;

/** Cut between two words where it is too long, and then it says so. */
export function questionTitle(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim().toWellFormed();
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST - 2);
  const end = cut.lastIndexOf(" ");
  // A word that is longer than half of the line is cut itself.
  const kept = end > LONGEST / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, "");
  return `${kept.replace(/[\s,;:]+$/, "")} …`;
}
