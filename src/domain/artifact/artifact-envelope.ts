// What every artifact carries whatever it holds: identity, version, status and where it came from.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { IsoTime, Semver, Text, VersionedRef } from "../refs.ts";
import { compareSemver } from "../semver.ts";
import { ArtifactId, ArtifactType, ARTIFACT_PREFIXES, idOfType } from "./artifact-type.ts";
import { Author, isRole } from "./role.ts";

export const ArtifactStatus = z.enum(["DRAFT", "CHALLENGED", "ADJUDICATED", "SHIPPED", "DEPRECATED"]);
export type ArtifactStatus = z.infer<typeof ArtifactStatus>;

const Link = z.strictObject({ ref: VersionedRef, purpose: Text });

export const ArtifactEnvelope = z
  .strictObject({
    artifact_id: ArtifactId,
    artifact_type: ArtifactType,
    version: Semver,
    status: ArtifactStatus,
    created_at: IsoTime,
    created_by: z.strictObject({ role: Author, run_id: Text }),
    /** Null when no agent made it: the harness and people are given no context pack. */
    context_pack_ref: idOfType("CONTEXT_PACK").nullable(),
    inputs: z.array(Link),
    outputs: z.array(Link),
    notes: z.string().default(""),
  })
  .superRefine((envelope, context) => {
    const prefix = `${ARTIFACT_PREFIXES[envelope.artifact_type]}-`;
    if (!envelope.artifact_id.startsWith(prefix)) {
      refuse(
        context,
        ["artifact_id"],
        `an id with the prefix ${prefix} for ${envelope.artifact_type}`,
        `"${envelope.artifact_id}"`,
      );
    }
    const { role } = envelope.created_by;
    if (isRole(role) && envelope.context_pack_ref === null) {
      refuse(context, ["context_pack_ref"], `the context pack that the ${role} was given`, "null");
    }
    if (!isRole(role) && envelope.context_pack_ref !== null) {
      refuse(
        context,
        ["context_pack_ref"],
        `null for what the ${role} made`,
        `"${envelope.context_pack_ref}"`,
      );
    }
  });
export type ArtifactEnvelope = z.infer<typeof ArtifactEnvelope>;

export type AllowedOrRefused = { kind: "allowed" } | { kind: "refused"; reason: string };

/** Whether the debate may still send work back. Closed unless the caller knows better. */
export type RetryWindow = "open" | "closed";

export function mayTransition(
  from: ArtifactStatus,
  to: ArtifactStatus,
  retryWindow: RetryWindow = "closed",
): AllowedOrRefused {
  const rule = TRANSITIONS[from][to];
  if (rule === ALLOWED) return { kind: "allowed" };
  if (rule !== WHILE_RETRIES_LAST) return { kind: "refused", reason: rule };
  return retryWindow === "open" ? { kind: "allowed" } : { kind: "refused", reason: OUT_OF_RETRIES };
}

const FIRST_VERSION = "1.0.0";

/** Versions of one artifact only ever grow, starting from 1.0.0. */
export function checkNextVersion(existing: readonly Semver[], next: Semver): AllowedOrRefused {
  const newest = existing.toSorted(compareSemver).at(-1);
  if (newest === undefined) {
    if (compareSemver(next, FIRST_VERSION) === 0) return { kind: "allowed" };
    return { kind: "refused", reason: `the first version is ${FIRST_VERSION}, not ${next}` };
  }
  if (compareSemver(next, newest) > 0) return { kind: "allowed" };
  return { kind: "refused", reason: `${next} is not newer than ${newest}, the newest version so far` };
}

const ALLOWED = Symbol("allowed");
const WHILE_RETRIES_LAST = Symbol("while retries last");

const OUT_OF_RETRIES = "the retries are used up; rejected work now halts the project instead of coming back";
const SAME = "the artifact has this status already";
const NOT_SHIPPED = "only what was shipped can be deprecated";
const SEALED = "what is shipped never changes; make a new version instead";
const FINAL = "deprecated is final; refer to it or ship a successor";

const TRANSITIONS: Record<
  ArtifactStatus,
  Record<ArtifactStatus, string | typeof ALLOWED | typeof WHILE_RETRIES_LAST>
> = {
  DRAFT: {
    DRAFT: SAME,
    CHALLENGED: ALLOWED,
    ADJUDICATED: "nobody has challenged it yet; the arbiter decides only after a challenge",
    SHIPPED: "nothing ships undebated; it must be challenged and adjudicated first",
    DEPRECATED: NOT_SHIPPED,
  },
  CHALLENGED: {
    DRAFT: "a challenger cannot send work back; only the arbiter's rejection can",
    CHALLENGED: SAME,
    ADJUDICATED: ALLOWED,
    SHIPPED: "the arbiter has not decided yet",
    DEPRECATED: NOT_SHIPPED,
  },
  ADJUDICATED: {
    DRAFT: WHILE_RETRIES_LAST,
    CHALLENGED: "the arbiter's decision stands; a new challenge needs a revised draft",
    ADJUDICATED: SAME,
    SHIPPED: ALLOWED,
    DEPRECATED: NOT_SHIPPED,
  },
  SHIPPED: {
    DRAFT: SEALED,
    CHALLENGED: "what is shipped is not judged again; raise an interface change and judge the new version",
    ADJUDICATED: SEALED,
    SHIPPED: SAME,
    DEPRECATED: ALLOWED,
  },
  DEPRECATED: { DRAFT: FINAL, CHALLENGED: FINAL, ADJUDICATED: FINAL, SHIPPED: FINAL, DEPRECATED: FINAL },
};
