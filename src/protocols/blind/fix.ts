// Lets a fixer mend the code. Whatever touches a test, leaves its paths or was tried before is thrown away, and counts.
import { fix as fixRole } from "../../agents/roles/fix.ts";
import { type FixTried, noted, repeatedFix, tried } from "../../domain/blind/understanding.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { workProblems } from "../work-problems.ts";
import { fixesExhausted, halted } from "./halt.ts";
import { CODE_PATHS, strayCode } from "./settings.ts";
import { present } from "../present.ts";
import { type BlindState, type BlindUpdate, counted } from "./state.ts";

type Fixed = { update: BlindUpdate; goto: "validate" | "fix" | "halt" };

export async function fix(state: BlindState, ports: ProtocolPorts, context: NodeContext): Promise<Fixed> {
  const base = present(state.merged, "merged commit");
  const { runs: _, ...understanding } = state.understanding;
  const answer = await ports.write(context, {
    role: fixRole,
    attempt: state.asked.fix + 1,
    base,
    input: {
      functions: [...state.functions],
      structured_failures: state.failures.map(({ failure }) => failure),
      gate_findings: [...state.gateFindings],
      understanding,
      write_in: [...CODE_PATHS],
    },
  });
  const attempted = { ...counted(state, "fix"), fixAttempts: state.fixAttempts + 1 };
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), attempted);
  const { work, output } = answer;
  const after = { ...state, ...attempted };
  if (work.kind !== "taken")
    return thrownAway(after, ports, workProblems(work, { todo: "mend the code" }).join("; "), attempted);
  const { commit } = work;
  const stray = strayCode(await ports.changed(context, { base, commit }));
  if (stray.length > 0)
    return thrownAway(after, ports, `it changed ${stray.join(", ")}, which no fix may touch`, attempted);
  const contents = await ports.contents(context, { contract: present(state.contract, "contract"), commit });
  const fixes = output.changes.map((change): FixTried => ({
    ...change,
    code: codeOf(change.function, contents),
  }));
  const repeated = repeatedFix(state.understanding, fixes);
  if (repeated !== undefined) {
    const why = `the code of ${repeated.function} is what was tried before (${repeated.whatChanged})`;
    return thrownAway(after, ports, why, attempted);
  }
  return {
    update: {
      ...attempted,
      merged: commit,
      fixes: [...state.fixes, commit],
      afterFix: true,
      gateFindings: [],
      understanding: tried(state.understanding, fixes),
    },
    goto: "validate",
  };
}

function thrownAway(state: BlindState, { assignment }: ProtocolPorts, why: string, more: BlindUpdate): Fixed {
  const understanding = noted(state.understanding, `Attempt ${state.fixAttempts} was thrown away: ${why}.`);
  const update = { ...more, understanding };
  if (state.fixAttempts < assignment.rigor.maxFixAttempts) return { update, goto: "fix" };
  return halted(state, fixesExhausted(state.fixAttempts, { ...state, understanding }), update);
}

/** Where the function cannot be told from the rest, the file that holds the entry points stands for it. */
function codeOf(name: string, contents: ReadonlyMap<string, string>): string {
  return contents.get(name) ?? contents.get("src/index.ts") ?? "";
}
