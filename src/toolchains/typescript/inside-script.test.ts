// Our programs inside a site are one text each, which needs nothing of Cupel beside it.
import { expect, test } from "vitest";
import { insideScript } from "./inside-script.ts";

const PROGRAMS = [
  "vitest-main",
  "worker-runner",
  "config-main",
  "effect-watch",
  "predicate-watch",
  "measure",
];

test.for(PROGRAMS)("%s imports only what Node and the module bring", async (name) => {
  const text = await insideScript(name);
  // A compiler taken in by accident costs each run a second.
  expect(text.length).toBeLessThan(200_000);
  const imported = [...text.matchAll(/^import .* from "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    ([, a, b]) => a ?? b ?? "",
  );
  expect(imported.filter((from) => !/^node:|^vitest(?:\/|$)/.test(from))).toEqual([]);
});

test("a program is bundled once", async () => {
  expect(insideScript("vitest-main")).toBe(insideScript("vitest-main"));
  expect(await insideScript("vitest-main")).toContain("cupel-report");
});

test.for(["nothing", "../site", "", "vitest-main.ts"])("there is no program %j", async (name) => {
  await expect(insideScript(name)).rejects.toMatchObject({ code: "not_found" });
});
