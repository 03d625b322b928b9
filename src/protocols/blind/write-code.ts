// The implementers at work: one workspace each, from the skeleton or from their own last commit, and never with tests.
import { impl as implRole } from "../../agents/roles/impl.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { blindInput } from "./blind-input.ts";
import { CODE_PATHS, settingsOf } from "./settings.ts";
import { sideBySide } from "./side-by-side.ts";
import { present } from "../present.ts";
import { type BlindState, type BlindUpdate, counted, type Implementation } from "./state.ts";

/** All implementers begin from the skeleton. */
export function firstCode(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<BlindUpdate> {
  const impls = Array.from({ length: settingsOf(ports).implementers }, (_, number): Implementation => ({
    number,
    commits: [],
    says: [],
    pack: "none",
    findings: [],
  }));
  return writeCode({ ...state, impls }, ports, context, () => true);
}

export async function writeCode(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
  concerns: (one: Implementation) => boolean,
  letters: readonly string[] = [],
): Promise<BlindUpdate> {
  const called = state.impls.filter(concerns);
  const { works, ending } = await sideBySide({
    works: called,
    asked: state.asked.impl,
    todo: "write the code",
    write({ commits, findings }, attempt) {
      const phase = findings.length > 0 ? ("revise" as const) : ("propose" as const);
      return ports.write(context, {
        role: implRole,
        attempt,
        base: commits.at(-1) ?? present(state.skeleton, "skeleton"),
        input: {
          ...blindInput(state, { phase, findings, letters, side: "impl" }),
          write_in: [...CODE_PATHS],
        },
        ...(phase === "revise" ? { situation: { phase } } : {}),
      });
    },
    said: (one, { functions }, pack) => ({ ...one, says: functions.map(({ name }) => name), pack }),
  });
  const impls = state.impls.map((one) => works[called.indexOf(one)] ?? one);
  return { ...counted(state, "impl", called.length), impls, implEnding: ending };
}
