// The last word of a thread, whichever way it ended: what the tests showed and where the work stands, kept for people.
import { suiteText } from "../../domain/gatekeeper/suite-text.ts";
import type { TestSuiteRecord } from "../../domain/gatekeeper/test-suite-record.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import type { GatekeeperState, GatekeeperUpdate } from "./state.ts";

export async function exit(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate }> {
  const record = recordOf(state, ports);
  await ports.records.keep(context, "TEST_SUITE", {
    "suite.json": `${JSON.stringify(record, null, 2)}\n`,
    "suite.md": suiteText(record),
  });
  return { update: {} };
}

function recordOf(state: GatekeeperState, { assignment }: ProtocolPorts): TestSuiteRecord {
  const { outcome, asked } = state;
  return {
    task: assignment.task.task_id,
    module: assignment.module.module_id,
    shipped: outcome?.kind === "shipped" ? outcome.shipped.module : null,
    halted: outcome?.kind === "halted" ? outcome.halt.decision : null,
    verdict: state.verdict,
    expected: state.suite?.said.expected ?? null,
    results: state.results,
    failures: [...state.feedback],
    weaknesses: [...state.weaknesses],
    attempts: { builder: asked.builder, tester: asked.tester },
    graph: state.work,
  };
}
