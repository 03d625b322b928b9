// Requests for another contract that wait for a person.
import { parse } from "../domain/parse.ts";
import { EscalationArtifact } from "../domain/people/escalation.ts";
import { raisedChange } from "../engineering/interface-change/decisions.ts";
import { withStore } from "./stores.ts";

export interface OpenChange {
  id: string;
  task: string;
  target: string;
  reason: string;
  evidence: string[];
  compatibility: string;
  urgency: string;
}

export async function openChanges(directory: string): Promise<OpenChange[]> {
  return withStore(directory, async (store) => {
    const found: OpenChange[] = [];
    for (const { kind, body } of await store.inbox.open()) {
      const escalation = parse(EscalationArtifact, body);
      if (kind !== "interface_change" || escalation.kind !== "ok") continue;
      const { interface_change_ref: id, task_id: task } = escalation.value;
      if (id === undefined) continue;
      const { exception } = await raisedChange(store, id);
      found.push({
        id,
        task,
        target: exception.target_module,
        reason: exception.reason,
        evidence: exception.evidence,
        compatibility: exception.compatibility_expectation,
        urgency: exception.urgency,
      });
    }
    return found;
  });
}
