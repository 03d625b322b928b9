// Thousands of questions to two stores that differ only behind a seal: no answer tells which is which. A backend without a
// seal is caught by the same oracle, so that we know it can say no.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, OPERATIONS } from "./backend.suite.ts";
import type { Operation } from "./backend.suite.ts";
import { stateStoreRoutes } from "./composite.ts";
import { ContextPackBackend } from "./context-pack.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { hostilePaths, world } from "./hostile-world.suite.ts";
import { OpaqueBackend } from "./opaque.ts";
import type { Backend } from "./port.ts";
import { packOf } from "./store-on-disk.suite.ts";

const CASES = process.env["CUPEL_LONG"] === "1" ? 10_000 : 1000;
const SEED = 20_261_115;
const isSealed = (moduleId: string): boolean => moduleId === "MM-sealed";

describe("no answer tells what lies behind a seal", () => {
  const sealing: Record<string, (root: string) => Backend> = {
    opaque: (root) => new OpaqueBackend(new FilesystemBackend(root), isSealed),
    composite: (root) => stateStoreRoutes({ root, isSealed, isFrozen: () => false }),
    "a context pack that grants it": (root) => {
      const pack = packOf({
        included_refs: [{ ref: "MM-sealed@1.0.0", permission: "FULL", reason: "a mistake" }],
      });
      return new ContextPackBackend(
        stateStoreRoutes({ root, isSealed, isFrozen: () => false }),
        pack,
        () => undefined,
      );
    },
  };

  test.each(Object.entries(sealing))(
    `by %s, in ${CASES} cases`,
    async (_name, build) => {
      expect(await differences(build, OPERATIONS)).toEqual([]);
    },
    120_000,
  );

  test("and a backend without a seal is caught, whatever it is asked", async () => {
    const reading = ["ls", "read", "readRaw", "glob", "grep"] as const;
    const found = await differences((root) => new FilesystemBackend(root), reading);
    for (const operation of reading) {
      expect(found.some((what) => what.startsWith(`${operation} `))).toBe(true);
    }
  });
});

/** Two stores that differ only behind the seal get the same questions; the differences in their answers. */
async function differences(build: (root: string) => Backend, asked: readonly Operation[]): Promise<string[]> {
  const [whole, bare] = [await world(), await world()];
  try {
    for (const folder of ["implementation", "tests"]) {
      await rm(join(bare.root, "modules/MM-sealed/1.0.0", folder), { recursive: true });
    }
    const [full, empty] = [build(whole.root), build(bare.root)];
    const found: string[] = [];
    for (const [operation, ...args] of fc.sample(questions(), { numRuns: CASES, seed: SEED })) {
      if (!asked.includes(operation)) continue;
      const [a, b] = [await call(full, operation, ...args), await call(empty, operation, ...args)];
      if (timeless(a) !== timeless(b)) found.push(`${operation} ${JSON.stringify(args)}`);
    }
    return found;
  } finally {
    await whole.remove();
    await bare.remove();
  }
}

function questions(): fc.Arbitrary<[Operation, ...unknown[]]> {
  const home = "/modules/MM-sealed/1.0.0";
  const name = fc.constantFrom(
    "implementation",
    "tests",
    "Tests",
    "IMPLEMENTATION",
    "tests.",
    "types",
    "%69mplementation",
  );
  const below = fc.constantFrom(
    "",
    "/",
    "/index.ts",
    "/index.test.ts",
    "/deep",
    "/deep/er.ts",
    "/no.ts",
    "/../tests",
    "/link/canary.txt",
  );
  const known = fc.tuple(name, below).map(([folder, rest]) => `${home}/${folder}${rest}`);
  const path = fc.oneof(
    { weight: 4, arbitrary: known },
    fc.constantFrom("/", "/modules", "/modules/MM-sealed", home),
    hostilePaths("/nowhere"),
  );
  const pattern = fc.constantFrom(
    "**",
    "*",
    "**/*.ts",
    "**/implementation/**",
    "**/tests/*",
    "{implementation,tests}/**",
    "modules/*/*/*",
  );
  const cap = fc.constantFrom(1, 2, 3, undefined);
  return fc.oneof(
    fc.tuple(fc.constantFrom<Operation[]>("ls", "read", "readRaw", "delete"), path),
    fc.tuple(fc.constant<Operation>("write"), path, fc.constant("planted")),
    fc.tuple(fc.constant<Operation>("edit"), path, fc.constant("secret"), fc.constant("planted")),
    fc.tuple(fc.constant<Operation>("glob"), pattern, path),
    fc.tuple(fc.constant<Operation>("grep"), fc.constantFrom("secret", "e"), path, pattern, cap),
  );
}

function timeless(answer: object): string {
  return JSON.stringify(answer, (key, value: unknown) => (key.endsWith("_at") ? "some time" : value));
}
