import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { ArtifactEnvelope, ArtifactStatus, checkNextVersion, mayTransition } from "./artifact-envelope.ts";
import { spoil } from "../../../test/spoil.ts";

const envelope = {
  artifact_id: "IMPL-0a1b2c3d",
  artifact_type: "IMPLEMENTATION",
  version: "1.0.0",
  status: "DRAFT",
  created_at: "2026-11-15T12:00:00Z",
  created_by: { role: "proposer", run_id: "r-1" },
  context_pack_ref: "CP-0a1b2c3d",
  inputs: [{ ref: "CTR-0a1b2c3d@1.0.0", purpose: "the contract to satisfy" }],
  outputs: [{ ref: "MM-slug@1.0.0", purpose: "the module" }],
};

describe("ArtifactEnvelope", () => {
  it("accepts a full envelope and fills in empty notes", () => {
    expect(parse(ArtifactEnvelope, envelope)).toEqual({ kind: "ok", value: { ...envelope, notes: "" } });
  });

  it.each(["harness", "person"])("lets the %s make artifacts without a context pack", (role) => {
    const made = { ...envelope, created_by: { role, run_id: "r-1" }, context_pack_ref: null };
    expect(parse(ArtifactEnvelope, made).kind).toBe("ok");
  });

  it.each([
    [
      { artifact_id: "CTR-0a1b2c3d" },
      "$.artifact_id",
      "an id with the prefix IMPL- for IMPLEMENTATION",
      '"CTR-0a1b2c3d"',
    ],
    [
      { context_pack_ref: null },
      "$.context_pack_ref",
      "the context pack that the proposer was given",
      "null",
    ],
    [
      { created_by: { role: "harness", run_id: "r-1" } },
      "$.context_pack_ref",
      "null for what the harness made",
      '"CP-0a1b2c3d"',
    ],
    [{ note: "x" }, "$.note", 'the key "notes"', 'the unknown key "note"'],
  ])("refuses %j and says what it wants", (change, path, expected, found) => {
    expect(parse(ArtifactEnvelope, { ...envelope, ...change })).toEqual({
      kind: "invalid",
      problems: [{ path, expected, found }],
    });
  });

  it.each([
    [{ version: "1.0" }, "$.version"],
    [{ version: "01.0.0" }, "$.version"],
    [{ status: "HALTED" }, "$.status"],
    [{ artifact_type: "NOTE" }, "$.artifact_type"],
    [{ created_at: "yesterday" }, "$.created_at"],
    [{ created_by: { role: "proposer", run_id: " " } }, "$.created_by.run_id"],
    [{ created_by: { role: "boss", run_id: "r" } }, "$.created_by.role"],
    [{ context_pack_ref: "MP-0a1b2c3d" }, "$.context_pack_ref"],
    [{ inputs: [{ ref: "MM-slug", purpose: "x" }] }, "$.inputs[0].ref"],
    [{ outputs: [{ ref: "MM-slug@1.0.0", purpose: "" }] }, "$.outputs[0].purpose"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(ArtifactEnvelope, { ...envelope, ...change })).toMatchObject({ problems: [{ path }] });
  });

  it.each(spoil(envelope))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(ArtifactEnvelope, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(ArtifactEnvelope)).toBeDefined();
  });
});

describe("mayTransition", () => {
  const legal = new Set([
    "DRAFT>CHALLENGED",
    "CHALLENGED>ADJUDICATED",
    "ADJUDICATED>SHIPPED",
    "SHIPPED>DEPRECATED",
  ]);
  const pairs = ArtifactStatus.options.flatMap((from) =>
    ArtifactStatus.options.map((to) => [from, to] as const),
  );

  it.each(pairs)("judges %s → %s", (from, to) => {
    const always = legal.has(`${from}>${to}`);
    const sentBack = `${from}>${to}` === "ADJUDICATED>DRAFT";
    expect(mayTransition(from, to).kind).toBe(always ? "allowed" : "refused");
    expect(mayTransition(from, to, "closed").kind).toBe(always ? "allowed" : "refused");
    expect(mayTransition(from, to, "open").kind).toBe(always || sentBack ? "allowed" : "refused");
  });

  it.each([
    ["DRAFT", "SHIPPED", "nothing ships undebated; it must be challenged and adjudicated first"],
    ["DRAFT", "ADJUDICATED", "nobody has challenged it yet; the arbiter decides only after a challenge"],
    ["DRAFT", "DEPRECATED", "only what was shipped can be deprecated"],
    ["CHALLENGED", "DRAFT", "a challenger cannot send work back; only the arbiter's rejection can"],
    ["CHALLENGED", "SHIPPED", "the arbiter has not decided yet"],
    ["CHALLENGED", "CHALLENGED", "the artifact has this status already"],
    [
      "ADJUDICATED",
      "DRAFT",
      "the retries are used up; rejected work now halts the project instead of coming back",
    ],
    ["SHIPPED", "DRAFT", "what is shipped never changes; make a new version instead"],
    [
      "SHIPPED",
      "CHALLENGED",
      "what is shipped is not judged again; raise an interface change and judge the new version",
    ],
    ["DEPRECATED", "SHIPPED", "deprecated is final; refer to it or ship a successor"],
  ] as const)("says why %s → %s is refused", (from, to, reason) => {
    expect(mayTransition(from, to)).toEqual({ kind: "refused", reason });
  });
});

describe("checkNextVersion", () => {
  it.each([
    [[], "1.0.0", { kind: "allowed" }],
    [[], "0.1.0", { kind: "refused", reason: "the first version is 1.0.0, not 0.1.0" }],
    [[], "2.0.0", { kind: "refused", reason: "the first version is 1.0.0, not 2.0.0" }],
    [["1.0.0"], "1.0.1", { kind: "allowed" }],
    [
      ["1.0.0"],
      "1.0.0",
      { kind: "refused", reason: "1.0.0 is not newer than 1.0.0, the newest version so far" },
    ],
    [
      ["1.10.0", "1.9.0"],
      "1.9.1",
      { kind: "refused", reason: "1.9.1 is not newer than 1.10.0, the newest version so far" },
    ],
    [
      ["2.0.0", "1.0.0"],
      "1.5.0",
      { kind: "refused", reason: "1.5.0 is not newer than 2.0.0, the newest version so far" },
    ],
  ])("%j then %s", (existing, next, expected) => {
    expect(checkNextVersion(existing, next)).toEqual(expected);
  });

  it("allows exactly what is newer than every version so far, and leaves the list alone", () => {
    const part = fc.nat({ max: 12 });
    const version = fc.tuple(part, part, part);
    fc.assert(
      fc.property(fc.array(version, { minLength: 1 }), version, (existing, next) => {
        const texts = existing.map((parts) => parts.join("."));
        const before = [...texts];
        const decision = checkNextVersion(texts, next.join("."));
        expect(decision.kind === "allowed").toBe(existing.every((old) => weight(next) > weight(old)));
        expect(texts).toEqual(before);
      }),
    );
  });
});

function weight([major = 0, minor = 0, patch = 0]: number[]): number {
  return major * 10_000 + minor * 100 + patch;
}
