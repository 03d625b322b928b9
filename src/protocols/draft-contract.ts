// Asks for the contract of a module and lets the harness look at it before anybody else does.
import { contractProposer } from "../agents/roles/proposer-contract.ts";
import type { ContractProposerInput, ContractProposerOutput } from "../domain/agent/contract-roles.ts";
import { contractFrom, undecided } from "../domain/contract/contract-draft.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import { renderProblem } from "../domain/parse.ts";
import type { NodeContext } from "../graph/port.ts";
import type { Stop } from "./outcome.ts";
import type { ProtocolPorts } from "./port.ts";

type Asked = Pick<ContractProposerInput, "phase" | "contract" | "failures" | "findings" | "amendments">;

export type Drafted =
  | { kind: "drafted"; contract: MicroModuleContract; output: ContractProposerOutput; pack: string }
  /** It could not be built as it is. */
  | { kind: "faulty"; findings: string[] }
  | { kind: "stopped"; stop: Stop };

export async function draftContract(
  ports: ProtocolPorts,
  context: NodeContext,
  { attempt, ...asked }: Asked & { attempt: number },
): Promise<Drafted> {
  const { taskText, module, version, dependencies } = ports.assignment;
  const { phase } = asked;
  const answer = await ports.ask(context, {
    role: contractProposer,
    attempt,
    input: { task_file: taskText, module, dependencies: [...dependencies], ...asked },
    ...(phase === "propose" ? {} : { situation: { phase } }),
  });
  if (answer.kind === "stopped") return answer;
  const { output, pack } = answer;
  const drafted = contractFrom(output.contract, module, version);
  if (drafted.kind === "invalid") return { kind: "faulty", findings: drafted.problems.map(renderProblem) };
  const { contract } = drafted;
  const findings = await contractFindings(contract, ports, context);
  return findings.length > 0 ? { kind: "faulty", findings } : { kind: "drafted", contract, output, pack };
}

/** Whoever wrote it: what could never be proven, and what cannot be built. */
export async function contractFindings(
  contract: MicroModuleContract,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<string[]> {
  const mustBeDecided = ports.assignment.rigor.unprovenConstraints === "block";
  const without = mustBeDecided ? undecided(contract) : [];
  return [
    ...without.map((path) => `${path} has no predicate, so nothing could ever prove it; add one`),
    ...(await ports.inspect(context, contract)),
  ];
}
