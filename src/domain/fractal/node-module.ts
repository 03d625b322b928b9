// The module that comes of a node: what it is called, what is planned of it, and what others may rely on before it has a
// contract of its own.
import type { MicroModuleContract } from "../contract/contract.ts";
import type { PlannedModule } from "../plan/micro-plan.ts";
import type { ModuleRef } from "../refs.ts";
import type { ChildSpec, NodeSpec } from "./node-spec.ts";

/** A tree makes new modules only. */
export const FIRST_VERSION = "1.0.0";

export function nodeModuleId(node: string): string {
  return `MM-${node.replaceAll("-", "_")}`;
}

export function nodeRef(node: string): ModuleRef {
  return `${nodeModuleId(node)}@${FIRST_VERSION}`;
}

/** Without what its parent announced of it. */
export function plainSpec(spec: NodeSpec | ChildSpec): NodeSpec {
  const { id, description, acceptanceCriteria, complexityConstraints } = spec;
  return { id, description, acceptanceCriteria, complexityConstraints };
}

const LATER = ["what its scaffold settles"];

export function plannedNode({ id, description }: NodeSpec, dependsOn: readonly ModuleRef[]): PlannedModule {
  return {
    module_id: nodeModuleId(id),
    name: id,
    purpose: description,
    io_contract: { inputs: LATER, outputs: LATER, error_surfaces: LATER, effects: LATER, modes: ["sync"] },
    error_cases: [],
    depends_on: [...dependsOn],
    reuse_candidate_refs: [],
    reuse_decision: "CREATE_NEW",
    reuse_justification: "It is one part of a task that was divided; nothing that has shipped is this part.",
  };
}

/** Until the child has drafted its own: nothing but what was announced. */
export function announcedContract({ id, description, exports, uses }: ChildSpec): MicroModuleContract {
  return {
    module_id: nodeModuleId(id),
    module_version: FIRST_VERSION,
    name: id,
    purpose: description,
    tags: [],
    language: "typescript",
    inputs: [],
    outputs: [],
    error_surfaces: [],
    effects: [],
    modes: { sync: true, async: true, notes: "announced, not settled yet" },
    entry_points: exports.map(({ name, signature }) => ({
      name,
      signature,
      inputs: [],
      outputs: [],
      errors: [],
      effects: [],
    })),
    predicates: [],
    error_cases: [],
    dependencies: uses.map((used) => ({
      ref: `${nodeModuleId(used)}@^${FIRST_VERSION}`,
      why: "the plan of the tree divides the work so",
    })),
    packages: [],
    compatibility: { backward_compatible_with: [], breaking_change_policy: "none before it ships" },
    runtime_budgets: {},
  };
}
