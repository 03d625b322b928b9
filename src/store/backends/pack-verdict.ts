// Whether a context pack lets one file be read or changed, decided from the path alone: the answer never depends on what is there.
import { VIEWS } from "../../domain/artifact/context-pack.ts";
import type { ContextPack, Permission } from "../../domain/artifact/context-pack.ts";
import { METADATA, SUMMARY } from "./module-card.ts";
import { accessTo, generatedAt, isGenerated, isShown, placeOf } from "./pack-view.ts";
import type { Generated, Unit } from "./pack-view.ts";
import { isFolder } from "./refusal.ts";
import { virtualPath } from "./virtual-path.ts";

export type PackedFile =
  | { kind: "stored"; path: string }
  | { kind: "generated"; path: string; unit: Unit; name: Generated };

export type Verdict =
  | { kind: "granted"; reason: string; file: PackedFile }
  | { kind: "refused"; error: string };

export function forReading(pack: ContextPack, path: string): Verdict {
  return verdict(pack, path, (plain, permission, unit) => {
    const name = generatedAt(unit);
    if (name !== undefined && isGenerated(permission, name)) {
      return granted(permission, unit, { kind: "generated", path: plain, unit, name });
    }
    if (name === undefined && isShown(permission, unit, "file")) {
      return granted(permission, unit, { kind: "stored", path: plain });
    }
    return { kind: "refused", error: beyond(path, permission, unit) };
  });
}

export function forChanging(pack: ContextPack, path: string): Verdict {
  return verdict(pack, path, (plain, permission, unit) => {
    if (permission !== "FULL") return { kind: "refused", error: beyond(path, permission, unit) };
    if (generatedAt(unit) === undefined) return granted(permission, unit, { kind: "stored", path: plain });
    const error = `'${path}' is made from other files and cannot be changed; change '${unit.home}/contract.json' instead`;
    return { kind: "refused", error };
  });
}

export function outside(path: string): string {
  return `'${path}' is not in this context pack; work with the contracts below '/modules' and with what the task names`;
}

export function closed(path: string, reason: string): string {
  return `'${path}' is closed in this context pack (${reason}); work with the contracts that are open, or raise an Interface Change Exception (§13)`;
}

export function beyond(path: string, permission: Permission, unit: Unit): string {
  return `'${path}' is closed: ${unit.id}@${unit.version} is granted ${permission} here; ${insteadOf(permission, unit)}`;
}

function verdict(
  pack: ContextPack,
  path: string,
  judge: (plain: string, permission: Permission, unit: Unit) => Verdict,
): Verdict {
  const asked = virtualPath(path);
  if (asked.kind === "refused") return { kind: "refused", error: asked.reason };
  const place = placeOf(asked.segments);
  if (place.kind === "outside") return { kind: "refused", error: outside(path) };
  if (place.kind === "on-the-way") return { kind: "refused", error: isFolder(path) };
  const access = accessTo(pack, place.unit);
  if (access.kind === "none") return { kind: "refused", error: closed(path, access.reason) };
  if (place.unit.rest.length === 0) return { kind: "refused", error: isFolder(path) };
  return judge(asked.path, access.permission, place.unit);
}

function granted(permission: Permission, unit: Unit, file: PackedFile): Verdict {
  return { kind: "granted", reason: `${unit.id}@${unit.version} is granted ${permission}`, file };
}

function insteadOf(permission: Permission, { of, home }: Unit): string {
  const { files, summary } = VIEWS[permission];
  if (of === "artifact") return `use '${home}/envelope.json' instead`;
  const open = files === "everything" || files.length === 0 ? [summary ? SUMMARY : METADATA] : files;
  return `use ${open.join(", ")} in '${home}' instead; if that is not enough, raise an Interface Change Exception (§13)`;
}
