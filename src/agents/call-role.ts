// The one way to ask an agent for something: input and answer checked, money held back, every end an outcome, all of it
// in the journal and the transcript kept without secrets.
import type { z } from "zod";
import type { CallKey } from "../domain/agent/call-key.ts";
import type { ModelPrice } from "../domain/agent/model-price.ts";
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import type { PayloadRef } from "../domain/refs.ts";
import { thrownText } from "../domain/thrown.ts";
import { isLastAttempt, MOST_ATTEMPTS } from "../domain/run/retry.ts";
import type { RunEvent } from "../domain/run/run-event.ts";
import type { BudgetNotice } from "./budget-accounts.ts";
import type { BudgetKeeper } from "./budget-keeper.ts";
import { outcomeOf, reasonOf, total } from "./call-outcome.ts";
import { converse, type Ending, type Ledger } from "./conversation.ts";
import { adaptSchema, answerSchema } from "./output-schema.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import type {
  AgentTool,
  CallLimits,
  RoleDefinition,
  Runtime,
  RuntimeRequest,
  TranscriptEntry,
} from "./port.ts";
import { priceOf, PRICES } from "./prices.ts";
import type { PromptSource } from "./prompting/prompt-source.ts";
import { renderPrompt } from "./prompting/render-prompt.ts";
import type { Redact } from "./secrets.ts";

export interface RoleCall<Input extends z.ZodType, Output extends z.ZodType> {
  role: RoleDefinition<Input, Output>;
  input: z.input<Input>;
  /** Which call this is; the factory counts `attempt`. */
  key: Omit<CallKey, "role" | "turn">;
  /** Of a role that works in attempts: which one at the same thing it is, where that is not the number of the call. */
  tries?: number;
  /** How many attempts there are; MOST_ATTEMPTS unless told. */
  attempts?: number;
  runtime: Runtime;
  model: string;
  limits: CallLimits;
  /** Of those the role may have. */
  tools: readonly AgentTool[];
  workspace?: string;
  /** A conversation to go on from, where the runtime can. */
  forkFrom?: string;
  signal: AbortSignal;
}

type KindOf =
  | "role_call_started"
  | "role_call_finished"
  | "role_call_failed"
  | "budget_warning"
  | "budget_exhausted";
type Unplaced<Event> = Event extends unknown ? Omit<Event, "seq" | "at" | "runId"> : never;
/** An event of the journal before the journal has given it its place. */
export type RoleCallEvent = Unplaced<Extract<RunEvent, { kind: KindOf }>>;

export interface CallPorts {
  budget: BudgetKeeper;
  prompts: PromptSource;
  emit(event: RoleCallEvent): Promise<void>;
  /** Keeps a transcript, which holds no secrets any more, among the payloads. */
  keep(transcript: readonly TranscriptEntry[]): Promise<PayloadRef | null>;
  redact: Redact;
  prices?: readonly ModelPrice[];
  patience?: Patience;
  /** From 0 up to 1. */
  random?: () => number;
  now?: () => number;
}

export async function callRole<Input extends z.ZodType, Output extends z.ZodType>(
  call: RoleCall<Input, Output>,
  ports: CallPorts,
): Promise<RoleCallOutcome<z.output<Output>>> {
  const { role } = call;
  const attempts = attemptsOf(call);
  checkCall(call, attempts);
  const input = parseOrThrow(role.input, call.input, `the input of the ${role.name}`);
  const request = requestOf(call, input, attempts, ports.prompts);
  const who = { role: role.name, ...call.key };
  const ledger: Ledger = { spent: [], transcript: [] };
  const ending = await converse(
    role,
    input,
    request,
    call.runtime,
    {
      budget: ports.budget,
      price: priceOf(call.model, ports.prices ?? PRICES),
      patience: ports.patience ?? PATIENCE,
      random: ports.random ?? Math.random,
      now: ports.now ?? (() => performance.now()),
      started: () => ports.emit({ kind: "role_call_started", ...who }),
      notice: (notices) => tell(notices, ports),
    },
    ledger,
  ).catch(async (error: unknown) => {
    // The harness itself failed; what was paid is in the journal all the same.
    const ending = { kind: "failed", why: thrownText(error), hint: null } as const;
    await report(ending, ledger, who, ports).catch(() => null);
    throw error;
  });
  const transcriptRef = await report(ending, ledger, who, ports);
  const told = ending.kind === "answer" ? ending : ports.redact(ending);
  return outcomeOf(told, isLastAttempt(attempts.attempt, attempts.of), {
    ...total(ledger),
    asked: ledger.spent.length,
    transcriptRef,
  });
}

