// What the crash tests of writing do, in the process that is killed and in the one that goes on.
import { proposer } from "../src/agents/roles/proposer.ts";
import type { NodeContext } from "../src/graph/port.ts";
import { type Ground, line } from "./engineering-ground.ts";
import { inModule, inNode, OWN, PERCENT_CONTRACT, PERCENT_FILES, percentInput } from "./module-ground.ts";

export const HOLDER = "the crash tests";
/** One line for each call that was paid for. */
export const CALLS = ".calls";

export const WRITING = [
  line({
    role: "proposer",
    module: OWN,
    node: "make",
    files: inModule(PERCENT_FILES),
    output: { claim: "done", acceptance_checks: ["`half is fifty`: shown"], applied_amendments: [] },
  }),
];

export function writePercent(ground: Ground, point: (where: string) => void) {
  return inNode(ground, async (turn) => {
    const context = withPoints(turn.context, point);
    const base = await turn.ports.scaffold(context, PERCENT_CONTRACT);
    const input = percentInput(turn);
    const written = await turn.ports.write(context, { role: proposer, input, attempt: 1, base });
    const { records } = turn.ports;
    if (written.kind !== "answered" || written.work.kind !== "taken")
      throw new Error(JSON.stringify(written));
    const { commit } = written.work;
    const proposal = await records.propose(context, {
      claim: "done",
      acceptance_checks: ["run it"],
      deliverable: { kind: "module", commit },
      by: { role: "proposer", pack: written.pack },
    });
    return { base, commit, pack: written.pack, proposal };
  });
}

function withPoints(context: NodeContext, point: (where: string) => void): NodeContext {
  return {
    ...context,
    once: async (name, schema, work) => {
      const given = await context.once(name, schema, async () => {
        point(`begin ${name}`);
        const value = await work();
        point(`worked ${name}`);
        return value;
      });
      point(`after ${name}`);
      return given;
    },
  };
}
