// What a budget knows of each who pays: what is used, what is held back, and which cap a call would cross.
import type { Amounts, BudgetCaps, BudgetState, Reservation } from "../domain/agent/budget-state.ts";
import type { CapReached } from "../domain/agent/role-call-outcome.ts";
import type { Role } from "../domain/artifact/role.ts";
import type { Budget } from "../domain/run/run-event.ts";

/** Who pays. */
export interface Payer {
  task: string | null;
  role: Role;
}

/** Something to tell once: a cap that is nearly used up, or one that stopped a call. */
export interface BudgetNotice extends Omit<CapReached, "reserved" | "asked"> {
  kind: "budget_warning" | "budget_exhausted";
}

export const NOTHING: Amounts = { microUsd: 0, tokens: 0, ms: 0 };
const WARN_AT = 0.8;

export interface Account {
  scope: CapReached["scope"];
  subject: string | null;
  caps: Budget;
  spent: Amounts;
  reserved: Amounts;
}

export function accounts(state: BudgetState, { task, role }: Payer): Account[] {
  const under = Object.values(state.reservations);
  const all: Account[] = [
    { scope: "run", subject: null, caps: state.caps.run, spent: state.run, reserved: sum(under) },
    {
      scope: "role",
      subject: role,
      caps: state.caps.roles[role] ?? {},
      spent: state.roles[role] ?? NOTHING,
      reserved: sum(under.filter((entry) => entry.role === role)),
    },
  ];
  if (task === null) return all;
  const reserved = sum(under.filter((entry) => entry.task === task));
  return [
    ...all,
    { scope: "task", subject: task, caps: state.caps.task, spent: state.tasks[task] ?? NOTHING, reserved },
  ];
}

interface Unit {
  unit: CapReached["unit"];
  of: (amounts: Amounts) => number;
  /** One of the cap's units in whole ones. */
  scale: number;
}

const UNITS: readonly Unit[] = [
  { unit: "usd", of: ({ microUsd }) => microUsd, scale: 1_000_000 },
  { unit: "tokens", of: ({ tokens }) => tokens, scale: 1 },
  { unit: "minutes", of: ({ ms }) => ms, scale: 60_000 },
];

export function crossed(
  account: Account,
  asked: Amounts,
  priced: boolean,
  { unknownPrices }: BudgetCaps,
): CapReached[] {
  const { scope, subject, caps, spent, reserved } = account;
  return UNITS.flatMap(({ unit, of, scale }): CapReached[] => {
    const cap = caps[unit];
    if (cap === undefined) return [];
    const unknown = unit === "usd" && !priced;
    const fits = of(spent) + of(reserved) + of(asked) <= Math.floor(cap * scale + 1e-6);
    if (unknown ? unknownPrices === "allow" && fits : fits) return [];
    const inUnits = (amounts: Amounts): number => of(amounts) / scale;
    const state = { scope, subject, unit, cap, spent: inUnits(spent), reserved: inUnits(reserved) };
    return [{ ...state, asked: unknown ? "unknown" : inUnits(asked) }];
  });
}

export function nearlyUsed({ scope, subject, caps, spent }: Account): BudgetNotice[] {
  return UNITS.flatMap(({ unit, of, scale }): BudgetNotice[] => {
    const cap = caps[unit];
    if (cap === undefined || of(spent) < cap * scale * WARN_AT) return [];
    return [{ kind: "budget_warning", scope, subject, unit, cap, spent: of(spent) / scale }];
  });
}

export function add(a: Amounts, b: Amounts): Amounts {
  return { microUsd: a.microUsd + b.microUsd, tokens: a.tokens + b.tokens, ms: a.ms + b.ms };
}

function sum(reservations: readonly Reservation[]): Amounts {
  return reservations.reduce((total, { worst }) => add(total, worst), NOTHING);
}
