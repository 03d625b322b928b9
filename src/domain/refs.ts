// How things are named and pointed at: versions, module and artifact references, content addresses, times.
import { z } from "zod";

/** Text of one form; `what` is how a person would name it. */
export function form(pattern: RegExp | string, what: string): z.ZodString {
  return z.string().regex(new RegExp(pattern), { error: what });
}

/** Free text that says something. */
export const Text = z.string().trim().min(1);

export const IsoTime = z.iso.datetime({ offset: true });

const NUMBER = "(0|[1-9]\\d*)";
/** As the source of a regular expression, for references that end in a version. */
export const VERSION = `${NUMBER}\\.${NUMBER}\\.${NUMBER}`;

export const Semver = form(`^${VERSION}$`, "a version such as 1.0.0");
export type Semver = z.infer<typeof Semver>;

export const ModuleId = form(/^MM-\w+$/, "a module id such as MM-slugify");
export type ModuleId = z.infer<typeof ModuleId>;

/** One exact version of a module. */
export const ModuleRef = form(`^MM-\\w+@${VERSION}$`, "a module version such as MM-slugify@1.0.0");
export type ModuleRef = z.infer<typeof ModuleRef>;

/** A module and the versions of it that will do: `1.2.3`, `^1.2.0`, `~1.2.0`, `1.x`, `*`. */
export const ModuleRange = form(
  `^MM-\\w+@(\\*|${NUMBER}\\.x|[\\^~]?${VERSION})$`,
  "a range of module versions such as MM-slugify@^1.0.0",
);

export const TaskId = form(/^T-[a-z0-9]+(-[a-z0-9]+)*-\d{3}$/, "a task id such as T-core-auth-login-001").max(
  128,
);
export type TaskId = z.infer<typeof TaskId>;

/** `id@version` of anything in the state store. */
export const VersionedRef = form(`^[\\w-]+@${VERSION}$`, "an id and a version such as CTR-0a1b2c3d@1.0.0");

/** The address of a payload is the hash of its bytes. */
export const PayloadRef = form(/^sha256:[0-9a-f]{64}$/, "sha256: and 64 hexadecimal digits");
export type PayloadRef = z.infer<typeof PayloadRef>;

/** A content hash without its scheme. */
export const Fingerprint = form(/^[0-9a-f]{64}$/, "64 hexadecimal digits");

export function moduleIdOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("@"));
}

export function versionOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("@") + 1);
}
