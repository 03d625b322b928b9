// A word that leaves the task halted must not leave it without a question: what stood is asked again, with that word.
import { parse } from "../../domain/parse.ts";
import type {
  InterfaceChangeAnnotation,
  InterfaceChangeException,
} from "../../domain/people/interface-change.ts";
import { EscalationArtifact } from "../../domain/people/escalation.ts";
import type { StateStore } from "../../store/state-store.ts";
import { escalate, type Escalated, type Grounds } from "../escalation.ts";
import type { TaskOrder, TaskPorts } from "../port.ts";

/** The same question as long as nobody has answered it; who puts it off once more is asked once more. */
export async function askAgain(
  ports: TaskPorts,
  order: TaskOrder,
  exception: InterfaceChangeException,
  { number, decision }: InterfaceChangeAnnotation,
): Promise<Escalated> {
  const id = exception.exception_id;
  const grounds = { ...(await groundsSoFar(ports.store, exception)), interface_change_decision: decision };
  for (let turn = 1; ; turn += 1) {
    const round = `${id}-${number}-${turn}`;
    const escalated = await escalate(ports, order, { ...grounds, ...asked(exception, decision) }, round);
    if (escalated.kind === "stopped") return escalated;
    const question = await ports.store.inbox.find(escalated.escalation.escalation_id);
    if (question === undefined || question.answer === null) return escalated;
  }
}

function asked(
  { exception_id, target_module }: InterfaceChangeException,
  decision: InterfaceChangeAnnotation["decision"],
): Pick<Grounds, "minimal_decision_required" | "resolution_context"> {
  if (decision.decision !== "REJECT_CHANGE")
    return {
      minimal_decision_required: `Decide about ${exception_id}, which was put off: whether the contract of ${target_module} changes.`,
      resolution_context: `Until somebody decides about ${exception_id}, the task stays halted.`,
    };
  return {
    minimal_decision_required: `Say how the task goes on with the contract of ${target_module} as it is.`,
    resolution_context: `${exception_id} was rejected, and the task was not sent back to work: ${decision.reason}`,
  };
}

type Lasting = Omit<Grounds, "minimal_decision_required" | "resolution_context">;

/** Everything that the escalation before told. */
async function groundsSoFar(
  { artifacts, payloads }: StateStore,
  { exception_id }: InterfaceChangeException,
): Promise<Lasting> {
  for (const { body } of (await artifacts.query({ type: "ESCALATION" })).toReversed()) {
    const payload = body["escalation.json"];
    if (payload === undefined) continue;
    const before = parse(EscalationArtifact, JSON.parse(String(await payloads.get(payload))));
    if (before.kind === "ok" && before.value.interface_change_ref === exception_id)
      return lasting(before.value);
  }
  return {
    debate_trail: { proposals: [], challenges: [], adjudications: [] },
    failed_invariants: [],
    recommended_resolution: "AMEND_SPEC",
    interface_change_ref: exception_id,
  };
}

function lasting(before: EscalationArtifact): Lasting {
  const {
    escalation_id: _id,
    task_id: _task,
    task_ref: _path,
    created_at: _at,
    state_machine_snapshot: _state,
    resolution: _resolution,
    interface_change: _request,
    minimal_decision_required: _decision,
    resolution_context: _context,
    ...grounds
  } = before;
  return grounds;
}
