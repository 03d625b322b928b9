// What was spent and what is held back, in whole units, so that sums are exact.
import { z } from "zod";
import { Role } from "../artifact/role.ts";
import { Budget } from "../run/run-event.ts";
import { TaskId, Text } from "../refs.ts";

const Count = z.int().nonnegative();

/** Millionths of a dollar, tokens and milliseconds. */
export const Amounts = z.strictObject({ microUsd: Count, tokens: Count, ms: Count });
export type Amounts = z.infer<typeof Amounts>;

export const BudgetCaps = z.strictObject({
  run: Budget,
  /** For each task alike. */
  task: Budget,
  /** For all calls of a role in the run. */
  roles: z.partialRecord(Role, Budget),
  /** Whether a model without a known price may be asked although money is capped. */
  unknownPrices: z.enum(["refuse", "allow"]),
});
export type BudgetCaps = z.infer<typeof BudgetCaps>;

/** Held back for one call until it is settled. */
export const Reservation = z.strictObject({
  task: TaskId.nullable(),
  role: Role,
  worst: Amounts,
  priced: z.boolean(),
});
export type Reservation = z.infer<typeof Reservation>;

export const BudgetState = z.strictObject({
  caps: BudgetCaps,
  run: Amounts,
  tasks: z.record(TaskId, Amounts),
  roles: z.partialRecord(Role, Amounts),
  /** How many settled calls cost nobody knows what; their money is in no sum. */
  unpriced: Count,
  reservations: z.record(Text, Reservation),
  /** What was said already, so that it is said once. */
  told: z.array(Text),
});
export type BudgetState = z.infer<typeof BudgetState>;
