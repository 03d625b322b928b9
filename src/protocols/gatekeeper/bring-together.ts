// Brings code and tests together in a fresh place: the tests alone on the skeleton, and both with each other.
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import type { GatekeeperState } from "./state.ts";

export type Together =
  | { kind: "together"; merged: string; suiteCommit: string }
  /** Files that both changed in ways that do not fit. */
  | { kind: "conflict"; files: string[] };

/** A person's fix is whole already: its tests are the ones that count. */
export async function bringTogether(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Together> {
  if (state.fix !== null) {
    const merged = present(state.merged, "commit of the fix");
    return { kind: "together", merged, suiteCommit: merged };
  }
  const base = present(state.skeleton, "skeleton");
  // A tester works on top of code, which is no part of its tests.
  const tests = present(state.suite, "tests").commits;
  const alone = await ports.merge(context, {
    base,
    commits: tests,
    description: "tests on the skeleton",
  });
  if (alone.kind === "conflict") return alone;
  const commits = [...present(state.code, "code").commits, ...tests];
  const both = await ports.merge(context, {
    base,
    commits,
    description: "code and tests together",
  });
  if (both.kind === "conflict") return both;
  return { kind: "together", merged: both.commit, suiteCommit: alone.commit };
}
