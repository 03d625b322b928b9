// Asking for another contract of a module one depends on: the request, who may raise it, and what a person decides.
import { z } from "zod";
import type { AllowedOrRefused } from "../artifact/artifact-envelope.ts";
import { ArtifactRef, idOfType } from "../artifact/artifact-type.ts";
import { Author } from "../artifact/role.ts";
import { effectName } from "../contract/contract-links.ts";
import {
  ContractInput,
  ContractOutput,
  Effect,
  EntryPoint,
  ErrorSurface,
  Modes,
} from "../contract/contract.ts";
import { refuse } from "../parse.ts";
import { moduleIdOf, ModuleRef, Text, VersionedRef } from "../refs.ts";
import { refSatisfies } from "../semver.ts";

/** Modified things are whole and matched by name; removed ones are names. */
export const ProposedContractDelta = z
  .strictObject({
    added_inputs: z.array(ContractInput).default([]),
    removed_inputs: z.array(Text).default([]),
    modified_inputs: z.array(ContractInput).default([]),
    added_outputs: z.array(ContractOutput).default([]),
    removed_outputs: z.array(Text).default([]),
    modified_outputs: z.array(ContractOutput).default([]),
    added_error_surfaces: z.array(ErrorSurface).default([]),
    added_effects: z.array(Effect).default([]),
    mode_changes: Modes.nullable().default(null),
    /** New or rewritten entry points, where the change does not simply go to the only one there is. */
    changed_entry_points: z.array(EntryPoint).optional(),
  })
  .superRefine((delta, context) => {
    const named = namesByList(delta);
    if (delta.mode_changes === null && named.every(({ names }) => names.length === 0)) {
      refuse(context, [], "at least one change", "none");
    }
    for (const dimension of ["inputs", "outputs", "error_surfaces", "effects", "entry_points"]) {
      refuseRepeats(
        named.filter(({ list }) => list.endsWith(`_${dimension}`)),
        context,
      );
    }
  });
export type ProposedContractDelta = z.infer<typeof ProposedContractDelta>;

/** The harness raises one when a fingerprint mismatch at ship turns out to be the fault of a dependency. */
export const Raiser = Author.extract(["proposer", "challenger", "harness"]);
export type Raiser = z.infer<typeof Raiser>;

export const InterfaceChangeException = z.strictObject({
  exception_id: idOfType("INTERFACE_CHANGE_EXCEPTION"),
  type: z.enum(["CANNOT_SUPPORT", "AMBIGUOUS", "INCOMPLETE", "MISSING_DIMENSION"]),
  raised_by: z.strictObject({ artifact_ref: VersionedRef, role: Raiser, run_id: Text }),
  target_module: ModuleRef,
  reason: Text,
  evidence: z.array(Text).min(1),
  proposed_contract_delta: ProposedContractDelta,
  compatibility_expectation: z.enum(["BACKWARD_COMPATIBLE", "BREAKING", "UNKNOWN"]),
  urgency: z.enum(["BLOCKING", "HIGH", "NORMAL", "LOW"]),
});
export type InterfaceChangeException = z.infer<typeof InterfaceChangeException>;

const exception_id = idOfType("INTERFACE_CHANGE_EXCEPTION");

/** A person's word on a request. Only approval opens the way to a new version; deferring leaves all as it is. */
export const InterfaceChangeDecision = z.discriminatedUnion("decision", [
  z.strictObject({ decision: z.literal("APPROVE_CHANGE"), exception_id }),
  z.strictObject({
    decision: z.literal("REJECT_CHANGE"),
    exception_id,
    reason: Text,
    /** True: the task goes back to the queue and must live with the contract as it is. False: it stays halted. */
    requeue: z.boolean(),
  }),
  z.strictObject({ decision: z.literal("DEFER"), exception_id }),
]);
export type InterfaceChangeDecision = z.infer<typeof InterfaceChangeDecision>;

/** What is kept beside a request, which itself never changes: one for each time somebody decided, counted from 1. */
export const InterfaceChangeAnnotation = z.strictObject({
  exception_id,
  number: z.int().positive(),
  status: z.enum(["APPROVED", "REJECTED", "DEFERRED"]),
  decision: InterfaceChangeDecision,
});
export type InterfaceChangeAnnotation = z.infer<typeof InterfaceChangeAnnotation>;

/**
 * What an approved change asks of the project: a task that makes the new version. Those who use the old one are verified
 * again where nothing breaks for them, and get tasks of their own where something does or where they asked for exactly the
 * version of before.
 */
export const TaskRequest = z
  .strictObject({
    exception_id,
    from: ModuleRef,
    to: ModuleRef,
    /** The artifact of the debated contract. */
    contract_ref: ArtifactRef,
    why: Text,
    breaking: z.array(Text),
    consumers: z.array(z.strictObject({ module: ModuleRef, action: z.enum(["reverify", "task"]) })),
  })
  .superRefine(({ from, to, breaking, consumers }, context) => {
    if (moduleIdOf(from) !== moduleIdOf(to))
      refuse(context, ["to"], `another version of ${moduleIdOf(from)}`, to);
    consumers.forEach(({ action }, index) => {
      if (breaking.length > 0 && action === "reverify")
        refuse(context, ["consumers", index, "action"], "task, because something breaks", action);
    });
  });
export type TaskRequest = z.infer<typeof TaskRequest>;

/** `dependencies` are exact references or ranges, as the current module's contract lists them. */
export function mayRaise(
  role: Author,
  target: ModuleRef,
  currentModule: string,
  dependencies: readonly string[],
): AllowedOrRefused {
  if (role === "arbiter") {
    const reason =
      "the arbiter decides the debate at hand; reject with the reason, and the proposer may raise it";
    return { kind: "refused", reason };
  }
  if (!Raiser.safeParse(role).success) {
    const reason = `the ${role} may not raise an interface change; only ${Raiser.options.join(", ")} may`;
    return { kind: "refused", reason };
  }
  if (moduleIdOf(target) === currentModule) {
    const reason = `${currentModule} is the module at hand; its own contract changes through the debate`;
    return { kind: "refused", reason };
  }
  if (!dependencies.some((range) => refSatisfies(target, range))) {
    return { kind: "refused", reason: `${target} is not a dependency of ${currentModule}` };
  }
  return { kind: "allowed" };
}

interface NamedList {
  list: string;
  names: string[];
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function namesByList(delta: ProposedContractDelta): NamedList[] {
  return [
    { list: "added_inputs", names: delta.added_inputs.map(nameOf) },
    { list: "removed_inputs", names: delta.removed_inputs },
    { list: "modified_inputs", names: delta.modified_inputs.map(nameOf) },
    { list: "added_outputs", names: delta.added_outputs.map(nameOf) },
    { list: "removed_outputs", names: delta.removed_outputs },
    { list: "modified_outputs", names: delta.modified_outputs.map(nameOf) },
    { list: "added_error_surfaces", names: delta.added_error_surfaces.map(nameOf) },
    { list: "added_effects", names: delta.added_effects.map(effectName) },
    { list: "changed_entry_points", names: (delta.changed_entry_points ?? []).map(nameOf) },
  ];
}

/** One thing changes in one way. */
function refuseRepeats(lists: NamedList[], context: z.core.$RefinementCtx): void {
  const seen = new Map<string, string>();
  for (const { list, names } of lists) {
    names.forEach((name, index) => {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, `${list}[${index}]`);
      else refuse(context, [list, index], `a name that ${first} does not have`, `"${name}" again`);
    });
  }
}
