// What survivors lead to when they block: an adversary says which properties are missing, testers write them, and the
// tests are verified on stubs again before the code has to pass them.
import { mutationAdversary } from "../../agents/roles/mutation-adversary.ts";
import type { MutationAdversaryOutput } from "../../domain/agent/blind-roles.ts";
import { withSketches } from "../../domain/blind/function-spec.ts";
import type { FunctionSpec } from "../../domain/blind/function-spec.ts";
import type { MutationResult, SuiteGap, Survivor } from "../../domain/blind/suite-verdict.ts";
import { withoutCode } from "../../domain/blind/without-code.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { Answer, ProtocolPorts } from "../port.ts";
import { halted, survivorsLeft } from "./halt.ts";
import { present } from "../present.ts";
import { type BlindState, type BlindUpdate, counted } from "./state.ts";
import { writeTests } from "./write-tests.ts";

export interface Survived {
  contract: MicroModuleContract;
  commit: string;
  functions: FunctionSpec[];
  survivors: Survivor[];
}

/** Also asked beside the graph, where survivors are only worth knowing. */
export async function askAdversary(
  ports: ProtocolPorts,
  context: NodeContext,
  { contract, commit, functions, survivors }: Survived,
  attempt: number,
): Promise<Answer<MutationAdversaryOutput>> {
  const [symbols, text] = await Promise.all([
    ports.symbols(context, { contract, commit }),
    ports.read(context, commit),
  ]);
  const files =
    text.kind === "read"
      ? Object.entries(text.files).map(([path, content]) => ({ path, text: content }))
      : [{ path: "src/index.ts", text: text.problem }];
  return ports.ask(context, {
    role: mutationAdversary,
    attempt,
    input: { functions, files, symbols, survivors },
  });
}

export async function attackSuite(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "mutation_fix" | "halt" }> {
  const mutation = present(state.mutation, "mutation result");
  const survived = {
    contract: present(state.contract, "contract"),
    commit: present(state.merged, "merged commit"),
    functions: [...state.functions],
    survivors: mutation.survivors,
  };
  const answer = await askAdversary(ports, context, survived, state.asked.mutation_adversary + 1);
  const asked = counted(state, "mutation_adversary");
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), asked);
  const result = told(mutation, {
    ...answer.output,
    gaps: await inWords(state, ports, context, answer.output.gaps),
  });
  const update = { ...asked, mutation: result };
  // Only the harness can show that a mutant changes nothing, and it has tried.
  if (result.gaps.length === 0)
    return halted(
      state,
      survivorsLeft(state.mutationRounds, result.survivors, "all are called equivalent"),
      update,
    );
  return {
    update: { ...update, functions: withSketches(state.functions, result.gaps) },
    goto: "mutation_fix",
  };
}

/** Testers hear of them, and are blind to the code that the adversary has read. */
async function inWords(
  { merged, skeleton }: Pick<BlindState, "merged" | "skeleton">,
  ports: ProtocolPorts,
  context: NodeContext,
  gaps: readonly SuiteGap[],
): Promise<SuiteGap[]> {
  const code = await sourcesAt(ports, context, present(merged, "merged commit"));
  const given = await sourcesAt(ports, context, present(skeleton, "skeleton"));
  const worded = (text: string) => withoutCode(text, code, given);
  return gaps.map((gap) => ({
    ...gap,
    missingTest: worded(gap.missingTest),
    suggested: {
      ...gap.suggested,
      name: worded(gap.suggested.name),
      description: worded(gap.suggested.description),
      invariant: worded(gap.suggested.invariant),
    },
  }));
}

/** What nobody could read, nobody can quote. */
async function sourcesAt(
  ports: ProtocolPorts,
  context: NodeContext,
  commit: string,
): Promise<Readonly<Record<string, string>>> {
  const text = await ports.read(context, commit);
  if (text.kind !== "read") return {};
  return Object.fromEntries(Object.entries(text.files).filter(([path]) => path.startsWith("src/")));
}

export function told(
  result: MutationResult,
  { equivalent, gaps, analysis }: MutationAdversaryOutput,
): MutationResult {
  return { ...result, equivalent, gaps, analysis };
}

/** Tests first: whoever wrote them hears which properties are missing, not what the code looks like. */
export async function mutationFix(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "verify_tdd" | "halt" }> {
  const missing = (state.mutation?.gaps ?? []).map(
    ({ missingTest, suggested }) =>
      `${missingTest}; write the property ${suggested.name}: ${suggested.invariant}`,
  );
  const findings = missing.length > 0 ? missing : [...state.gateFindings];
  const [first] = state.suites;
  const suites = state.suites.map((suite) => (suite === first ? { ...suite, findings } : suite));
  const update = await writeTests({ ...state, suites }, ports, context, (suite) => suite.findings.length > 0);
  const more = { ...update, mutationRounds: state.mutationRounds + 1, gateFindings: [] };
  if (update.testsEnding?.kind === "stopped") return halted(state, stoppedBy(update.testsEnding.stop), more);
  return { update: more, goto: "verify_tdd" };
}
