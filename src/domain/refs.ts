// How things are named and pointed at: versions, module and artifact references, content addresses, times.
import { z } from "zod";

/** Free text that says something. */
export const Text = z.string().trim().min(1);

export const IsoTime = z.iso.datetime({ offset: true });

export const Semver = z.string().regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/);
export type Semver = z.infer<typeof Semver>;

export const ModuleId = z.string().regex(/^MM-\w+$/);
export type ModuleId = z.infer<typeof ModuleId>;

/** One exact version of a module. */
export const ModuleRef = z.string().regex(/^MM-\w+@\d+\.\d+\.\d+$/);
export type ModuleRef = z.infer<typeof ModuleRef>;

/** A module and the versions of it that will do: `1.2.3`, `^1.2.0`, `~1.2.0`, `1.x`, `*`. */
export const ModuleRange = z.string().regex(/^MM-\w+@(\*|\d+\.x|[\^~]?\d+\.\d+\.\d+)$/);

export const TaskId = z
  .string()
  .max(128)
  .regex(/^T-[a-z0-9]+(-[a-z0-9]+)*-\d{3}$/);
export type TaskId = z.infer<typeof TaskId>;

/** `id@version` of anything in the state store. */
export const VersionedRef = z.string().regex(/^[\w-]+@\d+\.\d+\.\d+$/);

/** The address of a payload is the hash of its bytes. */
export const PayloadRef = z.string().regex(/^sha256:[0-9a-f]{64}$/);
export type PayloadRef = z.infer<typeof PayloadRef>;

/** A content hash without its scheme. */
export const Fingerprint = z.string().regex(/^[0-9a-f]{64}$/);

export function moduleIdOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("@"));
}

export function versionOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("@") + 1);
}
