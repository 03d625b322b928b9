// Runs the verified tests on the merged code and decides by what came of it: go on, mend, or ask a person.
import { learn, stuckOn, type Understanding } from "../../domain/blind/understanding.ts";
import { patternOf } from "../../domain/evidence/structured-failure.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import type { FailedTest, Tested } from "../seen.ts";
import { buildBroken, fixesExhausted, halted, notConverging, stuck } from "./halt.ts";
import { present } from "../present.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

export async function validate(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "post_validate" | "fix" | "halt" }> {
  const contract = present(state.contract, "contract");
  const commit = present(state.merged, "merged commit");
  const tested = await ports.test(context, { contract, commit });
  if (tested.kind === "broken" && state.afterFix) return halted(state, buildBroken(tested.errors));
  const failures = failuresOf(tested);
  if (failures.length === 0) return { update: { failures: [], afterFix: false }, goto: "post_validate" };
  const understanding = learn(
    state.understanding,
    failures.map(({ failure, functions }) => patternOf(failure, functions)),
  );
  return mendOrHalt({ ...state, failures, understanding }, ports, { failures, understanding });
}

/** The reasons to stop, from the most telling to the plainest. */
function mendOrHalt(
  state: BlindState,
  { assignment }: ProtocolPorts,
  update: { failures: FailedTest[]; understanding: Understanding },
): { update: BlindUpdate; goto: "fix" | "halt" } {
  const patterns = stuckOn(state.understanding);
  if (patterns.length > 0) return halted(state, stuck(patterns, state.failures), update);
  if (!state.understanding.converging) return halted(state, notConverging(state), update);
  if (state.fixAttempts >= assignment.rigor.maxFixAttempts)
    return halted(state, fixesExhausted(state.fixAttempts, state), update);
  return { update, goto: "fix" };
}

/** What could not run has failed, too, and so has a run in which nothing passed. */
function failuresOf(tested: Tested): FailedTest[] {
  switch (tested.kind) {
    case "ran":
      if (tested.failures.length > 0 || tested.passed > 0) return tested.failures;
      return [whole("ParseError", "not a single test ran")];
    case "broken":
      return [whole("ParseError", tested.errors.join("\n"))];
    case "no-report":
    default:
      return [whole(tested.timedOut ? "Timeout" : "ParseError", tested.why)];
  }
}

function whole(failureType: "ParseError" | "Timeout", message: string): FailedTest {
  return { failure: { propertyName: "the module and its tests run", failureType, message }, functions: [] };
}
