// Asks for the contract of a module and lets the harness look at it before anybody else does.
import { contractProposer } from "../agents/roles/proposer-contract.ts";
import type { ContractProposerInput, ContractProposerOutput } from "../domain/agent/contract-roles.ts";
import { leftOutOfPlan } from "../domain/contract/against-plan.ts";
import { contractFrom, undecided, unpromised } from "../domain/contract/contract-draft.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import { widerThanOutputs } from "../domain/contract/result-types.ts";
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

/** Whoever wrote it: what it leaves out, what could never be proven, and what cannot be built. */
export async function contractFindings(
  contract: MicroModuleContract,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<string[]> {
  const { rigor, module } = ports.assignment;
  const mustBeDecided = rigor.unprovenConstraints === "block";
  const [without, nothing] = mustBeDecided ? [undecided(contract), unpromised(contract)] : [[], []];
  return [
    ...leftOutOfPlan(contract, module.io_contract),
    ...widerThanOutputs(contract),
    ...without.map((path) => `${path} has no predicate, so nothing could ever prove it; add one`),
    ...nothing.map(
      (path) =>
        `${path} promises nothing, so whatever came back would be right; add an invariant and its predicate`,
    ),
    ...(await ports.inspect(context, contract)),
  ];
}
