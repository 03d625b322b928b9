// The tester at work: it reads the code, writes below `test/` only, and what it says about results counts for nothing.
import { tester } from "../../agents/roles/tester.ts";
import { requiredLayers } from "../../domain/evidence/test-layer.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import { suiteExhausted } from "./halt.ts";
import { gaveUp, move } from "./move.ts";
import { counted, type GatekeeperState, type GatekeeperUpdate } from "./state.ts";
import { workFindings } from "./work-findings.ts";

const WRITE_IN = ["test/"];

export async function testCode(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate; goto: "test" | "judge" | "halt" }> {
  const { attempt, asked } = counted(state, "tester");
  const { suite, findings } = state;
  const { dependencies, rigor } = ports.assignment;
  const base = baseOf(state);
  const phase = findings.length > 0 ? ("revise" as const) : ("propose" as const);
  const hasDependencies = dependencies.length > 0;
  const answer = await ports.write(context, {
    role: tester,
    attempt,
    base,
    input: {
      phase,
      contract: present(state.contract, "contract"),
      research: present(state.research, "research"),
      dependencies: [...dependencies],
      structured_failures: [...state.earlierFailures],
      layers: requiredLayers(rigor, { hasDependencies, allVerified: false }),
      findings: [...findings],
      write_in: [...WRITE_IN],
    },
    ...(phase === "revise" ? { situation: { phase } } : {}),
  });
  const to = { tester: "test", harness: "judge" } as const;
  if (answer.kind === "stopped")
    return gaveUp(state, { node: "TEST_SUITE", to, stop: answer.stop }, { asked });
  const { output: said, pack } = answer;
  const found = await workFindings(ports, context, {
    base,
    work: answer.work,
    places: WRITE_IN,
    todo: "write the tests",
  });
  if (found.kind === "refused") {
    const weaknesses = [...state.weaknesses, ...found.findings];
    return move(
      state,
      { node: "TEST_SUITE", facts: { suite: "refused" }, to, reason: () => suiteExhausted(found.findings) },
      { asked, findings: found.findings, weaknesses },
    );
  }
  return move(
    state,
    { node: "TEST_SUITE", facts: { suite: "delivered" }, to, reason: () => suiteExhausted([]) },
    { asked, suite: { commits: [...(suite?.commits ?? []), found.commit], said, pack }, findings: [] },
  );
}

/** The code alone, or what the harness brought together the last time. */
function baseOf({ suite, merged, code }: GatekeeperState): string {
  return suite === null
    ? present(code?.commits.at(-1), "code")
    : present(merged, "code together with its tests");
}
