// Caps that hold: what a call could cost at worst is held back before it starts, and settled when it has ended.
import type { Amounts, BudgetCaps, Reservation } from "../domain/agent/budget-state.ts";
import { BudgetState } from "../domain/agent/budget-state.ts";
import type { CapReached } from "../domain/agent/role-call-outcome.ts";
import { canonicalHash, dropUndefined } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import type { Spent } from "../domain/run/run-event.ts";
import {
  accounts,
  add,
  type BudgetNotice,
  crossed,
  nearlyUsed,
  NOTHING,
  type Payer,
} from "./budget-accounts.ts";

/** What a call can cost at worst. */
export interface WorstCase {
  usd: number | "unknown";
  tokens: number;
  ms: number;
}

export type Reserved = { state: BudgetState; notices: BudgetNotice[] } & (
  | { kind: "reserved" }
  | { kind: "over"; cap: CapReached }
);

export function openBudget(caps: BudgetCaps): BudgetState {
  return { caps, run: NOTHING, tasks: {}, roles: {}, unpriced: 0, reservations: {}, told: [] };
}

/** Refused when any cap could be crossed by this call together with all that are under way. */
export function reserve(state: BudgetState, id: string, payer: Payer, worst: WorstCase): Reserved {
  if (id in state.reservations) {
    throw new CupelError("already_exists", `the budget holds a reservation ${id} already`, {
      expected: "a new id for every call",
    });
  }
  const priced = worst.usd !== "unknown";
  const asked: Amounts = {
    microUsd: worst.usd === "unknown" ? 0 : microUsd(worst.usd),
    tokens: Math.ceil(worst.tokens),
    ms: Math.ceil(worst.ms),
  };
  const over = accounts(state, payer).flatMap((account) => crossed(account, asked, priced, state.caps))[0];
  if (over !== undefined) {
    const { reserved: _, asked: worth, ...notice } = over;
    // Without a price nothing is used up; the refusal itself says why.
    const found: BudgetNotice[] = worth === "unknown" ? [] : [{ kind: "budget_exhausted", ...notice }];
    return { kind: "over", cap: over, ...tellOnce(state, found) };
  }
  const reservation: Reservation = { task: payer.task, role: payer.role, worst: asked, priced };
  return {
    kind: "reserved",
    state: { ...state, reservations: { ...state.reservations, [id]: reservation } },
    notices: [],
  };
}

/** What the call used. Where the runtime did not tell, what was held back counts: unknown is never nothing. */
export function settle(
  state: BudgetState,
  id: string,
  spent: Spent & { ms: number },
): { state: BudgetState; notices: BudgetNotice[] } {
  const reservation = state.reservations[id];
  if (reservation === undefined) {
    throw new CupelError("not_found", `the budget holds no reservation ${id}`, {
      expected: "the id of a call that was reserved and not yet settled",
    });
  }
  const { usage } = spent;
  const used: Amounts = {
    microUsd: spent.costUsd === "unknown" ? reservation.worst.microUsd : microUsd(spent.costUsd),
    tokens: usage === "unknown" ? reservation.worst.tokens : usage.inputTokens + usage.outputTokens,
    ms: Math.ceil(spent.ms),
  };
  const unpriced = spent.costUsd === "unknown" && !reservation.priced ? 1 : 0;
  const settled = booked(state, id, reservation, used, unpriced);
  return tellOnce(settled, accounts(settled, reservation).flatMap(nearlyUsed));
}

/** After a crash nobody knows how the calls under way ended: all that was held back for them counts as spent. */
export function recover(state: BudgetState): { state: BudgetState; notices: BudgetNotice[] } {
  let recovered = state;
  const notices: BudgetNotice[] = [];
  for (const [id, { worst }] of Object.entries(state.reservations)) {
    const unknown = { usage: "unknown", costUsd: "unknown", ms: worst.ms } as const;
    const settled = settle(recovered, id, unknown);
    recovered = settled.state;
    notices.push(...settled.notices);
  }
  return { state: recovered, notices };
}

/** As it is kept between two runs of Cupel. */
export function toRecord(state: BudgetState): BudgetState {
  return structuredClone(state);
}

/** What was under way when it was written is over now, so it counts as spent; `caps` are those that hold from now on. */
export function fromRecord(
  record: unknown,
  caps?: BudgetCaps,
): { state: BudgetState; notices: BudgetNotice[] } {
  const kept = parseOrThrow(BudgetState, record, "the budget of the run");
  if (caps === undefined || canonicalHash(dropUndefined(caps)) === canonicalHash(dropUndefined(kept.caps)))
    return recover(kept);
  return recover({ ...kept, caps, told: [] });
}

/** Why a call does not start, for people. */
export function capText({ scope, subject, unit, cap, spent, reserved, asked }: CapReached): string {
  const whose = subject === null ? `the ${scope}` : `the ${scope} ${subject}`;
  if (asked === "unknown") {
    return `${whose} may spend ${cap} ${unit}, and no price is known for the model; budget.unknownPrices allows it anyway`;
  }
  return `${whose} may use ${cap} ${unit}; ${spent} are used, ${reserved} held back, and the call could take ${asked}`;
}

function tellOnce(
  state: BudgetState,
  found: BudgetNotice[],
): { state: BudgetState; notices: BudgetNotice[] } {
  const notices = found.filter((notice) => !state.told.includes(nameOf(notice)));
  if (notices.length === 0) return { state, notices };
  return { state: { ...state, told: [...state.told, ...notices.map(nameOf)] }, notices };
}

function nameOf({ kind, scope, subject, unit }: BudgetNotice): string {
  return [kind, scope, subject, unit].join(" ");
}

function booked(state: BudgetState, id: string, payer: Payer, used: Amounts, unpriced: number): BudgetState {
  const { [id]: _, ...reservations } = state.reservations;
  const { task, role } = payer;
  return {
    ...state,
    run: add(state.run, used),
    roles: { ...state.roles, [role]: add(state.roles[role] ?? NOTHING, used) },
    tasks: task === null ? state.tasks : { ...state.tasks, [task]: add(state.tasks[task] ?? NOTHING, used) },
    unpriced: state.unpriced + unpriced,
    reservations,
  };
}

/** Rounded up, but not by what binary fractions add. */
function microUsd(usd: number): number {
  return Math.ceil(Number((usd * 1_000_000).toFixed(3)));
}
