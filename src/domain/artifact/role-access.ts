// Answers what a role may see and use in the situation at hand; whatever is not granted is refused.
import type { Grant, Material, Situation, Tool } from "./material.ts";
import { ROLE_GRANTS, SEALED } from "./role-grants.ts";
import type { Role } from "./role.ts";

export type Access =
  | { kind: "granted"; grant: Grant }
  /** The role makes this itself; nobody hands it in. */
  | { kind: "self" }
  | { kind: "refused"; reason: string };

export function grantFor(role: Role, material: Material, situation: Situation = {}): Access {
  const access = ROLE_GRANTS[role];
  const forbidden = [...SEALED, ...(access.never ?? [])].some(
    (entry) => entry.material === material && holds(entry.when, situation),
  );
  if (forbidden) return { kind: "refused", reason: `the ${role} never sees ${words(material)}` };
  if (access.makes?.includes(material) === true) return { kind: "self" };

  const candidates = access.grants.filter((grant) => grant.material === material);
  const grant = candidates.find(({ when }) => holds(when, situation));
  if (grant !== undefined) return { kind: "granted", grant };
  return { kind: "refused", reason: `the ${role} is not given ${words(material)}${exceptIn(candidates)}` };
}

export function toolsFor(role: Role, situation: Situation = {}): Tool[] {
  return ROLE_GRANTS[role].tools.filter(({ when }) => holds(when, situation)).map(({ tool }) => tool);
}

function holds(when: Situation = {}, situation: Situation): boolean {
  return (
    (when.protocol === undefined || when.protocol === situation.protocol) &&
    (when.rhythm === undefined || when.rhythm === situation.rhythm) &&
    (when.phase === undefined || when.phase === situation.phase) &&
    (when.scope === undefined || when.scope === situation.scope)
  );
}

function exceptIn(candidates: Grant[]): string {
  if (candidates.length === 0) return "";
  return `, except in: ${candidates.map(({ when }) => Object.values(when ?? {}).join(" ")).join(", ")}`;
}

function words(material: Material): string {
  return material.replaceAll("_", " ");
}
