// The span of one role call: who was asked, which model, how it ended and what it cost; never what was said.
import { context as contexts, SpanKind, trace } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";
import type { CallKey } from "../domain/agent/call-key.ts";
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import { kindOfError, setFailed, setSpent } from "./spans-end.ts";
import * as names from "./spans-names.ts";

export interface TracedCall {
  key: CallKey;
  /** As `provider:model`. */
  model: string;
}

/** What a role may well answer; everything else is an error of the call. */
const GOOD: ReadonlySet<RoleCallOutcome["kind"]> = new Set(["done", "blocked", "retry", "stuck"]);

export async function traceRoleCall<Outcome extends RoleCallOutcome>(
  tracer: Tracer,
  { key, model }: TracedCall,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const colon = model.indexOf(":");
  const attributes = {
    [names.OPERATION]: names.OPERATIONS.agent,
    [names.AGENT]: key.role,
    ...(colon > 0 && { [names.PROVIDER]: model.slice(0, colon) }),
    [names.MODEL]: model.slice(colon + 1),
    [names.NODE]: key.node,
    [names.ATTEMPT]: key.attempt,
    ...(key.task !== null && { [names.TASK]: key.task }),
    ...(key.module !== null && { [names.MODULE]: key.module }),
  };
  const name = `${names.OPERATIONS.agent} ${key.role}`;
  const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes });
  try {
    const outcome = await contexts.with(trace.setSpan(contexts.active(), span), work);
    span.setAttribute(names.OUTCOME, outcome.kind);
    span.setAttribute(names.ASKED, outcome.asked);
    setSpent(span, outcome);
    if (!GOOD.has(outcome.kind)) setFailed(span, outcome.kind);
    return outcome;
  } catch (cause) {
    setFailed(span, kindOfError(cause));
    throw cause;
  } finally {
    span.end();
  }
}
