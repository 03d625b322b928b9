import { describe, expect, test } from "vitest";
import { RIGOR } from "./rigor.ts";
import { LAYER_TRIGGERS, requiredLayers, TestLayer } from "./test-layer.ts";

describe("requiredLayers", () => {
  test.each([
    ["lite", false, false, "unit static"],
    ["lite", true, true, "unit static"],
    ["standard", false, false, "unit property contract static"],
    ["standard", true, false, "unit property contract static integration"],
    ["standard", false, true, "unit property contract static e2e"],
    ["standard", true, true, "unit property contract static integration e2e"],
    ["strict", false, false, "unit property contract static budget"],
    ["strict", true, true, "unit property contract static integration e2e budget"],
  ] as const)("%s, dependencies %s, all verified %s: %s", (name, hasDependencies, allVerified, layers) => {
    expect(requiredLayers(RIGOR[name], { hasDependencies, allVerified }).join(" ")).toBe(layers);
  });

  test("always answers in the same order", () => {
    const rigor = { layers: TestLayer.options.toReversed() };
    expect(requiredLayers(rigor, { hasDependencies: true, allVerified: true })).toEqual(TestLayer.options);
  });

  test("asks for nothing that the rigor does not list", () => {
    expect(requiredLayers({ layers: [] }, { hasDependencies: true, allVerified: true })).toEqual([]);
  });
});

test("only integration and e2e wait for something", () => {
  const waiting = TestLayer.options.filter((layer) => LAYER_TRIGGERS[layer] !== "always");
  expect(waiting).toEqual(["integration", "e2e"]);
});
