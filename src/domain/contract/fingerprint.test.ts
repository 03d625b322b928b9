// The fingerprint sees the five dimensions and nothing else; the diff is empty exactly when it is equal.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts, METADATA, slugifyContract } from "../../../test/arbitraries/contract.ts";
import { diffContracts, renderChange } from "./contract-diff.ts";
import { DIMENSIONS } from "./contract.ts";
import type { MicroModuleContract } from "./contract.ts";
import { contractFingerprint, contractLock, surfaceFingerprint } from "./fingerprint.ts";

describe("the contract fingerprint", () => {
  test("is the SHA-256 of the canonical five dimensions, written out by hand", () => {
    const canonical =
      '{"effects":[],"error_surfaces":[{"name":"EmptyTitle","surface":"exception","when":"title is empty"}],' +
      '"inputs":[{"constraints":["is not empty","is at most 200 characters"],"name":"title","type":"string"}],' +
      '"modes":{"async":false,"notes":"","sync":true},' +
      '"outputs":[{"invariants":["matches [a-z0-9-]+"],"name":"slug","type":"string"}]}';
    expect(contractFingerprint(slugifyContract())).toBe(createHash("sha256").update(canonical).digest("hex"));
  });

  test("is blind to metadata and key order", () => {
    fc.assert(
      fc.property(contracts(), (contract) => {
        const other = Object.fromEntries(Object.entries(contract).toReversed());
        const renamed = {
          ...contract,
          ...other,
          name: "other",
          purpose: "Else.",
          tags: [],
          error_cases: ["x"],
          packages: ["y"],
        };
        renamed.runtime_budgets = { memory_mb_max: 3 };
        renamed.module_version = "9.9.9";
        expect(contractFingerprint(renamed)).toBe(contractFingerprint(contract));
        expect(contractLock(renamed)).not.toBe(contractLock(contract));
      }),
    );
  });

  test.each(DIMENSIONS)("changes with %s", (dimension) => {
    fc.assert(
      fc.property(contracts(), contracts(), (a, b) => {
        const mixed = { ...a, [dimension]: b[dimension] };
        const same = JSON.stringify(sorted(a[dimension])) === JSON.stringify(sorted(b[dimension]));
        expect(contractFingerprint(mixed) === contractFingerprint(a)).toBe(same);
      }),
    );
  });

  test("an optional key set to undefined is the same contract", () => {
    const contract = slugifyContract();
    const spelt = contract.inputs.map((input) => ({ ...input, optional: undefined }));
    expect(contractFingerprint(Object.assign(slugifyContract(), { inputs: spelt }))).toBe(
      contractFingerprint(contract),
    );
  });
});

describe("the diff", () => {
  test("is empty exactly when the fingerprints are equal", () => {
    fc.assert(
      fc.property(contracts(), contracts(), fc.boolean(), (a, b, same) => {
        const other = same ? structuredClone(a) : b;
        expect(diffContracts(a, other).length === 0).toBe(
          contractFingerprint(a) === contractFingerprint(other),
        );
      }),
    );
  });

  test("reads as a person would say it", () => {
    const after = structuredClone(slugifyContract());
    after.inputs.push({ name: "max", type: "number", constraints: [], optional: true });
    after.outputs = [{ name: "slug", type: "Slug", invariants: [] }];
    after.error_surfaces = [];
    after.modes.async = true;
    expect(diffContracts(slugifyContract(), after).map(renderChange)).toEqual([
      '+ inputs: max {"name":"max","type":"number","constraints":[],"optional":true}',
      '~ outputs: slug {"name":"slug","type":"string","invariants":["matches [a-z0-9-]+"]} → {"name":"slug","type":"Slug","invariants":[]}',
      '- error_surfaces: EmptyTitle {"name":"EmptyTitle","when":"title is empty","surface":"exception"}',
      "~ modes: async false → true",
    ]);
  });

  test("a mere change of order is named", () => {
    const a = withInputs("first", "second");
    expect(diffContracts(a, withInputs("second", "first")).map(renderChange)).toEqual([
      "~ inputs: first moved from position 0 to 1",
    ]);
  });
});

describe("the surface fingerprint", () => {
  const [entry] = slugifyContract().entry_points;
  const other = {
    name: "unslug",
    signature: "(slug: string) => string",
    inputs: [],
    outputs: [],
    errors: ["A", "B"],
    effects: [],
  };
  const surface = entry === undefined ? [] : [entry, other];

  test("does not mind the order of entry points and errors, nor white space in signatures", () => {
    const shuffled = [
      { ...other, errors: ["B", "A"], signature: "(slug: string)\n  => string" },
      ...surface.slice(0, 1),
    ];
    expect(surfaceFingerprint(shuffled)).toBe(surfaceFingerprint(surface));
  });

  test.each([
    ["signature", { signature: "(title: string) => String" }],
    ["name", { name: "slug" }],
    ["inputs", { inputs: [] }],
    ["outputs", { outputs: [] }],
    ["errors", { errors: [] }],
    ["effects", { effects: ["CLOCK now"] }],
  ])("changes with the %s of an entry point", (_key, change) => {
    const changed = surface.map((point, index) => (index === 0 ? { ...point, ...change } : point));
    expect(surfaceFingerprint(changed)).not.toBe(surfaceFingerprint(surface));
  });
});

function withInputs(...names: string[]): MicroModuleContract {
  const inputs = names.map((name) => ({ name, type: "string", constraints: [] }));
  return { ...slugifyContract(), ...METADATA, inputs };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => sorted(inner));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}
