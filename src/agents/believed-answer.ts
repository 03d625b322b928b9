// What a runtime answered, as far as it can be believed: programs of others tell negative costs and endless reasons.
import { parse } from "../domain/parse.ts";
import { Spent } from "../domain/run/run-event.ts";
import type { GuardedAnswer } from "./run-guarded.ts";

/** No single call uses as much; a number beyond would spoil every sum that it goes into. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e6;
/** The transcript has the rest. */
const LONGEST_WHY = 10_000;

export function believed(answer: GuardedAnswer): GuardedAnswer {
  const told = { ...answer, ...believedSpent(answer) };
  if ("why" in told) return { ...told, why: worded(told.why) };
  // A conversation without a name is one that cannot be gone on from.
  if (told.kind === "silent") return { ...told, session: told.session || undefined };
  return "session" in told ? { ...told, session: told.session || "unnamed" } : told;
}

/** What cannot be true is unknown, and unknown counts as the most that was held back. */
function believedSpent({ usage, costUsd }: Spent): Spent {
  const { usage: tokens, costUsd: cost } = parsedSpent(usage, costUsd);
  const counted =
    tokens !== "unknown" && Math.max(tokens.inputTokens, tokens.outputTokens) > MOST_TOKENS
      ? "unknown"
      : tokens;
  return { usage: counted, costUsd: cost !== "unknown" && cost > MOST_USD ? "unknown" : cost };
}

function parsedSpent(usage: Spent["usage"], costUsd: Spent["costUsd"]): Spent {
  const tokens = parse(Spent.shape.usage, usage);
  const cost = parse(Spent.shape.costUsd, costUsd);
  return {
    usage: tokens.kind === "ok" ? tokens.value : "unknown",
    costUsd: cost.kind === "ok" ? cost.value : "unknown",
  };
}

function worded(why: string): string {
  return why.trim() === "" ? "it gave no reason" : why.slice(0, LONGEST_WHY);
}
