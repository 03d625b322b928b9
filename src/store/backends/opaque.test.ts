// A sealed module is closed: the exact words, and no other sign of what is in it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attempt, backendSuite } from "./backend.suite.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { OpaqueBackend } from "./opaque.ts";
import { moduleFiles, put, specimen, temporaryFolder } from "./store-on-disk.suite.ts";

backendSuite("an opaque backend, beside what is sealed", () =>
  specimen((root) => new OpaqueBackend(new FilesystemBackend(root), () => false)),
);

const HOME = "/modules/MM-a/1.0.0";
const isSealed = (moduleId: string, version: string): boolean => moduleId === "MM-a" && version === "1.0.0";
const words = (path: string): string =>
  `ACCESS DENIED: '${path}' is a sealed implementation directory. This module is a closed-source service — integrate via contract.json, examples.md, and ship.json only. See §12 (Opaque Implementation Rule) and §6.8 (Black-Box Integration) for rationale. If the contract is insufficient, raise an Interface Change Exception (§13).`;

const paths = (infos: { path: string }[] = []): string[] => infos.map((info) => info.path);

describe("sealed", () => {
  let root: string;
  let remove: () => Promise<void>;
  let backend: OpaqueBackend;
  beforeEach(async () => {
    const folder = await temporaryFolder();
    root = folder.path;
    remove = () => folder.remove();
    await put(root, {
      ...moduleFiles("MM-a", "1.0.0"),
      ...moduleFiles("MM-a", "2.0.0"),
      "tests/x.md": "the secret?",
    });
    backend = new OpaqueBackend(new FilesystemBackend(root), isSealed);
  });
  afterEach(() => remove());

  test.each([
    `${HOME}/implementation`,
    `${HOME}/implementation/`,
    `${HOME}/implementation/index.ts`,
    `${HOME}/implementation/no/such/file.ts`,
    `${HOME}/tests`,
    `${HOME}/tests/index.test.ts`,
    `${HOME}/package/whole/index.js`,
    `${HOME}/Package/`,
    `${HOME}/proof/bundle.json`,
    `${HOME}/types/../tests/no.ts`,
    `//modules/./MM-a/2.0.0/../1.0.0/implementation/index.ts`,
    `${HOME}/Implementation/index.ts`,
    `${HOME}/TESTS`,
    `${HOME}/tests./index.test.ts`,
    `${HOME}/implementation /index.ts`,
  ])("%s answers every direct operation with the same words, and searches with nothing", async (path) => {
    for (const operation of ["ls", "read", "readRaw", "write", "edit", "delete"] as const) {
      expect(await attempt(backend, operation, path)).toEqual({ error: words(path) });
    }
    expect(await backend.grep("secret", path)).toEqual({ matches: [] });
    expect(await backend.glob("**", path)).toEqual({ files: [] });
    expect(await readFile(join(root, HOME, "implementation/index.ts"), "utf8")).toBe("the secret source");
  });

  test("it vanishes from listings and searches, while all else stays", async () => {
    const open = ["contract.json", "examples.md", "ship.json", "types/"].map((name) => `${HOME}/${name}`);
    expect(paths((await backend.ls(HOME)).files)).toEqual(open);
    expect(paths((await backend.ls("/modules/MM-a/2.0.0")).files)).toHaveLength(6);
    const all = paths((await backend.glob("**")).files);
    expect(all.filter((path) => path.startsWith(`${HOME}/`) && path !== `${HOME}/`)).toEqual([
      ...open,
      `${HOME}/types/index.d.ts`,
    ]);
    expect(paths((await backend.grep("the secret")).matches)).toEqual([
      "/modules/MM-a/2.0.0/implementation/deep/er.ts",
      "/modules/MM-a/2.0.0/implementation/index.ts",
      "/modules/MM-a/2.0.0/tests/index.test.ts",
      "/tests/x.md",
    ]);
  });

  test("a cap on matches does not tell of matches behind the seal", async () => {
    expect(await backend.grep("the secret", HOME, null, 1)).toEqual({ matches: [] });
    expect(await backend.grep("the secret", "/", "*.md", 1)).toMatchObject({
      matches: [{ path: "/tests/x.md" }],
    });
  });

  test.each([HOME, "/modules/MM-a", "/modules", "/modules/MM-a/2.0.0/.."])(
    "%s cannot be deleted over it",
    async (path) => {
      expect(await backend.delete(path)).toEqual({ error: words(path) });
      expect((await backend.read(`${HOME}/ship.json`)).content).toBe("{}");
    },
  );

  test("another version is open, and can be deleted", async () => {
    expect((await backend.read("/modules/MM-a/2.0.0/implementation/index.ts")).content).toBe(
      "the secret source",
    );
    expect(await backend.delete("/modules/MM-a/2.0.0")).toEqual({ path: "/modules/MM-a/2.0.0" });
  });

  test("what is public stays readable", async () => {
    for (const name of ["contract.json", "examples.md", "ship.json", "types/index.d.ts"]) {
      expect((await backend.read(`${HOME}/${name}`)).error).toBeUndefined();
    }
  });

  test("it also holds where modules lie elsewhere, or are all there is", async () => {
    const all = new OpaqueBackend(new FilesystemBackend(join(root, "modules")), isSealed, "/");
    expect(await all.read("/MM-a/1.0.0/tests/x")).toEqual({ error: words("/MM-a/1.0.0/tests/x") });
    expect((await all.delete("/MM-a")).error).toBe(words("/MM-a"));
    await put(root, { "store/modules/MM-a/1.0.0/tests/x": "the secret" });
    const deeper = new OpaqueBackend(new FilesystemBackend(root), isSealed, "/store/modules");
    expect(await deeper.read("/store/modules/MM-a/1.0.0/tests/x")).toEqual({
      error: words("/store/modules/MM-a/1.0.0/tests/x"),
    });
    expect((await deeper.delete("/store")).error).toBe(words("/store"));
    expect((await deeper.delete("/modules")).error).toBeUndefined();
  });
});
