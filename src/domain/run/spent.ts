// Adding up what things cost: what is unknown stays unknown, whatever is added to it.
import type { Spent, Usage } from "./run-event.ts";

export const NOTHING_SPENT: Spent = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 };

export function addSpent(a: Spent, b: Spent): Spent {
  const costUsd = a.costUsd === "unknown" || b.costUsd === "unknown" ? "unknown" : a.costUsd + b.costUsd;
  return { usage: addUsage(a.usage, b.usage), costUsd };
}

function addUsage(a: Usage, b: Usage): Usage {
  if (a === "unknown" || b === "unknown") return "unknown";
  const sum = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
  // Whoever read nothing had nothing kept for it.
  const readers = [a, b].filter(({ inputTokens }) => inputTokens > 0);
  const cached = readers.map(({ cachedInputTokens }) => cachedInputTokens);
  const known = cached.filter((count) => count !== undefined);
  if (known.length === 0 || known.length < cached.length) return sum;
  return { ...sum, cachedInputTokens: known.reduce((all, count) => all + count, 0) };
}
