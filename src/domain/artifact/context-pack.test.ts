import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse, parseOrThrow } from "../parse.ts";
import { ContextPack, isVisible, Permission, permissionFor, permits, VIEWS } from "./context-pack.ts";
import { spoil } from "../../../test/spoil.ts";

const pack = {
  context_pack_id: "CP-0a1b2c3d",
  created_for: { role: "proposer", run_id: "r-1", task_ref: "T-text-slug-basics-001" },
  included_refs: [
    { ref: "MM-slug@1.1.0", permission: "FULL", reason: "the module at hand" },
    { ref: "MM-text@1.0.0", permission: "SUMMARY_ONLY", reason: "only its purpose matters" },
  ],
  excluded_refs: [{ ref: "MM-secret@1.0.0", reason: "not part of this task" }],
  default_permission: "CONTRACT_ONLY",
  created_at: "2026-11-15T12:00:00Z",
};
const full = (ref: string) => ({ ref, permission: "FULL", reason: "x" });

describe("ContextPack", () => {
  it("accepts a full pack, and one that names nothing", () => {
    expect(parse(ContextPack, pack)).toEqual({ kind: "ok", value: pack });
    expect(parse(ContextPack, { ...pack, included_refs: [], excluded_refs: [] }).kind).toBe("ok");
  });

  it.each([
    [
      { included_refs: [full("MM-slug@1.1.0"), full("MM-slug@1.1.0")] },
      "$.included_refs[1].ref",
      "a reference that included_refs[0] does not hold",
      '"MM-slug@1.1.0" again',
    ],
    [
      { excluded_refs: [{ ref: "MM-text@1.0.0", reason: "x" }] },
      "$.excluded_refs[0].ref",
      "a reference that included_refs[1] does not hold",
      '"MM-text@1.0.0" again',
    ],
    [
      { excluded_refs: [...pack.excluded_refs, ...pack.excluded_refs] },
      "$.excluded_refs[1].ref",
      "a reference that excluded_refs[0] does not hold",
      '"MM-secret@1.0.0" again',
    ],
    [
      { included_refs: [full("MM-slug@1.1.0"), full("MM-text@1.0.0")] },
      "$.included_refs[1].permission",
      "at most CONTRACT_ONLY, since MM-slug is the one module with FULL",
      "FULL for MM-text@1.0.0",
    ],
    [
      { created_for: { ...pack.created_for, task_ref: null } },
      "$.created_for.task_ref",
      "the task that the proposer works on",
      "null",
    ],
    [
      { created_for: { ...pack.created_for, role: "product_researcher" } },
      "$.created_for.task_ref",
      "null for the product_researcher",
      '"T-text-slug-basics-001"',
    ],
    [{ default_permission: "FULL" }, "$.default_permission", '"CONTRACT_ONLY"', '"FULL"'],
    [{ default_permission: undefined }, "$.default_permission", '"CONTRACT_ONLY"', "nothing"],
  ])("refuses %j", (change, path, expected, found) => {
    expect(parse(ContextPack, { ...pack, ...change })).toEqual({
      kind: "invalid",
      problems: [{ path, expected, found }],
    });
  });

  it.each([
    [{ context_pack_id: "CP-1" }, "$.context_pack_id"],
    [{ created_for: { ...pack.created_for, role: "harness" } }, "$.created_for.role"],
    [{ included_refs: [{ ...full("MM-slug"), permission: "FULL" }] }, "$.included_refs[0].ref"],
    [{ included_refs: [{ ...full("MM-slug@1.0.0"), permission: "full" }] }, "$.included_refs[0].permission"],
    [{ included_refs: [{ ...full("MM-slug@1.0.0"), reason: " " }] }, "$.included_refs[0].reason"],
    [{ excluded_refs: [{ ref: "MM-slug@1.0.0", reason: "" }] }, "$.excluded_refs[0].reason"],
    [{ excluded_refs: [{ ref: "MM-slug@01.0.0", reason: "x" }] }, "$.excluded_refs[0].ref"],
    [{ excluded_refs: [{ ref: "MM-slug@1.0.0\n", reason: "x" }] }, "$.excluded_refs[0].ref"],
    [{ excluded_refs: [{ ref: "a b@1.0.0", reason: "x" }] }, "$.excluded_refs[0].ref"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(ContextPack, { ...pack, ...change })).toMatchObject({ problems: [{ path }] });
  });

  it("allows FULL for two versions of the module at hand, and for artifacts beside it", () => {
    const included_refs = ["MM-slug@1.0.0", "MM-slug@2.0.0", "PROP-0a1b2c3d@1.0.0", "ADJ-0a1b2c3d@1.0.0"].map(
      full,
    );
    expect(parse(ContextPack, { ...pack, included_refs }).kind).toBe("ok");
  });

  it("lets the product researcher work without a task", () => {
    const created_for = { role: "product_researcher", run_id: "r-1", task_ref: null };
    expect(parse(ContextPack, { ...pack, created_for }).kind).toBe("ok");
  });

  it.each(spoil(pack))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(ContextPack, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(ContextPack)).toBeDefined();
  });
});

