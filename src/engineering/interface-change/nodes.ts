// The steps from a request for another contract to a task that makes it: checked, weighed, debated, written down.
import { applyDelta } from "../../domain/contract/apply-delta.ts";
import { breakingReasons, requiredBump } from "../../domain/contract/compatibility.ts";
import { renderChange, diffContracts } from "../../domain/contract/contract-diff.ts";
import { undecided } from "../../domain/contract/contract-draft.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { renderProblem } from "../../domain/parse.ts";
import { type InterfaceChangeException, TaskRequest } from "../../domain/people/interface-change.ts";
import type { ModuleRef } from "../../domain/refs.ts";
import { bump } from "../../domain/semver.ts";
import type { NodeContext } from "../../graph/port.ts";
import { adjudicate } from "../../protocols/debate/adjudicate.ts";
import {
  challengeContract,
  proposeContract,
  validateContractAmendments,
} from "../../protocols/debate/contract-round.ts";
import { halted } from "../../protocols/debate/halt.ts";
import { present, proposed } from "../../protocols/debate/state.ts";
import { type Reason, refused } from "../../protocols/halt-reasons.ts";
import type { ProtocolPorts } from "../../protocols/port.ts";
import type { ChangeState, ChangeUpdate } from "./state.ts";

export interface ChangePorts extends ProtocolPorts {
  readonly exception: InterfaceChangeException;
  /** The contract that is sealed under that reference; undefined where nothing is. */
  shippedContract(module: ModuleRef): Promise<MicroModuleContract | undefined>;
  /** The newest version of the same module that has shipped. */
  newestOf(module: ModuleRef): Promise<ModuleRef>;
  /** The newest shipped version of every module that uses this one. */
  usersOf(module: ModuleRef): Promise<ModuleRef[]>;
  /** Whether the contract of a user allows that version of what it uses. */
  mayGet(user: ModuleRef, module: ModuleRef): Promise<boolean>;
}

type Going<Goto extends string> = Promise<{ update: ChangeUpdate; goto: Goto }>;

/** Only a request about something that shipped, and that can be carried out, is worth a debate. */
export async function validateIce(state: ChangeState, ports: ChangePorts): Going<"assess_impact" | "halt"> {
  const { target_module, proposed_contract_delta: delta } = ports.exception;
  const current = await ports.shippedContract(target_module);
  if (current === undefined)
    return halted(state, invalid([`${target_module} has not shipped, so there is nothing to change`]));
  const newest = await ports.newestOf(target_module);
  if (newest !== target_module)
    return halted(
      state,
      invalid([
        `${newest} has shipped since; look whether it has what is missing, or ask for a change of it`,
      ]),
    );
  const candidate = applyDelta(current, delta);
  if (candidate.kind === "refused") return halted(state, invalid(candidate.problems.map(renderProblem)));
  return { update: { current, contract: candidate.contract }, goto: "assess_impact" };
}

export async function assessImpact(
  state: ChangeState,
  ports: ChangePorts,
): Promise<{ update: ChangeUpdate }> {
  const consumers = await ports.usersOf(ports.exception.target_module);
  const breaking = breakingReasons(
    present(state.current, "contract of today"),
    present(state.contract, "contract"),
  );
  return { update: { consumers, breaking } };
}

/** The first candidate follows from the request alone; agents are asked for what it leaves open and for what was faulted. */
export async function proposeChange(
  state: ChangeState,
  ports: ChangePorts,
  context: NodeContext,
): Going<"debate_round" | "propose_change" | "halt"> {
  const contract = present(state.contract, "candidate");
  const criticised = state.failures.length + state.findings.length > 0;
  const open = undecided(contract).map((path) => `${path} has no predicate yet; add one`);
  if (!criticised && open.length === 0) {
    const proposal = await ports.records.propose(context, {
      deliverable: { kind: "contract", contract },
      claim: claimOf(state, ports),
      acceptance_checks: ports.exception.evidence,
      by: { role: "harness" },
    });
    return { update: proposed(state, proposal), goto: "debate_round" };
  }
  const findings = criticised ? state.findings : open;
  const { update, goto } = await proposeContract("revise", { ...state, findings }, ports, context);
  return { update, goto: AFTER_PROPOSAL[goto] };
}

/** A change is always debated, whatever the rigor says about contracts that nobody uses yet. */
const AFTER_PROPOSAL = {
  challenge: "debate_round",
  lock: "debate_round",
  validate_amendments: "debate_round",
  revise: "propose_change",
  halt: "halt",
} as const;

function claimOf({ current, contract }: ChangeState, { exception }: ChangePorts): string {
  const changes =
    current === null || contract === null ? [] : diffContracts(current, contract).map(renderChange);
  return `${exception.reason}\nWhat changes: ${changes.join("; ") || "nothing that callers see"}`;
}

export async function debateRound(
  state: ChangeState,
  ports: ChangePorts,
  context: NodeContext,
): Going<"debate_round" | "propose_change" | "check_resolved" | "halt"> {
  const { update, goto } = await challengeContract(state, ports, context);
  const next = {
    again: "debate_round",
    revise: "propose_change",
    adjudicate: "check_resolved",
    halt: "halt",
  } as const;
  return { update, goto: next[goto] };
}

export async function checkResolved(
  state: ChangeState,
  ports: ChangePorts,
  context: NodeContext,
): Going<"finalize" | "apply_amendments" | "propose_change" | "halt"> {
  const { update, goto } = await adjudicate(state, ports, context);
  const next = {
    approved: "finalize",
    apply_amendments: "apply_amendments",
    revise: "propose_change",
    halt: "halt",
  } as const;
  return { update, goto: next[goto] };
}

export async function applyAmendments(
  state: ChangeState,
  ports: ChangePorts,
  context: NodeContext,
): Going<"finalize" | "propose_change" | "halt"> {
  const { update, goto } = await proposeContract("amend", state, ports, context);
  if (goto !== "validate_amendments") return { update, goto: goto === "revise" ? "propose_change" : "halt" };
  const checked = validateContractAmendments({ ...state, ...update });
  return { update: { ...update, ...checked.update }, goto: checked.goto === "lock" ? "finalize" : "halt" };
}

/** The version follows from what was agreed in the end, not from what was expected of it. */
export async function finalize(
  state: ChangeState,
  ports: ChangePorts,
  context: NodeContext,
): Promise<{ update: ChangeUpdate }> {
  const { exception } = ports;
  const current = present(state.current, "contract of today");
  const agreed = present(state.contract, "contract");
  const breaking = breakingReasons(current, agreed);
  const contract = { ...agreed, module_version: bump(current.module_version, requiredBump(current, agreed)) };
  const { ref } = await ports.lock(context, contract);
  const to = `${contract.module_id}@${contract.module_version}`;
  const consumers = state.consumers.map(async (module) => {
    const stays = breaking.length > 0 || !(await ports.mayGet(module, to));
    return { module, action: stays ? "task" : "reverify" };
  });
  const request = TaskRequest.parse({
    exception_id: exception.exception_id,
    from: exception.target_module,
    to,
    contract_ref: ref,
    why: exception.reason,
    breaking,
    consumers: await Promise.all(consumers),
  });
  return { update: { contract, request, breaking } };
}

function invalid(problems: readonly string[]): Reason {
  return { ...refused(0, problems), decision: "Reject the change, or ask for another one." };
}
