// How the call of a role ended. None of these is an exception: whoever asked routes on them.
import { z } from "zod";
import { Usage } from "../run/run-event.ts";
import { CostUsd } from "../evidence/gate-verdict.ts";
import { PayloadRef, Text } from "../refs.ts";
import { Blocker, RequestRetry } from "./exit.ts";

const SpentOnCall = {
  usage: Usage,
  costUsd: CostUsd,
  /** How often the runtime was asked: a repair, a nudge and each try after a busy answer count. */
  asked: z.int().nonnegative(),
  /** Null where nothing was said. */
  transcriptRef: PayloadRef.nullable(),
};

const ProblemFound = z.strictObject({ path: Text, expected: Text, found: z.string() });

/** Which cap a call could have crossed. */
export const CapReached = z.strictObject({
  scope: z.enum(["run", "task", "role"]),
  /** The task or role; null for the run. */
  subject: Text.nullable(),
  unit: z.enum(["usd", "tokens", "minutes"]),
  cap: z.number().positive(),
  spent: z.number().nonnegative(),
  /** Held back for calls that are under way. */
  reserved: z.number().nonnegative(),
  /** What the call could cost at worst; unknown where the model has no price. */
  asked: z.union([z.number().nonnegative(), z.literal("unknown")]),
});
export type CapReached = z.infer<typeof CapReached>;

/** `output` is what the role's own schema says. */
export function roleCallOutcome<Output extends z.ZodType>(output: Output) {
  return z.discriminatedUnion("kind", [
    /** `session` can be gone on from where the runtime allows it. */
    z.strictObject({ kind: z.literal("done"), ...SpentOnCall, output, session: Text }),
    z.strictObject({ kind: z.literal("blocked"), ...SpentOnCall, blocker: Blocker }),
    z.strictObject({ kind: z.literal("retry"), ...SpentOnCall, request: RequestRetry }),
    /** Asked for another attempt when there was none left. */
    z.strictObject({ kind: z.literal("stuck"), ...SpentOnCall, request: RequestRetry }),
    /** Also the repair did not help; `problems` are those of the last answer. */
    z.strictObject({ kind: z.literal("invalid"), ...SpentOnCall, problems: z.array(ProblemFound).min(1) }),
    z.strictObject({ kind: z.literal("timed-out"), ...SpentOnCall, why: Text }),
    z.strictObject({ kind: z.literal("refused"), ...SpentOnCall, why: Text }),
    z.strictObject({ kind: z.literal("too-long"), ...SpentOnCall, why: Text }),
    /** Waiting did not help either: the caller halts with an escalation. */
    z.strictObject({ kind: z.literal("unavailable"), ...SpentOnCall, why: Text }),
    z.strictObject({ kind: z.literal("failed"), ...SpentOnCall, why: Text, hint: Text.nullable() }),
    z.strictObject({ kind: z.literal("over-budget"), ...SpentOnCall, cap: CapReached }),
    z.strictObject({ kind: z.literal("aborted"), ...SpentOnCall }),
  ]);
}

/** For those who keep outcomes of any role. */
export const RoleCallOutcome = roleCallOutcome(z.unknown());
export type RoleCallOutcome<Output = unknown> = z.infer<
  ReturnType<typeof roleCallOutcome<z.ZodType<Output>>>
>;
