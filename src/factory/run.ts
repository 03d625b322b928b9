// One run of a project in the hands of this process: its lease, its journal, its budget.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { fromRecord, openBudget, toRecord } from "../agents/budget.ts";
import { budgetKeeper } from "../agents/budget-keeper.ts";
import type { BudgetKeeper } from "../agents/budget-keeper.ts";
import type { RoleCallEvent } from "../agents/call-role.ts";
import type { BudgetCaps, BudgetState } from "../domain/agent/budget-state.ts";
import { CupelError } from "../domain/error.ts";
import { hasCode } from "../domain/environment-error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { form } from "../domain/refs.ts";
import { isCallEnd, type RunEvent } from "../domain/run/run-event.ts";
import { LeaseKeeper } from "../graph/lease-keeper.ts";
import type { Fence, UnnumberedEvent } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Closing } from "./closing.ts";

export type RunOutcome = Extract<RunEvent, { kind: "run_closed" }>["outcome"];

export interface Run {
  id: string;
  fence: Fence;
  /** Who works here, for the leases of threads and jobs, too; another for every process. */
  holder: string;
  budget: BudgetKeeper & { state(): BudgetState };
  emit(event: RoleCallEvent): Promise<void>;
  /** Aborted when somebody else has taken the run over. */
  lost: AbortSignal;
  /** How it ended, for the event that closes it; the first word counts. */
  conclude(outcome: RunOutcome): void;
}

export interface RunOptions {
  id: string;
  caps: BudgetCaps;
  ttlMs: number;
  now: () => number;
  /** How its agents behave, where they are simulated. */
  simulated?: string;
}

const RunId = form(/^[a-zA-Z0-9][\w.-]{0,63}$/, "letters, digits, dots, dashes; at most 64");

/** A new one where none is given. */
export function runIdOf(given: string | undefined): string {
  return given === undefined
    ? `r-${randomBytes(4).toString("hex")}`
    : parseOrThrow(RunId, given, "the id of the run");
}

export async function openRun(store: StateStore, options: RunOptions, open: Closing): Promise<Run> {
  const { id, caps, ttlMs, now, simulated } = options;
  const holder = `process ${process.pid} on ${hostname()} (${randomBytes(3).toString("hex")})`;
  const lost = new AbortController();
  const fence = await take(store, id, holder, ttlMs);
  const keeper = new LeaseKeeper(store.leases, fence, ttlMs, () => lost.abort());
  open.add(() => keeper.release());

  type Unplaced<Event> = Event extends unknown ? Omit<Event, "at" | "runId"> : never;
  const write = async (event: Unplaced<UnnumberedEvent>): Promise<void> => {
    await store.journal.append(fence, [{ ...event, at: new Date(now()).toISOString(), runId: id }]);
  };
  const kept = await store.budgets.find(id);
  // Nobody is asked before there is a budget.
  if (kept !== undefined) await endLostCalls(store, id, write);
  await write({ kind: "run_opened", budget: caps.run, ...(simulated === undefined ? {} : { simulated }) });
  let outcome: RunOutcome | undefined;
  open.add(async () => {
    try {
      await write({ kind: "run_closed", outcome: outcome ?? "failed" });
    } catch (cause) {
      // Whoever has the run now closes it.
      if (!hasCode(cause, "stale_fence")) throw cause;
    }
  });
  // What a dead process had held back counts as spent.
  const { state, notices } =
    kept === undefined ? { state: openBudget(caps), notices: [] } : fromRecord(kept, caps);
  const keep = (record: BudgetState) => store.budgets.keep(fence, id, record);
  await keep(toRecord(state));
  for (const notice of notices) await write(notice);
  const budget = budgetKeeper(state, keep);
  return { id, fence, holder, budget, emit: write, lost: lost.signal, conclude: (how) => (outcome ??= how) };
}

async function take(store: StateStore, id: string, holder: string, ttlMs: number): Promise<Fence> {
  const lease = await store.leases.acquire(`run:${id}`, holder, ttlMs);
  if (lease.kind === "acquired") return lease.fence;
  throw new CupelError("run_held", `${lease.by} works on the run ${id}`, {
    expected: "a run that nobody works on",
    hint: `wait until it has ended; if it was killed, the run is free after ${lease.expiresAt}`,
  });
}

type Write = (event: RoleCallEvent) => Promise<void>;
type CallEvent = Extract<RoleCallEvent, { role: unknown }>;

/** A process that died left calls without an end. They get one here, so that every call in the journal has both. */
async function endLostCalls(store: StateStore, runId: string, write: Write): Promise<void> {
  const open = new Map<string, Extract<RunEvent, { kind: "role_call_started" }>>();
  for await (const event of eventsOf(store, runId)) {
    if (event.kind === "role_call_started") open.set(nameOf(event), event);
    else if (isCallEnd(event)) open.delete(nameOf(event));
  }
  for (const { role, task, module, node, attempt } of open.values()) {
    const unknown = { usage: "unknown", costUsd: "unknown" } as const;
    const reason = "its process ended before the call did";
    const who = { role, task, module, node, attempt };
    await write({ kind: "role_call_failed", ...who, ...unknown, reason, transcriptRef: null });
  }
}

function nameOf({ role, task, module, node, attempt }: CallEvent): string {
  return JSON.stringify([role, task, module, node, attempt]);
}

const BATCH = 500;

async function* eventsOf({ journal }: StateStore, runId: string): AsyncGenerator<RunEvent> {
  let after = 0;
  for (;;) {
    const events = await journal.read(after, BATCH, runId);
    yield* events;
    if (events.length < BATCH) return;
    after = events.at(-1)?.seq ?? after;
  }
}
