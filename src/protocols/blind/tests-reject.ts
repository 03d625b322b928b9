// Tests that cannot be believed go back to their authors alone, with their own budget; the implementation is kept.
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { halted, testsExhausted } from "./halt.ts";
import type { BlindState, BlindUpdate } from "./state.ts";
import { writeCode } from "./write-code.ts";
import { writeTests } from "./write-tests.ts";

/** Of one thread, whatever the reasons. */
export const MAX_TEST_REJECTIONS = 2;

export function rejectTests(state: BlindState): { update: BlindUpdate; goto: "retest" | "halt" } {
  const findings = state.suites.flatMap((suite) => suite.findings);
  if (state.testRejections >= MAX_TEST_REJECTIONS)
    return halted(state, testsExhausted(state.testRejections, findings));
  return { update: { testRejections: state.testRejections + 1 }, goto: "retest" };
}

/** Whoever has findings to answer. */
export async function retest(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "verify_tdd" | "halt" }> {
  const update = await writeTests(state, ports, context, ({ findings }) => findings.length > 0);
  return toVerify(state, update, update.testsEnding);
}

export async function redoImpl(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "verify_tdd" | "halt" }> {
  const update = await writeCode(state, ports, context, ({ findings }) => findings.length > 0);
  return toVerify(state, update, update.implEnding);
}

function toVerify(
  state: BlindState,
  update: BlindUpdate,
  ending: BlindUpdate["testsEnding"],
): { update: BlindUpdate; goto: "verify_tdd" | "halt" } {
  if (ending?.kind === "stopped") return halted(state, stoppedBy(ending.stop), update);
  return { update, goto: "verify_tdd" };
}
