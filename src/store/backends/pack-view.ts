// Which places of the state store a context pack opens: modules by their permission, artifacts only when included, nothing else.
import { ArtifactRef } from "../../domain/artifact/artifact-type.ts";
import { isVisible, permissionFor, VIEWS } from "../../domain/artifact/context-pack.ts";
import type { ContextPack, PackAccess, Permission } from "../../domain/artifact/context-pack.ts";
import { moduleIdOf, ModuleRef } from "../../domain/refs.ts";
import { METADATA, SUMMARY } from "./module-card.ts";

/** One version of a module or an artifact, which is what a pack speaks of. */
export interface Unit {
  of: "module" | "artifact";
  id: string;
  version: string;
  /** The unit's folder. */
  home: string;
  /** The names below it. */
  rest: readonly string[];
}

/** Made for the reader, never stored. */
export type Generated = typeof SUMMARY | typeof METADATA;

export type Place = { kind: "on-the-way" } | { kind: "unit"; unit: Unit } | { kind: "outside" };

/** How deep a unit lies, by the part of the store that holds it. */
const DEPTHS: ReadonlyMap<string, { depth: number; of: Unit["of"] }> = new Map([
  ["modules", { depth: 3, of: "module" }],
  ["artifacts", { depth: 4, of: "artifact" }],
]);

export function placeOf(segments: readonly string[]): Place {
  const [part] = segments;
  if (part === undefined) return { kind: "on-the-way" };
  const layout = DEPTHS.get(part);
  if (layout === undefined) return { kind: "outside" };
  const { depth, of } = layout;
  const [id, version] = segments.slice(depth - 2, depth);
  if (id === undefined || version === undefined) return { kind: "on-the-way" };
  const home = `/${segments.slice(0, depth).join("/")}`;
  return { kind: "unit", unit: { of, id, version, home, rest: segments.slice(depth) } };
}

/** Modules are open at the pack's default unless it says otherwise; artifacts only when it names them. */
export function accessTo(pack: ContextPack, { of, id, version }: Unit): PackAccess {
  const ref = `${id}@${version}`;
  const known = of === "module" ? ModuleRef : ArtifactRef;
  if (!known.safeParse(ref).success)
    return { kind: "none", reason: `${ref} is not the version of a known ${of}` };
  const access = permissionFor(pack, ref);
  if (of === "module" || access.kind === "none") return access;
  if (pack.included_refs.some((entry) => entry.ref === ref)) return access;
  return { kind: "none", reason: `the pack does not include ${ref}` };
}

export function excludesVersionOf(pack: ContextPack, moduleId: string): boolean {
  return pack.excluded_refs.some((entry) => moduleIdOf(entry.ref) === moduleId);
}

/** The generated file at this place, whatever else may lie there under its name. */
export function generatedAt({ of, rest }: Unit): Generated | undefined {
  const [name, ...deeper] = rest;
  if (of === "artifact" || deeper.length > 0) return undefined;
  return name === SUMMARY || name === METADATA ? name : undefined;
}

/** Whether a stored file or folder of the unit can be seen; generated ones are asked for with `generatedAt`. */
export function isShown(permission: Permission, { of, rest }: Unit, kind: "file" | "folder"): boolean {
  if (kind === "folder" && rest.length === 0) return true;
  if (of === "module" || permission === "FULL") return isShownBelow(permission, rest, kind);
  const [first, ...inBody] = rest;
  if (first === "envelope.json") return kind === "file" && inBody.length === 0;
  if (first !== "body") return false;
  if (inBody.length === 0) return kind === "folder" && VIEWS[permission].files.length > 0;
  return isShownBelow(permission, inBody, kind);
}

export function isGenerated(permission: Permission, name: Generated): boolean {
  return name === SUMMARY ? VIEWS[permission].summary : VIEWS[permission].metadata;
}

function isShownBelow(permission: Permission, rest: readonly string[], kind: "file" | "folder"): boolean {
  const path = rest.join("/");
  return kind === "file" ? isVisible(permission, path) : isVisible(permission, `${path}/any`);
}
