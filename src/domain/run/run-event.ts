// Everything that happens in a run, as the journal keeps it: one line per event, in order, never changed afterwards.
import { z } from "zod";
import { ArtifactRef, idOfType } from "../artifact/artifact-type.ts";
import { Role } from "../artifact/role.ts";
import { Verdict } from "../debate/debate-records.ts";
import { CostUsd, GateVerdict } from "../evidence/gate-verdict.ts";
import { refuse } from "../parse.ts";
import { IntegrationGate } from "../people/integration-verdict.ts";
import { ReleaseVersion } from "../people/release.ts";
import { ResolutionAction } from "../people/resolution.ts";
import { MessageKind } from "./message.ts";
import { IsoTime, ModuleId, ModuleRef, PayloadRef, TaskId, Text } from "../refs.ts";
import { isLegalTransition, TaskStatus } from "../task/task-status.ts";

const everyEvent = { seq: z.int().nonnegative(), at: IsoTime, runId: Text };

/** Caps; what is left out is not limited. */
export const Budget = z.strictObject({
  usd: z.number().positive().optional(),
  tokens: z.int().positive().optional(),
  minutes: z.number().positive().optional(),
});
export type Budget = z.infer<typeof Budget>;

/** Tokens; what a runtime does not tell is unknown, never zero. */
export const Usage = z.union([
  z
    .strictObject({
      inputTokens: z.int().nonnegative(),
      outputTokens: z.int().nonnegative(),
      /** How many of the input tokens the provider had kept from earlier; left out where it does not tell. */
      cachedInputTokens: z.int().nonnegative().optional(),
    })
    .refine(({ inputTokens, cachedInputTokens = 0 }) => cachedInputTokens <= inputTokens, {
      path: ["cachedInputTokens"],
      error: "at most as many as were read",
    }),
  z.literal("unknown"),
]);
export type Usage = z.infer<typeof Usage>;

/** One call of one role. The factory counts the attempts. */
const roleCall = {
  role: Role,
  /** Null before there are tasks. */
  task: TaskId.nullable(),
  /** Null where the work is on a whole task. */
  module: ModuleId.nullable(),
  node: Text,
  attempt: z.int().positive(),
};
/** Also of calls that failed: they were paid for. */
const spent = { usage: Usage, costUsd: CostUsd };
export const Spent = z.strictObject(spent);
export type Spent = z.infer<typeof Spent>;

/** The transcript is null where nothing was said. */
const roleCallEnded = { ...roleCall, ...spent, transcriptRef: PayloadRef.nullable() };

/** One node of a durable graph, started for one step of its thread. */
const node = {
  thread: Text,
  graph: Text,
  node: Text,
  attempt: z.int().positive(),
};
/** What was spent since the node's event before; the sum over all events is what the thread has cost. */
const nodeEnded = { ...node, durationMs: z.number().nonnegative(), spent: Spent };

/** A message by its id, to a node of a thread. */
const message = { thread: Text, node: Text, message: Text };

/** Advisory work, which a node of a thread asked for. */
const advice = { thread: Text, node: Text, job: Text };

/** Deferring an interface change resolves nothing, so it is not here. */
const ResolvedBy = z.enum([...ResolutionAction.options, "APPROVE_CHANGE", "REJECT_CHANGE"]);

const spec = { spec: ArtifactRef };
const task = { task: TaskId };
const release = idOfType("RELEASE_MANIFEST");
const budget = {
  scope: z.enum(["run", "task", "role"]),
  /** The task or role; null for the run. */
  subject: Text.nullable(),
  unit: z.enum(["usd", "tokens", "minutes"]),
  spent: z.number().nonnegative(),
  cap: z.number().positive(),
};

const TaskTransitioned = z
  .strictObject({
    kind: z.literal("task_transitioned"),
    ...everyEvent,
    ...task,
    /** Null for a task that is new. */
    from: TaskStatus.nullable(),
    to: TaskStatus,
    why: Text,
  })
  .superRefine(({ from, to }, context) => {
    const legal = from === null ? to === "PENDING" || to === "BLOCKED" : isLegalTransition(from, to);
    if (!legal) refuse(context, ["to"], `a status that ${from ?? "a new task"} may get`, to);
  });

