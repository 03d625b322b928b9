// What one agent was given to see, what was kept from it and why; written before the agent starts, never by it.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { IsoTime, moduleIdOf, TaskId, Text, VersionedRef } from "../refs.ts";
import { idOfType } from "./artifact-type.ts";
import { Role } from "./role.ts";

/** From the most to the least that can be seen. */
export const Permission = z.enum(["FULL", "CONTRACT_ONLY", "SUMMARY_ONLY", "METADATA_ONLY"]);
export type Permission = z.infer<typeof Permission>;

export function permits(granted: Permission, needed: Permission): boolean {
  return Permission.options.indexOf(granted) <= Permission.options.indexOf(needed);
}

interface View {
  /** Files and folders (ending in a slash) of a module. */
  readonly files: "everything" | readonly string[];
  /** A short text made from the contract: name, purpose and the five dimensions. */
  readonly summary: boolean;
  /** The artifact's envelope. */
  readonly metadata: boolean;
}

/** What of a module each permission opens. */
export const VIEWS: Readonly<Record<Permission, View>> = {
  FULL: { files: "everything", summary: true, metadata: true },
  CONTRACT_ONLY: {
    files: ["contract.json", "examples.md", "ship.json", "types/"],
    summary: true,
    metadata: true,
  },
  SUMMARY_ONLY: { files: [], summary: true, metadata: true },
  METADATA_ONLY: { files: [], summary: false, metadata: true },
};

/** `path` is relative to the module's folder; whatever could lead out of the folder is not visible to anyone. */
export function isVisible(permission: Permission, path: string): boolean {
  if (!staysInside(path)) return false;
  const { files } = VIEWS[permission];
  if (files === "everything") return true;
  return files.some((file) => (file.endsWith("/") ? path.startsWith(file) : path === file));
}

/** Whether a relative path, spelled in the one plain way, cannot lead out of the folder it starts from. */
export function staysInside(path: string): boolean {
  if (/[\\\0]|^[A-Za-z]:/.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

export const ContextPack = z
  .strictObject({
    context_pack_id: idOfType("CONTEXT_PACK"),
    created_for: z.strictObject({
      role: Role,
      run_id: Text,
      /** Null only for the product researcher, who works before there are tasks. */
      task_ref: TaskId.nullable(),
    }),
    included_refs: z.array(z.strictObject({ ref: VersionedRef, permission: Permission, reason: Text })),
    excluded_refs: z.array(z.strictObject({ ref: VersionedRef, reason: Text })),
    default_permission: z.literal("CONTRACT_ONLY"),
    created_at: IsoTime,
  })
  .superRefine((pack, context) => {
    checkTask(pack, context);
    checkEachRefOnce(pack, context);
    checkOneFullModule(pack, context);
  });
export type ContextPack = z.infer<typeof ContextPack>;

export type PackAccess = { kind: "granted"; permission: Permission } | { kind: "none"; reason: string };

export function permissionFor(pack: ContextPack, ref: string): PackAccess {
  if (!VersionedRef.safeParse(ref).success) {
    return { kind: "none", reason: `"${ref}" is not a reference such as MM-slug@1.0.0` };
  }
  const excluded = pack.excluded_refs.find((entry) => entry.ref === ref);
  if (excluded !== undefined) return { kind: "none", reason: excluded.reason };
  const included = pack.included_refs.find((entry) => entry.ref === ref);
  return { kind: "granted", permission: included?.permission ?? pack.default_permission };
}

type Context = z.core.$RefinementCtx;

function checkTask({ created_for }: ContextPack, context: Context): void {
  const beforeTasks = created_for.role === "product_researcher";
  if (beforeTasks === (created_for.task_ref === null)) return;
  // When every task has shipped, it tries the product as a whole.
  if (created_for.role === "architect" && created_for.task_ref === null) return;
  const expected = beforeTasks
    ? "null for the product_researcher"
    : `the task that the ${created_for.role} works on`;
  refuse(context, ["created_for", "task_ref"], expected, JSON.stringify(created_for.task_ref));
}

function checkEachRefOnce(pack: ContextPack, context: Context): void {
  const seen = new Map<string, string>();
  for (const list of ["included_refs", "excluded_refs"] as const) {
    pack[list].forEach(({ ref }, index) => {
      const first = seen.get(ref);
      if (first === undefined) seen.set(ref, `${list}[${index}]`);
      else refuse(context, [list, index, "ref"], `a reference that ${first} does not hold`, `"${ref}" again`);
    });
  }
}

/** Source is open only for the module at hand; everything else is a closed service. */
function checkOneFullModule(pack: ContextPack, context: Context): void {
  let current: string | undefined;
  pack.included_refs.forEach(({ ref, permission }, index) => {
    if (permission !== "FULL" || !ref.startsWith("MM-")) return;
    current ??= moduleIdOf(ref);
    if (moduleIdOf(ref) !== current) {
      const expected = `at most CONTRACT_ONLY, since ${current} is the one module with FULL`;
      refuse(context, ["included_refs", index, "permission"], expected, `FULL for ${ref}`);
    }
  });
}
