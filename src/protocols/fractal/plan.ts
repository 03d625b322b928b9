// Planning a node: what it promises, whether it has children, and what must be asked before anybody can say.
import { scaffold as scaffoldRole } from "../../agents/roles/scaffold.ts";
import type { ScaffoldOutput } from "../../domain/agent/fractal-roles.ts";
import { contractFrom, type DraftedContract } from "../../domain/contract/contract-draft.ts";
import { type EntryPoint, type MicroModuleContract } from "../../domain/contract/contract.ts";
import { squeeze } from "../../domain/contract/fingerprint.ts";
import { nodeRef } from "../../domain/fractal/node-module.ts";
import { type ChildSpec, type PlannedTest, unfoldingProblems } from "../../domain/fractal/node-spec.ts";
import { renderProblem } from "../../domain/parse.ts";
import { moduleIdOf, versionOf } from "../../domain/refs.ts";
import type { NodeContext } from "../../graph/port.ts";
import { contractFindings } from "../draft-contract.ts";
import { stoppedBy } from "../halt-reasons.ts";
import { workProblems } from "../work-problems.ts";
import { type Halted, halted, planExhausted } from "./halt.ts";
import type { NodePorts } from "./port.ts";
import type { FractalState, FractalUpdate } from "./state.ts";
import { present } from "../present.ts";

type Planned = { update: FractalUpdate; goto: "lay_out" | "scaffold" | "clarify" } | Halted;

export async function plan(state: FractalState, ports: NodePorts, context: NodeContext): Promise<Planned> {
  const { node, assignment } = ports;
  const asked = state.asked + 1;
  const again = state.findings.length > 0 || state.answers.length > 0;
  const answer = await ports.write(context, {
    role: scaffoldRole,
    attempt: asked,
    base: state.scaffold ?? (await ports.tree.ground(context)),
    input: {
      phase: state.findings.length > 0 ? "repair" : "plan",
      task_file: assignment.taskText,
      spec: node.spec,
      parent: node.parent,
      dependencies: [...assignment.dependencies],
      level: node.level,
      limits: node.limits,
      contract: state.contract,
      children: [...state.children],
      answers: [...state.answers],
      findings: [...state.findings],
    },
    situation: { protocol: "fractal", ...(again ? { phase: "revise" as const } : {}) },
  });
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), { asked });
  const { exit } = answer.output;
  if (exit.kind === "ClarificationNeeded") {
    const { kind: _, ...question } = exit;
    return { update: { asked, question }, goto: "clarify" };
  }
  const { work } = answer;
  const drafted = withFamily(exit, ports);
  if (drafted.kind === "invalid")
    return planAgain({ ...state, asked }, ports, drafted.problems.map(renderProblem));
  const { contract } = drafted;
  const problems = [
    ...(work.kind === "refused" ? workProblems(work) : []),
    ...announcedProblems(ports, contract.entry_points),
    ...testPlanProblems(ports, exit.test_plan),
    ...unfoldingProblems({
      parent: node.spec,
      children: exit.children,
      depth: node.level,
      taken: others(await ports.tree.names(context), state.children),
      limits: node.limits,
    }),
  ];
  const findings = problems.length > 0 ? problems : await contractFindings(contract, ports, context);
  if (findings.length > 0) return planAgain({ ...state, asked }, ports, findings);
  const planned = work.kind === "taken" ? work.commit : null;
  return {
    update: {
      asked,
      session: answer.session ?? null,
      contract,
      testPlan: exit.test_plan,
      children: exit.children,
      planned,
      findings: [],
    },
    goto: "lay_out",
  };
}

/** Whatever a node is divided into and builds upon is in its contract, also where the planner did not say so. */
function withFamily(
  {
    contract,
    children,
  }: Pick<Extract<ScaffoldOutput["exit"], { kind: "InitWork" }>, "contract" | "children">,
  { node, assignment }: NodePorts,
): DraftedContract {
  const { task, module, version } = assignment;
  const family = [...node.uses, ...children.map(({ id }) => id)].map(nodeRef);
  const named = contract.dependencies.map(({ ref }) => moduleIdOf(ref));
  const missing = family.filter((ref) => !named.includes(moduleIdOf(ref)));
  const shipped = task.dependency_contracts
    .map(({ module_ref }) => module_ref)
    .filter((ref) => named.includes(moduleIdOf(ref)));
  const dependencies = [
    ...contract.dependencies,
    ...missing.map((ref) => ({
      ref: `${moduleIdOf(ref)}@^${versionOf(ref)}`,
      why: "the plan of the tree divides the work so",
    })),
  ];
  return contractFrom(
    { ...contract, dependencies },
    { ...module, depends_on: [...family, ...shipped] },
    version,
  );
}

/** Whatever sends a node back to its planner counts, so that nobody plans for ever. */
export function planAgain(
  state: FractalState,
  { assignment, node }: NodePorts,
  findings: string[],
  more: FractalUpdate = {},
): { update: FractalUpdate; goto: "scaffold" } | Halted {
  const { asked, planFixes } = state;
  if (planFixes >= assignment.rigor.maxTypeFixes)
    return halted(state, planExhausted(node.spec.id, planFixes, findings), { ...more, asked });
  return { update: { ...more, asked, findings, planFixes: planFixes + 1 }, goto: "scaffold" };
}

/** What a parent has announced is there, with the very signature that others were told. */
function announcedProblems({ node }: NodePorts, entries: readonly EntryPoint[]): string[] {
  return (node.parent?.exports ?? []).flatMap(({ name, signature }) => {
    const entry = entries.find((each) => each.name === name);
    if (entry === undefined) return [`the contract lacks ${name}, which the parent has announced`];
    if (squeeze(entry.signature) === squeeze(signature)) return [];
    return [`${name} was announced as ${signature}; the contract says ${entry.signature}`];
  });
}

function testPlanProblems({ node }: NodePorts, planned: readonly PlannedTest[]): string[] {
  const known = node.spec.acceptanceCriteria.map(({ id }) => id);
  return [
    ...known
      .filter((id) => !planned.some(({ criterionId }) => criterionId === id))
      .map((id) => `no test is planned for ${id}`),
    ...planned
      .filter(({ criterionId }) => !known.includes(criterionId))
      .map(
        ({ criterionId, plannedTestName }) =>
          `"${plannedTestName}" is for ${criterionId}, which is no criterion here`,
      ),
  ];
}

/** A planner may name its own children again. */
function others(names: ReadonlySet<string>, children: readonly ChildSpec[]): ReadonlySet<string> {
  const own = new Set(children.map(({ id }) => id));
  return new Set([...names].filter((name) => !own.has(name)));
}

/** Puts the plan onto the branch, locks the contract, and lets children and tests begin, whoever comes first. */
export async function layOut(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
): Promise<{ update: FractalUpdate; goto: "wait" | "scaffold" } | Halted> {
  const contract: MicroModuleContract = present(state.contract, "contract");
  const laid = await ports.tree.layOut(context, { contract, children: state.children, work: state.planned });
  if (laid.kind === "refused") return planAgain(state, ports, laid.problems);
  const { ref } = await ports.lock(context, contract);
  const { id } = ports.node.spec;
  await ports.tree.post(context, { kind: "unfolded", node: id, children: [...state.children] });
  return {
    update: {
      contractRef: ref,
      scaffold: laid.commit,
      commit: laid.commit,
      tests: null,
      released: false,
      attempts: 0,
    },
    goto: "wait",
  };
}
