import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { Contribution, ContributionType } from "./contribution.ts";
import { spoil } from "../../../test/spoil.ts";

const contribution = {
  contribution_id: "CONTRIB-0a1b2c3d",
  type: "IMPLEMENTATION",
  produced_by: { role: "proposer", run_id: "r-1" },
  artifact_ref: "IMPL-0a1b2c3d@1.0.0",
  task_ref: "T-text-slug-basics-001",
  created_at: "2026-11-15T12:00:00Z",
  context_pack_ref: "CP-0a1b2c3d",
};
const manifest = {
  ...contribution,
  type: "RELEASE_MANIFEST",
  produced_by: { role: "harness", run_id: "r-1" },
  artifact_ref: "REL-0a1b2c3d@1.0.0",
  task_ref: null,
  context_pack_ref: null,
};
const spec = {
  ...contribution,
  type: "PRODUCT_SPEC",
  produced_by: { role: "product_researcher", run_id: "r-1" },
  artifact_ref: "SPEC-0a1b2c3d@1.0.0",
  task_ref: null,
};

describe("Contribution", () => {
  it.each([contribution, manifest, spec])("accepts %j", (value) => {
    expect(parse(Contribution, value)).toEqual({ kind: "ok", value });
  });

  it.each([
    [
      contribution,
      { type: "CHALLENGE" },
      "$.artifact_ref",
      "a reference to a CHALLENGE",
      '"IMPL-0a1b2c3d@1.0.0"',
    ],
    [contribution, { task_ref: null }, "$.task_ref", "the task that this IMPLEMENTATION belongs to", "null"],
    [
      manifest,
      { task_ref: "T-a-001" },
      "$.task_ref",
      "null, since a RELEASE_MANIFEST belongs to no single task",
      '"T-a-001"',
    ],
    [
      contribution,
      { context_pack_ref: null },
      "$.context_pack_ref",
      "the context pack that the proposer was given",
      "null",
    ],
    [
      manifest,
      { context_pack_ref: "CP-0a1b2c3d" },
      "$.context_pack_ref",
      "null for what the harness made",
      '"CP-0a1b2c3d"',
    ],
  ])("refuses %j with %j", (base, change, path, expected, found) => {
    expect(parse(Contribution, { ...base, ...change })).toEqual({
      kind: "invalid",
      problems: [{ path, expected, found }],
    });
  });

  it.each([
    [{ contribution_id: "CONTRIB-1" }, "$.contribution_id"],
    [{ contribution_id: "CONTRIB-0a1b2c3d4" }, "$.contribution_id"],
    [{ contribution_id: "xCONTRIB-0a1b2c3d" }, "$.contribution_id"],
    [{ type: "NOTE" }, "$.type"],
    [{ produced_by: { role: "proposer", run_id: "" } }, "$.produced_by.run_id"],
    [{ produced_by: { role: "Proposer", run_id: "r-1" } }, "$.produced_by.role"],
    [{ artifact_ref: "IMPL-0a1b2c3d" }, "$.artifact_ref"],
    [{ task_ref: "TSK-001" }, "$.task_ref"],
    [{ created_at: "2026-11-15" }, "$.created_at"],
    [{ context_pack_ref: "CP-1" }, "$.context_pack_ref"],
    [{ amended: true }, "$.amended"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(Contribution, { ...contribution, ...change })).toMatchObject({ problems: [{ path }] });
  });

  it("survives a reference that is none", () => {
    const paths = problemPaths({ ...contribution, artifact_ref: "garbage" });
    expect(new Set(paths)).toEqual(new Set(["$.artifact_ref"]));
  });

  it("has a closed list of types, without the records that only accompany work", () => {
    expect(ContributionType.options).toHaveLength(15);
    for (const type of ["PROPOSAL", "ESCALATION", "CONTEXT_PACK", "EXAMPLES"]) {
      expect(ContributionType.safeParse(type).success).toBe(false);
    }
  });

  it.each(spoil(contribution))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(Contribution, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(Contribution)).toBeDefined();
  });
});

function problemPaths(input: unknown): string[] {
  const parsed = parse(Contribution, input);
  return parsed.kind === "invalid" ? parsed.problems.map(({ path }) => path) : [];
}
