// One role call as a conversation: asked with patience, nudged once when silent, repaired once when the answer is wrong.
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { keyText } from "../domain/agent/call-key.ts";
import type { ModelPrice } from "../domain/agent/model-price.ts";
import type { CapReached } from "../domain/agent/role-call-outcome.ts";
import { type Problem, preview, renderProblems } from "../domain/parse.ts";
import { afterSilence } from "../domain/run/retry.ts";
import type { Spent } from "../domain/run/run-event.ts";
import { believed } from "./believed-answer.ts";
import type { BudgetNotice } from "./budget-accounts.ts";
import type { BudgetKeeper } from "./budget-keeper.ts";
import { type Answer, parseAnswer } from "./output-schema.ts";
import { type Patience, sleep, waitMs } from "./patience.ts";
import type { RoleDefinition, Runtime, RuntimeAnswer, RuntimeRequest, TranscriptEntry } from "./port.ts";
import { costUsd, worstCostOf } from "./prices.ts";
import { fenced } from "./prompting/untrusted.ts";
import { GRACE_MS, runGuarded } from "./run-guarded.ts";

export interface ConversationPorts {
  budget: BudgetKeeper;
  price: ModelPrice | undefined;
  patience: Patience;
  random: () => number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  /** Before the first time that the runtime is asked. */
  started: () => Promise<void>;
  notice: (notices: readonly BudgetNotice[]) => Promise<void>;
}

/** How it ended, before anybody routes on it. */
export type Ending<Output> =
  | { kind: "answer"; answer: Answer<Output>; session: string }
  | { kind: "invalid"; problems: Problem[] }
  | { kind: "timed-out" | "refused" | "too-long" | "unavailable"; why: string }
  | { kind: "failed"; why: string; hint: string | null }
  | { kind: "over-budget"; cap: CapReached }
  | { kind: "aborted" };

/** What all of it cost and what was said; grows while the conversation goes on. */
export interface Ledger {
  spent: Spent[];
  transcript: TranscriptEntry[];
}

type Asked =
  | RuntimeAnswer
  | { kind: "over-budget"; cap: CapReached }
  | { kind: "timed-out"; afterMs: number };

export async function converse<Input extends z.ZodType, Output extends z.ZodType>(
  role: RoleDefinition<Input, Output>,
  input: z.output<Input>,
  first: RuntimeRequest,
  runtime: Runtime,
  ports: ConversationPorts,
  ledger: Ledger,
): Promise<Ending<z.output<Output>>> {
  let request = first;
  let nudged = false;
  let repaired = false;
  for (;;) {
    const answer = await ask(request, runtime, ports, ledger);
    if (answer.kind === "silent") {
      if (afterSilence(nudged) === "timed-out")
        return { kind: "timed-out", why: `silent for ${answer.afterMs} ms, also after a reminder` };
      nudged = true;
      request = next(request, runtime, answer.session, REMINDER);
    } else if (answer.kind === "answered" || answer.kind === "no-output") {
      const parsed =
        answer.kind === "answered" ? parseAnswer(role, input, answer.output) : missing(answer.said);
      if (parsed.kind === "ok") return { kind: "answer", answer: parsed.value, session: answer.session };
      const problems = readable(parsed.problems);
      if (repaired) return { kind: "invalid", problems };
      repaired = true;
      const given = answer.kind === "answered" ? answer.output : answer.said;
      request = next(request, runtime, answer.session, repair(problems), given);
    } else return ended(answer, ports.patience);
  }
}

type Final = Exclude<Asked, { kind: "silent" | "answered" | "no-output" }>;

function ended(answer: Final, { tries }: Patience): Exclude<Ending<never>, { kind: "answer" }> {
  switch (answer.kind) {
    case "busy":
    case "unavailable":
      return { kind: "unavailable", why: `${answer.why} (asked ${tries + 1} times)` };
    case "timed-out":
      return { kind: "timed-out", why: `not done after ${answer.afterMs} ms` };
    case "failed":
      return { kind: "failed", why: answer.why, hint: answer.hint ?? null };
    case "refused":
    case "too-long":
      return { kind: answer.kind, why: answer.why };
    case "over-budget":
      return { kind: "over-budget", cap: answer.cap };
    case "aborted":
      return { kind: "aborted" };
  }
}

