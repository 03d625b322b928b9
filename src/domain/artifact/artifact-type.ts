// Every kind of artifact the factory keeps, and the ids that tell them apart.
import { z } from "zod";
import { CupelError } from "../error.ts";
import { form, VERSION } from "../refs.ts";

/** Closed: a kind that is not here does not exist. */
export const ArtifactType = z.enum([
  "MICRO_PLAN",
  "CONTRACT",
  "IMPLEMENTATION",
  "PROPOSAL",
  "CHALLENGE",
  "ADJUDICATION",
  "SHIP_EVIDENCE",
  "ESCALATION",
  "CONTEXT_PACK",
  "INTERFACE_CHANGE_EXCEPTION",
  "REUSE_SEARCH_REPORT",
  "PRODUCT_SPEC",
  "EXAMPLES",
  "RESEARCH",
  "TEST_SUITE",
  "MERGE_EVENT",
  "WITNESS_REPORT",
  "RELEASE_MANIFEST",
  "BLINDNESS_CERTIFICATE",
  "PROOF_BUNDLE",
  "CALL_RECORD",
]);
export type ArtifactType = z.infer<typeof ArtifactType>;

/** Part of every id, so a prefix never changes and never means two things. */
export const ARTIFACT_PREFIXES: Readonly<Record<ArtifactType, string>> = {
  MICRO_PLAN: "MP",
  CONTRACT: "CTR",
  IMPLEMENTATION: "IMPL",
  PROPOSAL: "PROP",
  CHALLENGE: "CHAL",
  ADJUDICATION: "ADJ",
  SHIP_EVIDENCE: "SHIP",
  ESCALATION: "ESC",
  CONTEXT_PACK: "CP",
  INTERFACE_CHANGE_EXCEPTION: "ICE",
  REUSE_SEARCH_REPORT: "RSR",
  PRODUCT_SPEC: "SPEC",
  EXAMPLES: "EX",
  RESEARCH: "RES",
  TEST_SUITE: "TST",
  MERGE_EVENT: "MRG",
  WITNESS_REPORT: "WIT",
  RELEASE_MANIFEST: "REL",
  BLINDNESS_CERTIFICATE: "CERT",
  PROOF_BUNDLE: "PB",
  CALL_RECORD: "CALL",
};

const ANY_PREFIX = Object.values(ARTIFACT_PREFIXES).join("|");

export const ArtifactId = form(`^(${ANY_PREFIX})-[0-9a-f]{8}$`, "an artifact id such as CTR-0a1b2c3d");
export type ArtifactId = z.infer<typeof ArtifactId>;

/** `id@version` of an artifact. */
export const ArtifactRef = form(
  `^(${ANY_PREFIX})-[0-9a-f]{8}@${VERSION}$`,
  "an artifact version such as CTR-0a1b2c3d@1.0.0",
);
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** The schema of ids of one kind only. */
export function idOfType(type: ArtifactType): z.ZodString {
  return form(
    `^${ARTIFACT_PREFIXES[type]}-[0-9a-f]{8}$`,
    `an id such as ${ARTIFACT_PREFIXES[type]}-0a1b2c3d`,
  );
}

const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Only random (version 4) UUIDs: the first digits of the others are a clock, and ids made close together would meet. */
export function artifactId(type: ArtifactType, uuid: string): ArtifactId {
  if (!UUID4.test(uuid)) {
    throw new CupelError("usage", `cannot make an artifact id from "${uuid}"`, {
      expected: "a version 4 UUID, as randomUUID() gives",
    });
  }
  return `${ARTIFACT_PREFIXES[type]}-${uuid.slice(0, 8).toLowerCase()}`;
}

const TYPE_OF_PREFIX = new Map(ArtifactType.options.map((type) => [ARTIFACT_PREFIXES[type], type]));

/** Takes an id or an `id@version`. */
export function typeOfArtifact(id: string): ArtifactType {
  const type = TYPE_OF_PREFIX.get(id.slice(0, id.indexOf("-")));
  if (type === undefined || !(ArtifactId.safeParse(id).success || ArtifactRef.safeParse(id).success)) {
    throw new CupelError("invalid_input", `"${id}" is not the id of an artifact`, {
      expected: "a known prefix, a hyphen and 8 lowercase hex digits, such as MP-0a1b2c3d",
    });
  }
  return type;
}