/** Only some roles work in attempts; for the others the number of a call tells it apart from others, and that is all. */
function attemptsOf<Input extends z.ZodType, Output extends z.ZodType>({
  role,
  key,
  tries = key.attempt,
  attempts = MOST_ATTEMPTS,
}: RoleCall<Input, Output>): { attempt: number; of: number } {
  return role.retries === true ? { attempt: tries, of: attempts } : { attempt: 1, of: 1 };
}

function checkCall<Input extends z.ZodType, Output extends z.ZodType>(
  { role, tools }: RoleCall<Input, Output>,
  { attempt, of }: { attempt: number; of: number },
): void {
  if (attempt > of) {
    throw new CupelError("usage", `attempt ${attempt} of ${of} of the ${role.name}`, {
      expected: "an outcome `stuck` to be routed, not another attempt",
    });
  }
  const denied = tools.find(({ name }) => !role.tools.includes(name));
  if (denied !== undefined) {
    throw new CupelError("usage", `the ${role.name} may not have the tool ${denied.name}`, {
      expected: role.tools.length === 0 ? "no tools" : `only ${role.tools.join(", ")}`,
    });
  }
}

function requestOf<Input extends z.ZodType, Output extends z.ZodType>(
  call: RoleCall<Input, Output>,
  input: z.output<Input>,
  { attempt, of }: { attempt: number; of: number },
  prompts: PromptSource,
): RuntimeRequest {
  const { role, key, model, limits, tools, workspace, forkFrom, runtime, signal } = call;
  const values = typeof input === "object" && input !== null ? { ...input } : {};
  return {
    role: role.name,
    key: { role: role.name, ...key },
    ...renderPrompt(role, values, { attempt, attempts: of }, prompts),
    outputSchema: adaptSchema(answerSchema(role)).schema,
    tools,
    model,
    limits,
    signal,
    ...(workspace === undefined ? {} : { workspace }),
    ...(forkFrom === undefined || runtime.forks === "never" ? {} : { forkFrom }),
  };
}

async function tell(notices: readonly BudgetNotice[], ports: CallPorts): Promise<void> {
  for (const notice of notices) await ports.emit(notice);
}

/** The transcript has the rest. */
const LONGEST_REASON = 4000;

type Who = Omit<Extract<RoleCallEvent, { kind: "role_call_started" }>, "kind">;

/** A call that never began leaves no trace but the cap that stopped it. */
async function report(
  ending: Ending<unknown>,
  ledger: Ledger,
  who: Who,
  ports: CallPorts,
): Promise<PayloadRef | null> {
  if (ledger.spent.length === 0) return null;
  const { transcript } = ledger;
  const ended = { ...who, ...total(ledger) };
  const failed = (why: string, transcriptRef: PayloadRef | null): Promise<void> => {
    const reason = ports.redact(why).slice(0, LONGEST_REASON);
    return ports.emit({ kind: "role_call_failed", ...ended, transcriptRef, reason });
  };
  let transcriptRef: PayloadRef | null;
  try {
    transcriptRef = transcript.length === 0 ? null : await ports.keep(ports.redact(transcript));
  } catch (error) {
    await failed(`its transcript could not be kept: ${thrownText(error)}`, null);
    throw error;
  }
  if (ending.kind === "answer") await ports.emit({ kind: "role_call_finished", ...ended, transcriptRef });
  else await failed(reasonOf(ending), transcriptRef);
  return transcriptRef;
}
