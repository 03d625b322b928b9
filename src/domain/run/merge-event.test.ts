import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { ChangeEntry, ChangeType, impactOf, MergeEvent } from "./merge-event.ts";
import { spoil } from "../../../test/spoil.ts";

const change = (changeType: string, symbol = "slugify") => ({ symbol, changeType, reason: "asked for" });

describe("impactOf", () => {
  it.each([
    [[], "Trivial"],
    [["NewExport"], "Additive"],
    [["SignatureChange"], "Breaking"],
    [["RemovedExport"], "Breaking"],
    [["BehaviorChange"], "Breaking"],
    [["NewExport", "NewExport"], "Additive"],
    [["NewExport", "BehaviorChange"], "Breaking"],
  ] as const)("%j is %s", (types, expected) => {
    expect(impactOf(types.map((changeType) => ({ changeType })))).toBe(expected);
  });

  it("is the worst of its parts", () => {
    const worst = { Trivial: 0, Additive: 1, Breaking: 2 };
    const weight = { NewExport: 1, SignatureChange: 2, RemovedExport: 2, BehaviorChange: 2 };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ChangeType.options)), (types) => {
        const naive = types.reduce((most, type) => Math.max(most, weight[type]), 0);
        expect(worst[impactOf(types.map((changeType) => ({ changeType })))]).toBe(naive);
      }),
    );
  });
});

describe("MergeEvent", () => {
  const breaking = {
    author: "node-a",
    impactLevel: "Breaking",
    changes: [
      { ...change("SignatureChange"), from: "() => string", to: "(a: string) => string" },
      change("BehaviorChange"),
      { ...change("RemovedExport", "trim"), from: "() => void" },
      { ...change("NewExport", "join"), to: "() => void" },
    ],
  };
  const additive = { author: "node-a", impactLevel: "Additive", changes: [change("NewExport")] };

  it.each([additive, { author: "node-a", impactLevel: "Trivial", changes: [] }, breaking])(
    "accepts %j",
    (event) => {
      expect(parse(MergeEvent, event)).toEqual({ kind: "ok", value: event });
    },
  );

  it.each([
    [{ impactLevel: "Trivial" }, "$.impactLevel", "Additive, as the changes show", "Trivial"],
    [{ impactLevel: "Breaking" }, "$.impactLevel", "Additive, as the changes show", "Breaking"],
    [{ changes: [] }, "$.impactLevel", "Trivial, as the changes show", "Additive"],
    [{ changes: [change("BehaviorChange")] }, "$.impactLevel", "Breaking, as the changes show", "Additive"],
    [
      { changes: [change("NewExport"), change("NewExport", "b"), change("NewExport")] },
      "$.changes[2]",
      "a change that changes[0] does not hold",
      "NewExport slugify again",
    ],
  ])("refuses %j", (wrong, path, expected, found) => {
    expect(parse(MergeEvent, { ...additive, ...wrong })).toEqual({
      kind: "invalid",
      problems: [{ path, expected, found }],
    });
  });

  it.each([
    [
      { ...change("NewExport"), from: "old" },
      "$.from",
      "nothing, because a NewExport was not there before",
      '"old"',
    ],
    [{ ...change("RemovedExport"), to: "new" }, "$.to", "nothing, because a RemovedExport is gone", '"new"'],
    [
      { ...change("SignatureChange"), from: "same", to: "same" },
      "$.to",
      "another signature than before",
      '"same" again',
    ],
  ])("refuses the change %j", (entry, path, expected, found) => {
    expect(parse(ChangeEntry, entry)).toEqual({ kind: "invalid", problems: [{ path, expected, found }] });
  });

  it.each([
    [{ author: " " }, "$.author"],
    [{ impactLevel: "ADDITIVE" }, "$.impactLevel"],
    [{ changes: [{ ...change("NewExport"), symbol: "" }] }, "$.changes[0].symbol"],
    [{ changes: [{ ...change("NewExport"), reason: "" }] }, "$.changes[0].reason"],
    [{ changes: [change("Renamed")] }, "$.changes[0].changeType"],
    [{ changes: undefined }, "$.changes"],
  ])("refuses %j at %s", (wrong, path) => {
    expect(parse(MergeEvent, { ...additive, ...wrong })).toMatchObject({ problems: [{ path }] });
  });

  it.each(spoil(breaking))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(MergeEvent, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(MergeEvent)).toBeDefined();
  });
});
