// What the harness remembers of one workspace, beside it on the disk and out of the agent's sight.
import { z } from "zod";
import { Role } from "../artifact/role.ts";
import { refuse } from "../parse.ts";
import { form, IsoTime, Text } from "../refs.ts";

export const WorkspaceId = form(/^[a-z0-9][a-z0-9-]{0,79}$/, "a workspace id such as tests-abc123");
export type WorkspaceId = z.infer<typeof WorkspaceId>;

/** A commit, tree or file content in git. */
export const GitId = form(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "the id of something in git");
export type GitId = z.infer<typeof GitId>;

/** A file or, with a slash at its end, a folder of the base; the empty path is all of it. */
export const PathGrant = z.strictObject({ path: z.string(), access: z.enum(["read", "write"]) });
export type PathGrant = z.infer<typeof PathGrant>;

export const WorkspaceRecord = z
  .strictObject({
    id: WorkspaceId,
    runId: Text,
    role: Role,
    /** The hub's commit that the workspace was cut from. */
    base: GitId,
    grants: z.array(PathGrant),
    /** Files and folders that are nobody's work, such as caches. */
    scratch: z.array(Text),
    /** Never leaves this file and the workspace. */
    canary: Text,
    /** The process that made it; while that lives, nobody else touches it. */
    holder: z.strictObject({ pid: z.int().positive(), startedAt: Text }),
    state: z.enum(["creating", "open"]),
    /** The only commit of the new repository and the pack it came in; null until they are there. */
    root: z.strictObject({ commit: GitId, pack: Text }).nullable(),
    /** What the hub has of it already: the newest commit, and the content of each path in it. */
    taken: z
      .strictObject({ branch: Text, commit: GitId, paths: z.record(z.string(), Text.nullable()) })
      .nullable(),
    createdAt: IsoTime,
  })
  .superRefine(({ state, root }, context) => {
    if ((state === "open") === (root !== null)) return;
    refuse(
      context,
      ["root"],
      `${state === "open" ? "a commit" : "null"} while ${state}`,
      JSON.stringify(root),
    );
  });
export type WorkspaceRecord = z.infer<typeof WorkspaceRecord>;

/** The most specific grant decides; without one a path is not granted. */
export function accessTo(grants: readonly PathGrant[], path: string): PathGrant["access"] | undefined {
  let best: PathGrant | undefined;
  for (const grant of grants) {
    if (covers(grant.path, path) && grant.path.length >= (best?.path.length ?? 0)) best = grant;
  }
  return best?.access;
}

/** A path that ends in a slash is a folder with everything below it. */
export function covers(granted: string, path: string): boolean {
  return granted === "" || granted === path || (granted.endsWith("/") && path.startsWith(granted));
}
