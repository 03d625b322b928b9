// Every mutant as a copy of its own.
import { expect, test } from "vitest";
import type { Files, Site } from "../../port.ts";
import { variants } from "./variants.ts";

const SOURCE = `export function clamp(value: number, most: number): number {
  if (value < 0) {
    return 0;
  }
  return value > most ? most : value;
}
`;

test("each differs from the module in one place, and none is there twice", async () => {
  const found = await variants(siteOf({ "src/index.ts": SOURCE }));
  expect(found.length).toBeGreaterThan(5);
  const texts = found.map(({ edits }) => edits["src/index.ts"]);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toContain(SOURCE.replace("value < 0", "value <= 0"));
  expect(texts).toContain(SOURCE.replace("{\n    return 0;\n  }", "{}"));
  expect(found.find(({ edits }) => edits["src/index.ts"]?.includes("value <= 0"))?.kind).toBe(
    "BoundaryMutation",
  );
});

test("the same module has the same ones in the same order", async () => {
  const site = siteOf({ "src/index.ts": SOURCE });
  expect(await variants(site)).toEqual(await variants(site));
});

test("what cannot be read has none", async () => {
  expect(await variants(siteOf({ "src/index.ts": "export function (" }))).toEqual([]);
});

const nobody = () => Promise.reject(new Error("nothing is run"));

function siteOf(files: Files): Site {
  return {
    layout: { entry: "src/index.ts", sources: Object.keys(files), tests: [], configuration: [] },
    directory: "/nowhere",
    inside: "/nowhere",
    level: "none",
    files: () => files,
    data: () => ({}),
    key: () => "",
    fork: nobody,
    run: nobody,
    remove: nobody,
  };
}
