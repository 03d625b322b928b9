// What is frozen stays, in both modes, and the refusal says what to do instead.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backendSuite } from "./backend.suite.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { ImmutableBackend } from "./immutable.ts";
import type { IsFrozen } from "./immutable.ts";
import { put, specimen, temporaryFolder } from "./store-on-disk.suite.ts";

backendSuite("an immutable backend in which nothing is frozen", () =>
  specimen((root) => new ImmutableBackend(new FilesystemBackend(root), () => false)),
);

async function withFiles(
  frozen: IsFrozen | "write-once",
  work: (backend: ImmutableBackend, root: string) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  const { path } = folder;
  try {
    await put(path, { "a/1.0.0/body/x.md": "old", "a/1.1.0/x.md": "old", "b.md": "old" });
    await work(new ImmutableBackend(new FilesystemBackend(path), frozen), path);
  } finally {
    await folder.remove();
  }
}

const words = (path: string, what: string): string =>
  `'${path}' cannot be ${what}: it is shipped or written once, and stays as it is for ever; make a new version instead`;

const isFrozen: IsFrozen = (path) => Promise.resolve(path === "/a/1.0.0");

describe("frozen by its owner", () => {
  test.each(["/a/1.0.0", "/a/1.0.0/body/x.md", "/a/1.0.0/new.md", "/a/../a//1.0.0/./body"])(
    "%s stays",
    async (path) => {
      await withFiles(isFrozen, async (backend, root) => {
        const plain = join(path);
        expect(await backend.write(path, "new")).toEqual({ error: words(plain, "written") });
        expect(await backend.edit(path, "old", "new")).toEqual({ error: words(plain, "edited") });
        expect(await backend.delete(path)).toEqual({ error: words(plain, "deleted") });
        expect(await readFile(join(root, "a/1.0.0/body/x.md"), "utf8")).toBe("old");
        expect((await backend.read("/a/1.0.0/body/x.md")).content).toBe("old");
      });
    },
  );

  test("a folder above it cannot be deleted, and the rest of it stays too", async () => {
    await withFiles(isFrozen, async (backend) => {
      expect(await backend.delete("/a")).toEqual({
        error:
          "'/a' cannot be deleted: it holds '/a/1.0.0', which is shipped, and stays as it is for ever; make a new version instead",
      });
      expect((await backend.read("/a/1.1.0/x.md")).content).toBe("old");
    });
  });

  test("what is not frozen can be changed and deleted", async () => {
    await withFiles(isFrozen, async (backend) => {
      expect(await backend.write("/a/1.1.0/x.md", "new")).toEqual({ path: "/a/1.1.0/x.md" });
      expect(await backend.edit("/b.md", "old", "new")).toMatchObject({ occurrences: 1 });
      expect(await backend.delete("/a/1.1.0")).toEqual({ path: "/a/1.1.0" });
    });
  });
});

describe("written once", () => {
  test("what is there stays, what is not there can be written", async () => {
    await withFiles("write-once", async (backend) => {
      for (const path of ["/b.md", "/a", "/a/1.0.0/body/x.md"]) {
        expect(await backend.write(path, "new")).toEqual({ error: words(path, "written") });
        expect(await backend.edit(path, "old", "new")).toEqual({ error: words(path, "edited") });
        expect(await backend.delete(path)).toEqual({ error: words(path, "deleted") });
      }
      expect(await backend.write("/c.md", "first")).toEqual({ path: "/c.md" });
      expect((await backend.write("/c.md", "second")).error).toBe(words("/c.md", "written"));
      expect((await backend.read("/c.md")).content).toBe("first");
      expect((await backend.edit("/no.md", "a", "b")).error).toContain("does not exist");
    });
  });

  test("of writes at the same time exactly one wins", async () => {
    await withFiles("write-once", async (backend) => {
      const texts = Array.from({ length: 20 }, (_, n) => `text ${n}`);
      const results = await Promise.all(texts.map((text) => backend.write("/new/c.md", text)));
      expect(results.filter((result) => result.error === undefined)).toHaveLength(1);
      expect((await backend.read("/new/c.md")).content).toBe("text 0");
    });
  });
});
