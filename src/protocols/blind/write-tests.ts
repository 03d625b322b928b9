// The testers at work: one workspace each, from the skeleton or from their own last commit, never from anybody else's.
import { tests as testsRole } from "../../agents/roles/tests.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { blindInput } from "./blind-input.ts";
import { flavoursOf, testPaths } from "./settings.ts";
import { sideBySide } from "./side-by-side.ts";
import { present } from "../present.ts";
import { type BlindState, type BlindUpdate, counted, type Suite } from "./state.ts";

/** All testers begin from the skeleton. */
export function firstTests(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<BlindUpdate> {
  const suites = flavoursOf(ports).map((flavour): Suite => ({
    flavour,
    commits: [],
    properties: [],
    pack: "none",
    findings: [],
  }));
  return writeTests({ ...state, suites }, ports, context, () => true);
}

/** Those whom it concerns are asked once more, all at the same time; `letters` go to all of them. */
export async function writeTests(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
  concerns: (suite: Suite) => boolean,
  letters: readonly string[] = [],
): Promise<BlindUpdate> {
  const flavours = flavoursOf(ports);
  const called = state.suites.filter(concerns);
  const { works, ending } = await sideBySide({
    works: called,
    asked: state.asked.tests,
    todo: "write the tests",
    write({ flavour, commits, findings }, attempt) {
      const phase = findings.length > 0 ? ("revise" as const) : ("propose" as const);
      return ports.write(context, {
        role: testsRole,
        attempt,
        base: commits.at(-1) ?? present(state.skeleton, "skeleton"),
        input: {
          ...blindInput(state, { phase, findings, letters, side: "tests" }),
          flavour,
          write_in: testPaths(flavour, flavours),
        },
        ...(phase === "revise" ? { situation: { phase } } : {}),
      });
    },
    said: (suite, { properties }, pack) => ({ ...suite, properties, pack }),
  });
  const suites = state.suites.map((suite) => works[called.indexOf(suite)] ?? suite);
  return { ...counted(state, "tests", called.length), suites, testsEnding: ending };
}
