import { expect, test } from "vitest";
import { moduleIdOf, versionOf } from "../../domain/refs.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { consumerRecords } from "./bench.ts";
import { renamed, Shelf } from "./shelf.ts";

function record(module: string, dependencies: string[] = []): ShipRecord {
  const id = moduleIdOf(module);
  return {
    module,
    folder: id.slice(3),
    task: "T-a-b-c-001",
    runId: "r-1",
    shipId: "SHIP-0a1b2c3d",
    shippedAt: "2026-01-01T00:00:00Z",
    dependencies,
    implementation: null,
    artifacts: [],
    entry: {
      module_id: id,
      version: versionOf(module),
      name: id,
      purpose: "To be there.",
      tags: [],
      contract_ref: "CTR-0a1b2c3d@1.0.0",
      examples_ref: "EX-0a1b2c3d@1.0.0",
      ship_ref: "SHIP-0a1b2c3d@1.0.0",
      io_summary: { inputs: [], outputs: [], error_surfaces: [], effects: [], modes: [] },
      dependencies: [],
      status: "SHIPPED",
      notes: "",
    },
  };
}

const shown = (placed: ReturnType<Shelf["product"]>) =>
  placed.map(({ name, record: { module }, renames }) => [name, module, [...renames].flat().join(" ")]);

test("versions are ordered by number, and the newest of each is the product", () => {
  const shelf = new Shelf([
    record("MM-a@1.10.0"),
    record("MM-a@1.9.0"),
    record("MM-b@1.0.0", ["MM-a@1.9.0"]),
  ]);
  expect(shelf.versionsOf("MM-a").map(({ module }) => module)).toEqual(["MM-a@1.9.0", "MM-a@1.10.0"]);
  expect(shown(shelf.product())).toEqual([
    ["a", "MM-a@1.10.0", ""],
    ["b", "MM-b@1.0.0", ""],
  ]);
});

test("an older major stays as long as somebody uses it, with what it uses itself", () => {
  const shelf = new Shelf([
    record("MM-low@1.0.0"),
    record("MM-low@2.0.0"),
    record("MM-mid@1.0.0", ["MM-low@1.0.0"]),
    record("MM-mid@1.0.1", ["MM-low@1.0.0"]),
    record("MM-mid@2.0.0", ["MM-low@2.0.0"]),
    record("MM-top@1.0.0", ["MM-mid@1.0.0"]),
  ]);
  expect(shown(shelf.product())).toEqual([
    ["low", "MM-low@2.0.0", ""],
    ["mid", "MM-mid@2.0.0", ""],
    ["top", "MM-top@1.0.0", "#modules/mid #modules/mid@1"],
    ["mid@1", "MM-mid@1.0.1", "#modules/low #modules/low@1"],
    ["low@1", "MM-low@1.0.0", ""],
  ]);
});

test("what a module is built with has plain names, and others give way", () => {
  const shelf = new Shelf([
    record("MM-low@1.0.0"),
    record("MM-low@2.0.0"),
    record("MM-mid@1.0.0", ["MM-low@1.0.0"]),
    record("MM-other@1.0.0", ["MM-low@2.0.0"]),
  ]);
  expect(shown(shelf.around(["MM-mid@1.0.0", "MM-low@2.0.0", "MM-other@1.0.0"]))).toEqual([
    ["mid", "MM-mid@1.0.0", "#modules/low #modules/low@1"],
    ["low", "MM-low@2.0.0", ""],
    ["other", "MM-other@1.0.0", ""],
    ["low@1", "MM-low@1.0.0", ""],
  ]);
  // What is being built anew is there already.
  const given = { moduleId: "MM-low", name: "low" };
  expect(shown(shelf.around(["MM-mid@1.0.0"], given))).toEqual([["mid", "MM-mid@1.0.0", ""]]);
});

test("what has not shipped cannot be built with", () => {
  expect(() => new Shelf([]).around(["MM-a@1.0.0"])).toThrow("MM-a@1.0.0 has not shipped");
});

test("only whole names are renamed", () => {
  const code = `import "#modules/a"; import '#modules/a'; import "#modules/ab"; // #modules/a`;
  expect(renamed(code, new Map([["#modules/a", "#modules/a@1"]]))).toBe(
    `import "#modules/a@1"; import '#modules/a@1'; import "#modules/ab"; // #modules/a`,
  );
});

test("whoever gets a version in the product is verified against it, also who asked for exactly another", () => {
  const asking = (module: string, built: string, range: string): ShipRecord => {
    const made = record(module, [built]);
    return { ...made, entry: { ...made.entry, dependencies: [range] } };
  };
  const shelf = new Shelf([
    record("MM-a@1.0.0"),
    asking("MM-open@1.0.0", "MM-a@1.0.0", "MM-a@^1.0.0"),
    asking("MM-pinned@1.0.0", "MM-a@1.0.0", "MM-a@1.0.0"),
    asking("MM-any@1.0.0", "MM-a@1.0.0", "MM-a@*"),
    record("MM-stranger@1.0.0"),
  ]);
  const consumersOf = (module_version: string) =>
    consumerRecords({ module_id: "MM-a", module_version }, shelf).map(({ module }) => module);
  expect(consumersOf("1.1.0")).toEqual(["MM-open@1.0.0", "MM-pinned@1.0.0", "MM-any@1.0.0"]);
  expect(consumersOf("2.0.0")).toEqual(["MM-any@1.0.0"]);
});
