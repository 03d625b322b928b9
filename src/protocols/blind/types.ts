// Asks for the types of a module: a contract that can be built on, and for each function examples and properties.
import { types as typesRole } from "../../agents/roles/types.ts";
import { blockingHoles } from "../../domain/blind/type-hole.ts";
import { contractFrom } from "../../domain/contract/contract-draft.ts";
import { renderProblem } from "../../domain/parse.ts";
import type { NodeContext } from "../../graph/port.ts";
import { contractFindings } from "../draft-contract.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { halted, typesExhausted } from "./halt.ts";
import { settingsOf } from "./settings.ts";
import { type BlindState, type BlindUpdate, counted } from "./state.ts";

export type Shaped = { update: BlindUpdate; goto: "scaffold" | "head_start" | "types_fix" | "halt" };

export async function shape(
  phase: "propose" | "revise",
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Shaped> {
  const { taskText, module, version, dependencies, contract: agreed } = ports.assignment;
  const asked = counted(state, "types");
  const revising = phase === "revise";
  const answer = await ports.ask(context, {
    role: typesRole,
    attempt: state.asked.types + 1,
    input: {
      phase,
      task_file: taskText,
      module,
      dependencies: [...dependencies],
      contract: agreed ?? null,
      types: state.types,
      holes: revising ? blockingHoles(state.adversary?.output.holes ?? []) : [],
      findings: revising ? [...state.typeFindings] : [],
    },
    ...(revising ? { situation: { phase } } : {}),
  });
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), asked);
  const { output: types, pack } = answer;
  const update = { ...asked, types, typesPack: pack, functions: types.functions, typeFindings: [] };
  const drafted =
    agreed === undefined
      ? contractFrom(types.contract, module, version)
      : { kind: "ok" as const, contract: agreed };
  const findings =
    drafted.kind === "invalid"
      ? drafted.problems.map(renderProblem)
      : await contractFindings(drafted.contract, ports, context);
  if (drafted.kind === "invalid" || findings.length > 0)
    return backToTypes({ ...state, ...update }, ports, findings, update);
  const { contract } = drafted;
  const fresh = { ...update, contract, adversary: null, skeletonFindings: [] };
  const goto = settingsOf(ports).speculation === "off" ? "scaffold" : "head_start";
  return { update: fresh, goto };
}

/** Whatever is wrong with the types counts against the same budget: holes, drafts that cannot be built, stubs that lie. */
export function backToTypes(
  state: BlindState,
  { assignment }: ProtocolPorts,
  findings: readonly string[],
  more: BlindUpdate,
): { update: BlindUpdate; goto: "types_fix" | "halt" } {
  const { holes } = state.adversary?.output ?? { holes: [] };
  if (state.typeFixes >= assignment.rigor.maxTypeFixes)
    return halted(state, typesExhausted(state.typeFixes, blockingHoles(holes), findings), more);
  return {
    update: { ...more, typeFixes: state.typeFixes + 1, typeFindings: [...findings] },
    goto: "types_fix",
  };
}
