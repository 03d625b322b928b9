// A request for another contract as an agent would have raised it, for tests of what becomes of it.
import type { TaskPorts } from "../src/engineering/port.ts";

export const ICE = "ICE-0a1b2c3d";

export const EXCEPTION = {
  exception_id: ICE,
  type: "CANNOT_SUPPORT",
  raised_by: { artifact_ref: "MM-files@1.0.0", role: "proposer", run_id: "r-1" },
  target_module: "MM-slugify@1.0.0",
  reason: "File names need an underscore between words.",
  evidence: ["a file name with a dash is refused by the importer"],
  proposed_contract_delta: { removed_inputs: ["title"] },
  compatibility_expectation: "UNKNOWN",
  urgency: "HIGH",
};

export async function raiseSample({ store, fence }: TaskPorts): Promise<void> {
  await store.artifacts.create(fence, {
    id: ICE,
    type: "INTERFACE_CHANGE_EXCEPTION",
    pillar: "text",
    createdBy: { role: "harness", run_id: "r-1" },
    contextPackRef: null,
    body: { "exception.json": JSON.stringify(EXCEPTION) },
  });
  await store.documents.write(fence, "exceptions", `${ICE}.json`, EXCEPTION);
}
