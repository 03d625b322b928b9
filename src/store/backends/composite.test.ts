// One tree out of many: the longest prefix decides, and every answer speaks in paths of the whole tree.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attempt, backendSuite, OPERATIONS } from "./backend.suite.ts";
import { CompositeBackend, stateStoreRoutes } from "./composite.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { moduleFiles, put, specimen, temporaryFolder } from "./store-on-disk.suite.ts";

const sealNothing = { isSealed: () => false, isFrozen: () => false };
backendSuite("the state store's tree, in one of its parts", () =>
  specimen((root) => stateStoreRoutes({ root, ...sealNothing }), "/project"),
);
backendSuite("a composite with everything at its root", () =>
  specimen((root) => new CompositeBackend({ "/": new FilesystemBackend(root) })),
);

const isSealed = (moduleId: string): boolean => moduleId === "MM-a";
const isFrozen = (path: string): boolean =>
  /^\/(artifacts\/core\/CTR-0a1b2c3d\/1\.0\.0|debates\/done)$/.test(path);

let root: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  const folder = await temporaryFolder();
  root = folder.path;
  remove = () => folder.remove();
});
afterEach(() => remove());
const paths = (infos: { path: string }[] = []): string[] => infos.map((info) => info.path);

describe("routes", () => {
  let backend: CompositeBackend;
  beforeEach(async () => {
    await put(root, { "outer/a.md": "outer", "outer/in/shadowed.md": "outer", "inner/b.md": "inner" });
    backend = new CompositeBackend({
      "/x/y": new FilesystemBackend(join(root, "outer")),
      "/x/y/in": new FilesystemBackend(join(root, "inner")),
    });
  });

  test("the longest prefix decides, at whole names only", async () => {
    expect((await backend.read("/x/y/a.md")).content).toBe("outer");
    expect((await backend.read("/x/y/in/b.md")).content).toBe("inner");
    expect((await backend.read("/x/y/in/shadowed.md")).error).toContain(
      "'/x/y/in/shadowed.md' does not exist",
    );
    expect((await backend.read("/x/y/inn/b.md")).error).toContain("'/x/y/inn/b.md' does not exist");
    expect((await backend.read("/x/yy/a.md")).error).toBe(
      "'/x/yy/a.md' lies in no known part of the store; use a path below /x/y/, /x/y/in/",
    );
  });

  test("listings and searches show the mount points and full paths", async () => {
    expect(await backend.ls("/")).toEqual({ files: [{ path: "/x/", is_dir: true }] });
    expect(await backend.ls("/x")).toEqual({ files: [{ path: "/x/y/", is_dir: true }] });
    expect(paths((await backend.ls("/x/y")).files)).toEqual(["/x/y/a.md", "/x/y/in/"]);
    expect(paths((await backend.glob("**")).files)).toEqual([
      "/x/",
      "/x/y/",
      "/x/y/a.md",
      "/x/y/in/",
      "/x/y/in/b.md",
    ]);
    expect(paths((await backend.grep("e")).matches)).toEqual(["/x/y/a.md", "/x/y/in/b.md"]);
  });

  test("no mount point, nor a folder above one, can be deleted", async () => {
    for (const path of ["/", "/x", "/x/y", "/x/y/in"]) {
      expect((await backend.delete(path)).error).toContain(
        "is where a backend is mounted and cannot be deleted",
      );
    }
    expect(await backend.delete("/x/y/a.md")).toEqual({ path: "/x/y/a.md" });
  });

  test("errors speak of the path as it was asked for", async () => {
    expect((await backend.read("/x/./y/no.md")).error).toContain("'/x/./y/no.md' does not exist");
    expect((await backend.read("/x")).error).toContain("'/x' is a folder");
  });

  test.each(["x", "/x/", "/x/../y", ""])("mounting at %j is misuse", (prefix) => {
    expect(() => new CompositeBackend({ [prefix]: backend })).toThrow(
      `cannot mount a backend at "${prefix}"`,
    );
  });
});

describe("the state store's table", () => {
  test("it shows its seven parts, and keeps the index out", async () => {
    const backend = stateStoreRoutes({ root, ...sealNothing });
    const parts = [
      "artifacts",
      "context_packs",
      "debates",
      "escalations",
      "exceptions",
      "modules",
      "project",
    ];
    expect(paths((await backend.ls("/")).files)).toEqual(parts.map((part) => `/${part}/`));
    expect(paths((await backend.glob("*")).files)).toEqual(parts.map((part) => `/${part}/`));
    for (const operation of OPERATIONS) {
      expect(await attempt(backend, operation, "/code_index/chroma.sqlite3")).toEqual({
        error: expect.stringContaining("'/code_index/chroma.sqlite3' lies in no known part of the store"),
      });
    }
  });

  test.each([
    ["/project/state_machine.json", true],
    ["/exceptions/ICE-0a1b2c3d.json", true],
    ["/escalations/ESC-0a1b2c3d.json", true],
    ["/context_packs/CP-0a1b2c3d.json", false],
    ["/artifacts/core/CTR-1a1b2c3d/1.0.0/envelope.json", true],
    ["/debates/open/proposal.json", true],
    ["/modules/MM-b/1.0.0/implementation/index.ts", true],
  ])("%s can be written, and written again: %j", async (path, again) => {
    const backend = stateStoreRoutes({ root, isSealed, isFrozen });
    expect(await backend.write(path, "one")).toEqual({ path });
    expect((await backend.write(path, "two")).error === undefined).toBe(again);
    expect((await backend.read(path)).content).toBe(again ? "two" : "one");
  });

  test.each(["/artifacts/core/CTR-0a1b2c3d/1.0.0/envelope.json", "/debates/done/proposal.json"])(
    "%s is frozen",
    async (path) => {
      await put(root, { [path]: "old" });
      const backend = stateStoreRoutes({ root, isSealed, isFrozen });
      expect((await backend.write(path, "new")).error).toContain(
        `'${path}' cannot be written: it is shipped`,
      );
      expect((await backend.delete(`/${path.split("/")[1]}/${path.split("/")[2]}`)).error).toContain(
        "shipped",
      );
      expect((await backend.read(path)).content).toBe("old");
    },
  );

  test("a sealed module is closed, and its public files are frozen", async () => {
    await put(root, moduleFiles("MM-a", "1.0.0"));
    const backend = stateStoreRoutes({ root, isSealed, isFrozen: () => false });
    const asked = "/modules/../modules/MM-a/1.0.0/implementation/index.ts";
    expect((await backend.read(asked)).error).toMatch(
      `ACCESS DENIED: '${asked}' is a sealed implementation directory.`,
    );
    expect(await backend.glob("**", "/modules/MM-a/1.0.0/tests")).toEqual({ files: [] });
    expect(await backend.grep("secret")).toEqual({ matches: [] });
    for (const name of ["ship.json", "contract.json", "new.md"]) {
      const path = `/modules/MM-a/1.0.0/${name}`;
      expect((await backend.write(path, "new")).error).toContain(`'${path}' cannot be written`);
    }
    expect((await backend.read("/modules/MM-a/1.0.0/ship.json")).content).toBe("{}");
  });
});
