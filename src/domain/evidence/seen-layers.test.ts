import { expect, test } from "vitest";
import { falseClaims, gatesOfLayers, lackingLayers, layerCounts, type SeenTest } from "./seen-layers.ts";
import { claimedLayer } from "./test-layer.ts";

const NO = { not: "it is none" };

function seen(layers: Partial<SeenTest["layers"]>, file = "test/a.test.ts"): SeenTest {
  return {
    name: "a",
    file,
    layers: { unit: NO, property: NO, contract: NO, integration: "unknown", ...layers },
  };
}

test("what nobody could look at is not counted", () => {
  const tests = [seen({ unit: "seen", contract: "seen" }), seen({ property: "seen", unit: "unknown" })];
  const counts = layerCounts(tests, 3);
  expect(counts).toEqual({ unit: 1, property: 1, contract: 1, static: 3, integration: 0 });
  expect(lackingLayers(["unit", "integration", "e2e"], counts, {})).toEqual(["integration"]);
  expect(lackingLayers(["integration"], counts, { integration: "it has no dependency" })).toEqual([]);
});

test.each([
  ["test/parse.contract.test.ts", "contract"],
  ["test/parse.e2e.spec.ts", "e2e"],
  ["test/contract.test.ts", undefined],
  ["test/x.integration/parse.test.ts", undefined],
  ["test/parse.property.test.ts", "property"],
] as const)("%s claims %s", (file, layer) => {
  expect(claimedLayer(file)).toBe(layer);
});

test("a claim is false only where somebody looked", () => {
  expect(falseClaims([seen({}, "test/a.contract.test.ts")])).toHaveLength(1);
  expect(falseClaims([seen({ contract: "seen" }, "test/a.contract.test.ts")])).toEqual([]);
  expect(falseClaims([seen({ integration: "unknown" }, "test/a.integration.test.ts")])).toEqual([]);
  expect(falseClaims([seen({ unit: "seen" }, "test/a.e2e.test.ts")])).toHaveLength(1);
});

test("the layers of a rigor name the gates that see to them", () => {
  expect(gatesOfLayers({ layers: ["unit", "static"] })).toEqual(["layers", "static"]);
  expect(gatesOfLayers({ layers: ["unit", "property", "e2e", "budget"] })).toEqual(["layers", "budget"]);
});