export const RunEvent = z.discriminatedUnion("kind", [
  event("run_opened", {
    budget: Budget,
    /** How its agents behave, where they are simulated. */
    simulated: Text.optional(),
  }),
  event("run_closed", { outcome: z.enum(["completed", "halted", "stopped", "failed"]) }),

  event("spec_drafted", spec),
  event("spec_approved", spec),
  event("spec_rejected", { ...spec, reason: Text }),
  event("spec_amended", { ...spec, reason: Text }),

  TaskTransitioned,

  event("module_planned", { ...task, module: ModuleId, reused: ModuleRef.nullable() }),
  event("module_shipped", { ...task, module: ModuleRef, shipRef: idOfType("SHIP_EVIDENCE") }),
  event("module_refused", {
    ...task,
    module: ModuleRef,
    /** Before it was debated, where no gate could even look at it, or at the door. */
    during: z.enum(["examine", "ship"]).default("ship"),
    findings: z.array(Text).min(1),
  }),

  /** An agent's plan that the checks did not let through; it is asked again, or a person is. */
  event("plan_refused", { ...task, attempt: z.int().positive(), findings: z.array(Text).min(1) }),
  /** What a challenger said that counts. */
  event("work_challenged", {
    ...task,
    module: ModuleId.nullable(),
    challenge: idOfType("CHALLENGE"),
    verdict: Verdict,
    failures: z.array(Text),
  }),

  event("role_call_started", roleCall),
  event("role_call_finished", roleCallEnded),
  event("role_call_failed", { ...roleCallEnded, reason: Text }),

  event("node_started", node),
  event("node_finished", nodeEnded),
  event("node_failed", { ...nodeEnded, reason: Text }),
  event("node_retried", { ...nodeEnded, reason: Text, waitMs: z.number().nonnegative() }),

  event("message_delivered", { ...message, messageKind: MessageKind, type: Text, from: Text }),
  event("message_acknowledged", message),

  event("advice_started", { ...advice, start: z.int().positive() }),
  event("advice_reported", advice),
  event("advice_failed", { ...advice, reason: Text }),
  event("advice_timed_out", advice),

  event("gate_verdict_recorded", {
    ...task,
    module: ModuleRef,
    /** Before it was debated, or at the door. */
    during: z.enum(["examine", "ship"]),
    /** Whether this verdict sends the module back. */
    blocks: z.boolean(),
    verdict: GateVerdict,
  }),

  event("escalation_raised", { ...task, escalation: idOfType("ESCALATION") }),
  event("escalation_resolved", { ...task, escalation: idOfType("ESCALATION"), action: ResolvedBy }),

  /** What an architect wrote and the harness did not accept; it is asked again, or a person is. */
  event("e2e_suite_refused", { attempt: z.int().positive(), findings: z.array(Text).min(1) }),
  event("e2e_suite_accepted", {
    suite: idOfType("TEST_SUITE"),
    commit: Text,
    tests: z.int().positive(),
    criteria: z.int().positive(),
    /** Criteria that nobody can show from outside. */
    notShown: z.array(Text),
  }),

  event("product_released", { release, version: ReleaseVersion, commit: Text }),
  event("release_refused", { release, gates: z.array(IntegrationGate).min(1) }),
  event("module_deprecated", {
    module: ModuleRef,
    reason: Text,
    replacement: ModuleRef.nullable(),
    /** Those that are told of it: whatever is built on it, directly or not. */
    downstream: z.array(ModuleRef),
  }),

  event("budget_warning", budget),
  event("budget_exhausted", budget),
]);
export type RunEvent = z.infer<typeof RunEvent>;

function event<Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) {
  return z.strictObject({ kind: z.literal(kind), ...everyEvent, ...shape });
}

/** A call of a role that came to its end, whichever. */
export type CallEnd = Extract<RunEvent, { kind: "role_call_finished" | "role_call_failed" }>;

export function isCallEnd(event: RunEvent): event is CallEnd {
  return event.kind === "role_call_finished" || event.kind === "role_call_failed";
}
