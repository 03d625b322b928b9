// Asks for the specification: a contract that can be built on, and every example of the research as code.
import { architect as architectRole } from "../../agents/roles/architect.ts";
import { contractFrom } from "../../domain/contract/contract-draft.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { type ModuleSpec, specProblems } from "../../domain/gatekeeper/module-spec.ts";
import { renderProblem } from "../../domain/parse.ts";
import type { NodeContext } from "../../graph/port.ts";
import { contractFindings } from "../draft-contract.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import { specExhausted } from "./halt.ts";
import { gaveUp, move } from "./move.ts";
import { counted, type GatekeeperState, type GatekeeperUpdate } from "./state.ts";

export async function architect(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate; goto: "architect" | "lay_out" | "halt" }> {
  const { taskText, module, dependencies, folder, contract: agreed } = ports.assignment;
  const { attempt, asked } = counted(state, "architect");
  const phase = state.findings.length > 0 ? ("revise" as const) : ("propose" as const);
  const answer = await ports.ask(context, {
    role: architectRole,
    attempt,
    input: {
      phase,
      task_file: taskText,
      module,
      dependencies: [...dependencies],
      research: present(state.research, "research"),
      contract: agreed ?? state.contract,
      import_name: `#modules/${folder}`,
      findings: [...state.findings],
    },
    ...(phase === "revise" ? { situation: { phase } } : {}),
  });
  const to = { architect: "architect", builder: "lay_out" } as const;
  if (answer.kind === "stopped") return gaveUp(state, { node: "SPEC", to, stop: answer.stop }, { asked });
  const { output: spec, pack } = answer;
  const { contract, findings } = await looked(state, ports, context, spec);
  const update = { asked, spec, specPack: pack, findings, ...(contract === undefined ? {} : { contract }) };
  const facts = { spec: findings.length > 0 ? ("unsound" as const) : ("sound" as const) };
  return move(state, { node: "SPEC", facts, to, reason: () => specExhausted(findings) }, update);
}

/** A contract that was agreed upon elsewhere stands, whatever comes back. */
async function looked(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
  spec: ModuleSpec,
): Promise<{ contract?: MicroModuleContract; findings: string[] }> {
  const { module, version, contract: agreed } = ports.assignment;
  const drafted =
    agreed === undefined
      ? contractFrom(spec.contract, module, version)
      : { kind: "ok" as const, contract: agreed };
  if (drafted.kind === "invalid") return { findings: drafted.problems.map(renderProblem) };
  const { contract } = drafted;
  return {
    contract,
    findings: [
      ...specProblems(spec, present(state.research, "research"), contract),
      ...(await contractFindings(contract, ports, context)),
    ],
  };
}
