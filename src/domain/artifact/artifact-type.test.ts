import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ARTIFACT_PREFIXES,
  ArtifactId,
  ArtifactRef,
  ArtifactType,
  artifactId,
  idOfType,
  typeOfArtifact,
} from "./artifact-type.ts";

const anyType = fc.constantFrom(...ArtifactType.options);
const uuid4 = fc.uuid({ version: 4 });

describe("artifact types", () => {
  it("are the thirteen of the store's layout the seven that other protocols produce, and the record of a call", () => {
    const names =
      "MICRO_PLAN CONTRACT IMPLEMENTATION PROPOSAL CHALLENGE ADJUDICATION SHIP_EVIDENCE ESCALATION " +
      "CONTEXT_PACK INTERFACE_CHANGE_EXCEPTION REUSE_SEARCH_REPORT PRODUCT_SPEC EXAMPLES " +
      "RESEARCH TEST_SUITE MERGE_EVENT WITNESS_REPORT RELEASE_MANIFEST BLINDNESS_CERTIFICATE PROOF_BUNDLE " +
      "CALL_RECORD";
    expect(ArtifactType.options).toEqual(names.split(" "));
  });

  it.each(["", "micro_plan", "MICRO_PLAN ", "__proto__", "constructor", "NOTE"])(
    "do not include %j",
    (name) => {
      expect(ArtifactType.safeParse(name).success).toBe(false);
    },
  );

  it("keep the prefixes that ids in the wild already carry", () => {
    expect(ARTIFACT_PREFIXES).toMatchObject({
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
      RELEASE_MANIFEST: "REL",
    });
  });

  it("have distinct prefixes of two to four capital letters", () => {
    const prefixes = Object.values(ARTIFACT_PREFIXES);
    expect(prefixes).toHaveLength(21);
    expect(new Set(prefixes).size).toBe(21);
    for (const prefix of prefixes) expect(prefix).toMatch(/^[A-Z]{2,4}$/);
  });
});

describe("artifactId", () => {
  it("takes the first eight digits of the UUID, in lower case", () => {
    expect(artifactId("MICRO_PLAN", "A1B2C3D4-0000-4000-8000-000000000000")).toBe("MP-a1b2c3d4");
    expect(artifactId("RELEASE_MANIFEST", "00000000-0000-4000-8000-000000000000")).toBe("REL-00000000");
  });

  it("makes valid ids that lead back to their type, and to no other", () => {
    fc.assert(
      fc.property(anyType, anyType, uuid4, (type, other, uuid) => {
        const id = artifactId(type, uuid);
        expect(ArtifactId.safeParse(id).success).toBe(true);
        expect(typeOfArtifact(id)).toBe(type);
        expect(typeOfArtifact(`${id}@1.0.0`)).toBe(type);
        expect(idOfType(other).safeParse(id).success).toBe(type === other);
      }),
    );
  });

  it.each([
    "",
    "a1b2c3d4",
    "a1b2c3d4-0000-7000-8000-000000000000",
    "a1b2c3d4-0000-1000-8000-000000000000",
    "a1b2c3d4-0000-4000-c000-000000000000",
    "g1b2c3d4-0000-4000-8000-000000000000",
    "{a1b2c3d4-0000-4000-8000-000000000000}",
    "xa1b2c3d4-0000-4000-8000-000000000000",
    "a1b2c3d4-0000-4000-8000-000000000000\n",
  ])("refuses %j, which is no random UUID", (uuid) => {
    expect(() => artifactId("CONTRACT", uuid)).toThrow(`cannot make an artifact id from "${uuid}"`);
  });
});

describe("ids", () => {
  const wrong = ["", "MP", "MP-", "MP-a1b2c3d", "MP-a1b2c3d45", "MP-A1B2C3D4", "MP-e5f6g7h8", "mp-a1b2c3d4"];
  const wronger = [
    "XX-a1b2c3d4",
    "MPX-a1b2c3d4",
    "xMP-a1b2c3d4",
    "MP-a1b2c3d4\n",
    "constructor-a1b2c3d4",
    "-a1b2c3d4",
  ];

  it.each([...wrong, ...wronger])("do not include %j", (id) => {
    expect(ArtifactId.safeParse(id).success).toBe(false);
    expect(() => typeOfArtifact(id)).toThrow(`"${id}" is not the id of an artifact`);
  });

  it.each([
    "MP-a1b2c3d4",
    "MP-a1b2c3d4@1.0",
    "MP-a1b2c3d4@01.0.0",
    "MM-a@1.0.0",
    "MP-a1b2c3d4@1.0.0 ",
    "xMP-a1b2c3d4@1.0.0",
  ])("with versions do not include %j", (ref) => {
    expect(ArtifactRef.safeParse(ref).success).toBe(false);
  });

  it("convert to JSON Schema", () => {
    expect(z.toJSONSchema(z.object({ id: ArtifactId, ref: ArtifactRef, type: ArtifactType }))).toBeDefined();
  });
});
