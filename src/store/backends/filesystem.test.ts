// Files stay below their root, whole, and within limits.
import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { backendSuite } from "./backend.suite.ts";
import { FilesystemBackend } from "./filesystem.ts";
import { specimen } from "./store-on-disk.suite.ts";

backendSuite("the file system", () => specimen((root) => new FilesystemBackend(root)));
backendSuite("the file system without handles", () =>
  specimen((root) => new FilesystemBackend(root, { handles: false })),
);
backendSuite("the file system with exact spelling", () =>
  specimen((root) => new FilesystemBackend(root, { ignoresCase: true })),
);

describe("on the disk", () => {
  let root: string;
  let backend: FilesystemBackend;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "cupel-filesystem-"));
    backend = new FilesystemBackend(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  test("a pipe is refused at once instead of being waited for", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect((await backend.read("/pipe")).error).toContain("special file");
    expect((await backend.write("/pipe", "x")).error).toContain("special file");
    expect(await backend.ls("/")).toEqual({ files: [] });
  });

  test("a file too large to read is said to be, and a search that skips it says so", async () => {
    await writeFile(join(root, "big.txt"), "needle");
    await truncate(join(root, "big.txt"), 17 * 1024 * 1024);
    await writeFile(join(root, "small.txt"), "needle");
    expect((await backend.read("/big.txt")).error).toBe(
      "'/big.txt' has 17825792 bytes, more than the 16777216 that can be read or written here; split it",
    );
    expect(await backend.grep("needle")).toEqual({
      matches: [{ path: "/small.txt", line: 1, text: "needle" }],
      truncated: true,
    });
  });

  test("a folder too large to list shows some of it and says so", async () => {
    for (let n = 0; n <= 10_000; n++) closeSync(openSync(join(root, `f${n}`), "w"));
    const { files, error } = await backend.ls("/");
    expect(files).toHaveLength(10_000);
    expect(error).toBe("'/' holds more than 10000 entries and only some are shown; use glob");
    const globbed = await backend.glob("*");
    expect(globbed).toMatchObject({ truncated: true });
    expect(globbed.files).toHaveLength(10_000);
  });

  test("long lines are cut, and many matches are capped", async () => {
    await writeFile(join(root, "a.txt"), `needle${"😀".repeat(2000)}\n${"needle\n".repeat(2500)}`);
    const { matches = [], truncated } = await backend.grep("needle");
    expect([matches.length, truncated]).toEqual([2000, true]);
    expect(matches[0]?.text).toHaveLength(2001);
    expect(matches[0]?.text.endsWith("😀…")).toBe(true);
  });

  test("an overwritten file keeps its permissions", async () => {
    await writeFile(join(root, "run.sh"), "a");
    await chmod(join(root, "run.sh"), 0o750);
    await backend.edit("/run.sh", "a", "b");
    expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o750);
    expect(await readFile(join(root, "run.sh"), "utf8")).toBe("b");
  });

  test("names that no path can spell are not shown, and go with their folder", async () => {
    await mkdir(join(root, "d"));
    await writeFile(join(root, "d", "a\\b"), "");
    await writeFile(join(root, "d", "u\u0308"), "");
    await writeFile(Buffer.concat([Buffer.from(join(root, "d", "x")), Buffer.from([0xff])]), "");
    expect(await backend.ls("/d")).toEqual({ files: [] });
    expect(await backend.delete("/d")).toEqual({ path: "/d" });
    expect(await backend.ls("/")).toEqual({ files: [] });
  });

  test("deleting a folder with links in it leaves what they point to", async () => {
    await mkdir(join(root, "kept"));
    await writeFile(join(root, "kept", "a.txt"), "kept");
    await mkdir(join(root, "d"));
    await symlink(join(root, "kept"), join(root, "d", "link"));
    expect(await backend.delete("/d")).toEqual({ path: "/d" });
    expect(await readFile(join(root, "kept", "a.txt"), "utf8")).toBe("kept");
  });

  test("a root that is itself a link is followed once, when it is opened", async () => {
    await mkdir(join(root, "real"));
    await symlink(join(root, "real"), join(root, "link"));
    const linked = new FilesystemBackend(join(root, "link"));
    await linked.write("/a.txt", "x");
    expect(await readFile(join(root, "real", "a.txt"), "utf8")).toBe("x");
    await rm(join(root, "real"), { recursive: true });
    await mkdir(join(root, "other"));
    await symlink(join(root, "other"), join(root, "real"));
    expect((await linked.write("/b.txt", "x")).error).toBeDefined();
    expect(await backend.ls("/other")).toEqual({ files: [] });
  });

  test("a root that is a file is refused when it is opened", async () => {
    await writeFile(join(root, "file"), "");
    expect(() => new FilesystemBackend(join(root, "file"))).toThrow(/cannot be used as a folder/);
  });

  test("no handle is left open", async () => {
    await backend.write("/a/b/c.txt", "x");
    const before = await openHandles();
    for (let n = 0; n < 50; n++) {
      await backend.read("/a/b/c.txt");
      await backend.read("/a/no/c.txt");
      await backend.write(`/a/b/${n}`, "x");
      await backend.ls("/a/b");
      await backend.delete(`/a/b/${n}`);
    }
    expect(await openHandles()).toBeLessThan(before + 20);
  });
});

async function openHandles(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}