describe("permissionFor", () => {
  const valid = parseOrThrow(ContextPack, pack, "the pack");

  it.each([
    ["MM-slug@1.1.0", { kind: "granted", permission: "FULL" }],
    ["MM-text@1.0.0", { kind: "granted", permission: "SUMMARY_ONLY" }],
    ["MM-secret@1.0.0", { kind: "none", reason: "not part of this task" }],
    ["MM-slug@1.0.0", { kind: "granted", permission: "CONTRACT_ONLY" }],
    ["MM-other@1.0.0", { kind: "granted", permission: "CONTRACT_ONLY" }],
    ["constructor", { kind: "none", reason: '"constructor" is not a reference such as MM-slug@1.0.0' }],
    [
      "MM-secret@01.0.0",
      { kind: "none", reason: '"MM-secret@01.0.0" is not a reference such as MM-slug@1.0.0' },
    ],
  ])("%s", (ref, expected) => {
    expect(permissionFor(valid, ref)).toEqual(expected);
  });

  it("trusts an exclusion more than an inclusion, should a pack ever hold both", () => {
    const both = { ...valid, excluded_refs: [{ ref: "MM-slug@1.1.0", reason: "sealed" }] };
    expect(permissionFor(both, "MM-slug@1.1.0")).toEqual({ kind: "none", reason: "sealed" });
  });
});

describe("permissions", () => {
  it("are ordered, each holding what the next one holds", () => {
    const order = ["FULL", "CONTRACT_ONLY", "SUMMARY_ONLY", "METADATA_ONLY"] as const;
    expect(Permission.options).toEqual(order);
    order.forEach((granted, i) =>
      order.forEach((needed, j) => expect(permits(granted, needed)).toBe(i <= j)),
    );
  });

  it("open a summary from SUMMARY_ONLY up and the metadata always", () => {
    expect(Permission.options.map((level) => VIEWS[level].summary)).toEqual([true, true, true, false]);
    expect(Permission.options.map((level) => VIEWS[level].metadata)).toEqual([true, true, true, true]);
  });

  it.each([
    ["contract.json", ["FULL", "CONTRACT_ONLY"]],
    ["examples.md", ["FULL", "CONTRACT_ONLY"]],
    ["ship.json", ["FULL", "CONTRACT_ONLY"]],
    ["types/index.d.ts", ["FULL", "CONTRACT_ONLY"]],
    ["types/deep/a.d.ts", ["FULL", "CONTRACT_ONLY"]],
    ["implementation/index.ts", ["FULL"]],
    ["src/index.ts", ["FULL"]],
    ["tests/index.test.ts", ["FULL"]],
    ["types", ["FULL"]],
    ["typesX/a.ts", ["FULL"]],
    ["Contract.json", ["FULL"]],
    ["src/contract.json", ["FULL"]],
    ["contract.json/x", ["FULL"]],
    ["...", ["FULL"]],
    ["[...slug].tsx", ["FULL"]],
    ["types/../src/index.ts", []],
    ["./contract.json", []],
    ["types//index.d.ts", []],
    ["types/", []],
    ["/etc/passwd", []],
    ["../other/contract.json", []],
    ["types\\..\\src\\index.ts", []],
    ["contract.json\0.ts", []],
    ["C:contract.json", []],
    ["src/c:d.ts", ["FULL"]],
    ["", []],
  ])("show %j at %j only", (path, levels) => {
    expect(Permission.options.filter((level) => isVisible(level, path))).toEqual(levels);
  });

  it("never show less at a higher level", () => {
    const path = fc.array(fc.constantFrom("types", "contract.json", "src", "..", "", "."), { maxLength: 4 });
    fc.assert(
      fc.property(path, fc.nat({ max: 2 }), (segments, level) => {
        const [higher = "FULL", lower = "FULL"] = Permission.options.slice(level);
        const text = segments.join("/");
        expect(isVisible(higher, text) || !isVisible(lower, text)).toBe(true);
      }),
    );
  });
});