/** Asks until there is something to go on with; every time is reserved before and settled after. */
async function ask(
  request: RuntimeRequest,
  runtime: Runtime,
  ports: ConversationPorts,
  ledger: Ledger,
): Promise<Asked> {
  for (let tried = 0; ; tried++) {
    if (request.signal.aborted) return { kind: "aborted", ...NOTHING };
    const id = `${keyText(request.key)} ${randomUUID()}`;
    const granted = await ports.budget.reserve(id, request.key, worstCase(request, runtime, ports.price));
    if (granted.kind === "over") {
      await ports.notice(granted.notices);
      return { kind: "over-budget", cap: granted.cap };
    }
    try {
      await ports.notice(granted.notices);
      if (ledger.spent.length === 0) await ports.started();
    } catch (error) {
      // Nobody was asked, so nothing may stay held back.
      await ports.budget.settle(id, { ...NOTHING, ms: 0 });
      throw error;
    }

    const begun = ports.now();
    const answer = believed(await runGuarded(runtime, request));
    const spent = { usage: answer.usage, costUsd: costUsd(answer, ports.price) };
    ledger.spent.push(spent);
    ledger.transcript.push(...answer.transcript);
    const settled = await ports.budget.settle(id, { ...spent, ms: ports.now() - begun });
    await ports.notice(settled.notices);

    const again = answer.kind === "busy" || answer.kind === "unavailable";
    if (!again || tried >= ports.patience.tries) return answer;
    const wished = answer.kind === "busy" ? answer.retryAfterMs : undefined;
    await sleep(waitMs(tried, wished, ports.random, ports.patience), request.signal);
  }
}

const NOTHING = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0, transcript: [] };

function worstCase({ limits }: RuntimeRequest, runtime: Runtime, price: ModelPrice | undefined) {
  const tokens = { input: limits.maxInputTokens, output: limits.maxOutputTokens };
  const usd = price === undefined ? "unknown" : worstCostOf(price, tokens);
  return {
    usd: runtime.costs === "nothing" ? 0 : usd,
    tokens: tokens.input + tokens.output,
    ms: limits.timeoutMs + GRACE_MS,
  } as const;
}

const REMINDER = "Reminder: nothing has been heard from you. Finish now and give your answer.";

function repair(problems: Problem[]): string {
  return (
    "Your answer does not match the schema. Correct exactly these places and give the whole answer once more; this is " +
    `the only chance to do so.\n\n${fenced("problems", renderProblems(problems))}`
  );
}

function missing(said: string): { kind: "invalid"; problems: Problem[] } {
  const found = said === "" ? "nothing" : preview(said);
  return {
    kind: "invalid",
    problems: [{ path: "$", expected: "one JSON object with the key answer", found }],
  };
}

/** Goes on in the same conversation; where the runtime cannot, a fresh one hears everything again. */
function next(
  request: RuntimeRequest,
  runtime: Runtime,
  session: string | undefined,
  message: string,
  given?: unknown,
): RuntimeRequest {
  const key = { ...request.key, turn: (request.key.turn ?? 1) + 1 };
  if (session !== undefined && runtime.forks !== "never")
    return { ...request, key, prompt: message, forkFrom: session };
  const earlier = given === undefined ? "" : `\n\n${fenced("your last answer", shown(given))}`;
  return { ...request, key, prompt: `${request.prompt}${earlier}\n\n${message}` };
}

/** More than this nobody corrects in one turn. */
const MOST_PROBLEMS = 50;
const LONGEST_PLACE = 500;
const LONGEST_ANSWER = 200_000;

function readable(problems: readonly Problem[]): Problem[] {
  return problems.slice(0, MOST_PROBLEMS).map(({ path, expected, found }) => ({
    path: path.slice(0, LONGEST_PLACE),
    expected: expected.slice(0, LONGEST_PLACE),
    found: found.slice(0, LONGEST_PLACE),
  }));
}

/** An answer can be larger than the model can read, and deeper than anything that writes it down. */
function shown(given: unknown): string {
  let text: string;
  try {
    text = typeof given === "string" ? given : JSON.stringify(given, null, 1);
  } catch {
    return "(it cannot be shown: it is nested too deeply)";
  }
  const left = text.length - LONGEST_ANSWER;
  return left <= 0 ? text : `${text.slice(0, LONGEST_ANSWER)}\n… ${left} characters left out`;
}
