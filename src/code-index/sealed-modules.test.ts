import { join } from "node:path";
import { expect, test } from "vitest";
import { wordEmbedder } from "../../test/code-index-samples.ts";
import { leased } from "../../test/store-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { ioTypesOf } from "../domain/plan/io-types.ts";
import { Sql } from "../store/sql.ts";
import { LocalCodeIndex } from "./local-code-index.ts";
import { indexSealedModule, indexSealedModules, unindexedModules } from "./sealed-modules.ts";

const CONTRACT = {
  module_id: "MM-slug",
  module_version: "1.0.0",
  name: "slugify",
  purpose: "Turns a title into a slug",
  tags: ["text"],
  language: "typescript",
  inputs: [
    { name: "title", type: "string", constraints: ["not blank", "at most 200 characters"] },
    { name: "limit", type: "number", constraints: [], optional: true },
  ],
  outputs: [{ name: "slug", type: "string | null", invariants: ["only a-z and hyphens"] }],
  error_surfaces: [{ name: "EmptySlug", when: "nothing remains", surface: "exception" }],
  effects: [{ type: "CLOCK", target: "system", description: "reads the time" }],
  modes: { sync: true, async: false, notes: "" },
  entry_points: [
    {
      name: "slugify",
      signature: "(title: string, limit?: number) => string | null",
      inputs: ["title", "limit"],
      outputs: ["slug"],
      errors: ["EmptySlug"],
      effects: ["CLOCK system"],
    },
  ],
  predicates: [],
  error_cases: [],
  dependencies: [{ ref: "MM-base@^1.0.0", why: "it does the rest" }],
  packages: [],
  compatibility: { backward_compatible_with: [], breaking_change_policy: "" },
  runtime_budgets: {},
};

test("a crash between seal and index is mended, once and for all", async () => {
  const { store, fence, index } = await opened();
  await store.modules.record(fence, "MM-slug@1.0.0", files(CONTRACT));
  expect(await unindexedModules(index, store)).toEqual([]);
  await expect(indexSealedModule(index, store, fence, "MM-slug@1.0.0")).rejects.toMatchObject({
    code: "usage",
  });
  await store.modules.seal(fence, "MM-slug@1.0.0");
  expect(await unindexedModules(index, store)).toHaveLength(1);
  expect(await indexSealedModules(index, store, fence)).toEqual({ appended: ["MM-slug@1.0.0"], refused: [] });
  expect(await indexSealedModules(index, store, fence)).toEqual({ appended: [], refused: [] });
  expect(await indexSealedModule(index, store, fence, "MM-slug@1.0.0")).toBe(false);

  const entry = await index.get("MM-slug@1.0.0");
  expect(entry).toMatchObject({
    name: "slugify",
    status: "SHIPPED",
    dependencies: ["MM-base@^1.0.0"],
    io_summary: {
      inputs: ["title: string (not blank; at most 200 characters)", "limit?: number"],
      outputs: ["slug: string | null (only a-z and hyphens)"],
      error_surfaces: ["EmptySlug: nothing remains"],
      effects: ["CLOCK system: reads the time"],
      modes: ["sync"],
    },
  });
  expect(entry?.io_summary.inputs.flatMap(ioTypesOf)).toEqual(["string", "number"]);
  expect(String(await store.payloads.get(entry?.examples_ref ?? ""))).toBe("# Examples");
});

test("one damaged module does not keep the others out", async () => {
  const { store, fence, index } = await opened();
  const broken = {
    "MM-a@1.0.0": files({}),
    "MM-b@1.0.0": files(CONTRACT),
    "MM-c@1.0.0": { ...files(CONTRACT), "contract.json": "{" },
    "MM-d@1.0.0": { "contract.json": "{}" },
  };
  for (const [ref, some] of Object.entries({ ...broken, "MM-slug@1.0.0": files(CONTRACT) })) {
    await store.modules.record(fence, ref, some);
    await store.modules.seal(fence, ref);
  }
  const { appended, refused } = await indexSealedModules(index, store, fence);
  expect(appended).toEqual(["MM-slug@1.0.0"]);
  expect(refused.map(({ ref }) => ref)).toEqual(Object.keys(broken));
  expect(refused.map(({ why }) => why).join("\n")).toMatch(
    /is that of MM-slug@1.0.0[^]*is not JSON[^]*has no examples.md/,
  );
});

async function opened() {
  const project = temporaryDirectory();
  const { store, fence } = await leased(project);
  const sql = Sql.open(join(project, ".cupel", "cupel.db"), { durability: "normal" });
  return { store, fence, index: new LocalCodeIndex({ sql, embedder: wordEmbedder() }) };
}

function files(contract: object): Record<string, string> {
  return {
    "contract.json": JSON.stringify(contract),
    "examples.md": "# Examples",
    "ship.json": "{}",
    "implementation/index.ts": "export {};",
  };
}
