// What the harness remembers of one workspace, beside it on the disk and out of the agent's sight.
import { z } from "zod";
import { Role } from "../artifact/role.ts";
import { refuse } from "../parse.ts";
import { Fingerprint, form, IsoTime, Text } from "../refs.ts";

export const WorkspaceId = form(/^[a-z0-9][a-z0-9-]{0,79}$/, "a workspace id such as tests-abc123");
export type WorkspaceId = z.infer<typeof WorkspaceId>;

/** A commit, tree or file content in git. */
export const GitId = form(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "the id of something in git");
export type GitId = z.infer<typeof GitId>;

/** A file or, with a slash at its end, a folder of the base; the empty path is all of it. */
export const PathGrant = z.strictObject({ path: z.string(), access: z.enum(["read", "write"]) });
export type PathGrant = z.infer<typeof PathGrant>;

/** A process, so that it can be told from a later one with the same number and from those of other containers. */
export const Holder = z.strictObject({ pid: z.int().positive(), startedAt: Text, namespace: Text });
export type Holder = z.infer<typeof Holder>;

/** A commit on a branch of the hub, and the version of each changed path in it; null is a path that is gone. */
export const TakenWork = z.strictObject({
  branch: Text,
  commit: GitId,
  paths: z.record(z.string(), Text.nullable()),
});
export type TakenWork = z.infer<typeof TakenWork>;

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
    /** The process that works with it; while that lives, nobody else touches it. */
    holder: Holder,
    state: z.enum(["creating", "open"]),
    /** The only commit of the new repository and the pack it came in; null until they are there. */
    root: z.strictObject({ commit: GitId, pack: Text, packHash: Fingerprint }).nullable(),
    /** What the hub has of it already. */
    taken: TakenWork.nullable(),
    /** What the hub is being given; whether it has it, the branch tells. */
    pending: TakenWork.nullable(),
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
