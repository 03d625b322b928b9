// What one call is shown, written down before it starts: the access table decides, and what it does not grant is refused
// here, whoever wanted to hand it over.
import { z } from "zod";
import { INPUT_MATERIAL } from "../../domain/agent/input-material.ts";
import { ContextPack, type Permission } from "../../domain/artifact/context-pack.ts";
import { Material, type Situation } from "../../domain/artifact/material.ts";
import { grantFor } from "../../domain/artifact/role-access.ts";
import type { Role } from "../../domain/artifact/role.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { type Subject, taskRefOf } from "../subject.ts";

export interface PackRequest {
  id: string;
  at: string;
  /** Of this call. */
  runId: string;
  role: Role;
  situation: Situation;
  subject: Subject;
  /** Inputs and facts of the prompt, by name. */
  told: Readonly<Record<string, unknown>>;
  /** What it gets besides: a workspace, results of a search. */
  besides: readonly Material[];
}

export function contextPackOf(request: PackRequest): ContextPack {
  const { id, at, runId, role, situation, subject } = request;
  const given = givenIn(request);
  const included = new Map<string, ContextPack["included_refs"][number]>();
  for (const material of given) {
    const access = grantFor(role, material, situation);
    if (access.kind !== "granted") throw notGranted(role, material, access);
    for (const ref of refsOf(material, request)) {
      const permission = permissionOf(material, access.grant.permission);
      const before = included.get(ref);
      if (before === undefined || permission === "FULL")
        included.set(ref, { ref, permission, reason: reasonOf(material) });
    }
  }
  const excluded = new Map<string, ContextPack["excluded_refs"][number]>();
  for (const material of Material.options) {
    const access = grantFor(role, material, situation);
    if (access.kind !== "refused") continue;
    for (const ref of refsOf(material, request))
      if (!included.has(ref)) excluded.set(ref, { ref, reason: access.reason });
  }
  const pack = {
    context_pack_id: id,
    created_for: { role, run_id: runId, task_ref: subject.task.task_id },
    included_refs: [...included.values()],
    excluded_refs: [...excluded.values()],
    default_permission: "CONTRACT_ONLY",
    created_at: at,
  };
  return parseOrThrow(ContextPack, pack, "the context pack");
}

function givenIn({ told, besides }: PackRequest): Set<Material> {
  const given = new Set(besides);
  for (const [name, value] of Object.entries(told)) {
    const material = INPUT_MATERIAL[name];
    if (material === undefined) {
      throw new CupelError("usage", `nobody knows what material the input ${name} of a role is`, {
        expected: "a line for it in domain/agent/input-material.ts",
      });
    }
    if (material !== null && !isEmpty(value)) given.add(material.of);
  }
  return given;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** A module's contract is shown as a whole, but FULL on a module would open its source. */
function permissionOf(material: Material, granted: Permission): Permission {
  return material === "module_contract" ? "CONTRACT_ONLY" : granted;
}

const Named = {
  proposal: z.object({ proposal_id: z.string() }),
  challenge: z.object({ challenge_id: z.string() }),
  adjudication: z.object({ adjudication_id: z.string() }),
};
const Rounds = z.array(
  z.object({
    proposal: Named.proposal,
    challenge: Named.challenge,
    adjudication: Named.adjudication.nullish(),
  }),
);

/** By id where the store has one; what exists only in the prompt goes by its own name. */
function refsOf(material: Material, { subject, told, besides }: PackRequest): string[] {
  const { task, module, dependencies } = subject;
  if (material === "task_file") return [taskRefOf(task)];
  if (material === "dependency_contracts") return [...dependencies];
  const isOwn = material === "module_contract" || (material === "workspace" && besides.includes(material));
  if (module !== undefined && isOwn) return [module];
  const ids = idsOf(material, told);
  return ids.length > 0 ? ids.map((id) => `${id}@1.0.0`) : [`${material}@1.0.0`];
}

function idsOf(material: Material, told: PackRequest["told"]): string[] {
  const { proposal, challenge } = told;
  switch (material) {
    case "proposal":
      return listed(Named.proposal.safeParse(proposal).data?.proposal_id);
    case "challenge":
      return listed(Named.challenge.safeParse(challenge).data?.challenge_id);
    case "debate_trail":
      return (Rounds.safeParse(told["debate_trail"]).data ?? []).flatMap((round) => [
        round.proposal.proposal_id,
        round.challenge.challenge_id,
        ...listed(round.adjudication?.adjudication_id),
      ]);
    default:
      return [];
  }
}

function listed(id: string | undefined): string[] {
  return id === undefined ? [] : [id];
}

function reasonOf(material: Material): string {
  return `granted as ${material.replaceAll("_", " ")}`;
}

function notGranted(role: Role, material: Material, access: { kind: string; reason?: string }): CupelError {
  const why = access.reason ?? `the ${role} makes it itself`;
  return new CupelError("usage", `${material.replaceAll("_", " ")} was to be shown to the ${role}: ${why}`, {
    expected: "only what the access table grants",
  });
}
