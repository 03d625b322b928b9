// Which call of which role something belongs to; scripts and recordings are matched by it, never by order.
import { z } from "zod";
import { Role } from "../artifact/role.ts";
import { ModuleId, TaskId, Text } from "../refs.ts";

/** One call of one role. The factory counts the attempts. */
export const CallKey = z.strictObject({
  role: Role,
  /** Null before there are tasks. */
  task: TaskId.nullable(),
  /** Null where the work is on a whole task. */
  module: ModuleId.nullable(),
  node: Text,
  attempt: z.int().positive(),
  /** 1, which may be left out, is the call itself; a nudge and a repair go on from it as the next ones. */
  turn: z.int().positive().optional(),
});
export type CallKey = z.infer<typeof CallKey>;

/** One line that is equal exactly for equal keys, and that a person can read. */
export function keyText(key: CallKey): string {
  const node = encodeURIComponent(key.node.toWellFormed());
  const place = [key.role, key.task ?? "-", key.module ?? "-", node].join(" ");
  return `${place} attempt ${key.attempt} turn ${key.turn ?? 1}`;
}
