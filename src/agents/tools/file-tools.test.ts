// Over the real file backend, with what agents really send: wrong paths, hostile paths, too much of everything.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { FilesystemBackend } from "../../store/backends/filesystem.ts";
import { useTool } from "../use-tool.ts";
import { fileTools } from "./file-tools.ts";

let root = "";
let outside = "";
beforeEach(async () => {
  const directory = temporaryDirectory();
  root = join(directory, "root");
  outside = join(directory, "outside.txt");
  writeFileSync(outside, "a secret outside");
  await mkdir(join(root, "src"), { recursive: true });
  await writeFile(join(root, "src/a.ts"), "const a = 1;\nconst b = 2;\nconst c = 3;\n");
});

function use(name: string, input: unknown) {
  return useTool(fileTools(new FilesystemBackend(root)), name, input, new AbortController().signal);
}
async function said(name: string, input: unknown): Promise<string> {
  return (await use(name, input)).text;
}

describe("read", () => {
  test.each(["/src/a.ts", "src/a.ts"])(
    "gives the text of %s exactly, under one line that says where it is",
    async (path) => {
      expect(await said("read", { path })).toBe(
        "/src/a.ts, lines 1 to 3 of 3:\nconst a = 1;\nconst b = 2;\nconst c = 3;\n",
      );
    },
  );

  test("gives pages that say how to go on", async () => {
    expect(await said("read", { path: "/src/a.ts", lines: 1 })).toBe(
      "/src/a.ts, lines 1 to 1 of 3; go on with from: 2:\nconst a = 1;",
    );
    expect(await said("read", { path: "/src/a.ts", from: 2, lines: 1 })).toContain("const b = 2;");
    expect(await said("read", { path: "/src/a.ts", from: 9 })).toMatch(/has 3 lines/);
  });

  test("cuts what is too long, shows no bytes, and knows an empty file", async () => {
    await writeFile(join(root, "long.txt"), "x".repeat(500_000));
    await writeFile(join(root, "bytes.png"), Buffer.from([0, 1, 2]));
    await writeFile(join(root, "empty.txt"), "");
    const long = await said("read", { path: "/long.txt" });
    expect(long.length).toBeLessThan(70_000);
    expect(long).toContain("ask for fewer lines");
    expect(await said("read", { path: "/bytes.png" })).toBe(
      "/bytes.png is no text (image/png, 3 bytes) and cannot be shown.",
    );
    expect(await said("read", { path: "/empty.txt" })).toBe("/empty.txt is empty.\n");
  });
});

describe("write and edit", () => {
  test("a file is written with the folders on the way, and replaced", async () => {
    expect(await said("write", { path: "/new/deep/b.ts", content: "one" })).toBe(
      "Wrote /new/deep/b.ts, 3 characters.",
    );
    await use("write", { path: "new/deep/b.ts", content: "two" });
    expect(readFileSync(join(root, "new/deep/b.ts"), "utf8")).toBe("two");
  });

  test("what read gave can be edited", async () => {
    const edit = { path: "/src/a.ts", old: "const b = 2;\n", new: "" };
    expect(await said("edit", edit)).toBe("Edited /src/a.ts in 1 place.");
    expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("const a = 1;\nconst c = 3;\n");
  });

  test("text that is there more often is refused, unless all of it is meant", async () => {
    const before = readFileSync(join(root, "src/a.ts"), "utf8");
    expect(await said("edit", { path: "/src/a.ts", old: "const", new: "let" })).toMatch(/not edited/);
    expect(await said("edit", { path: "/src/a.ts", old: "gone", new: "let" })).toMatch(/not/);
    expect(await said("edit", { path: "/src/a.ts", old: "a", new: "a" })).toContain("the same text");
    expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe(before);
    expect(await said("edit", { path: "/src/a.ts", old: "const", new: "let", all: true })).toBe(
      "Edited /src/a.ts in 3 places.",
    );
  });

  test("more than a file may hold is refused before anything happens", async () => {
    const result = await use("write", { path: "/big.txt", content: "x".repeat(1_000_001) });
    expect(result).toMatchObject({
      failed: true,
      text: expect.stringContaining("at most 1000000 characters"),
    });
    expect(existsSync(join(root, "big.txt"))).toBe(false);
  });
});

describe("ls, glob and grep", () => {
  test("list, find by name and find by text", async () => {
    expect(await said("ls", {})).toBe("/src/");
    expect(await said("ls", { path: "src" })).toBe("/src/a.ts (39)");
    expect(await said("glob", { pattern: "**/*.ts" })).toBe("/src/a.ts");
    expect(await said("grep", { text: "b = 2" })).toBe("/src/a.ts:2: const b = 2;");
  });

  test("finding nothing is said with where it was looked for", async () => {
    expect(await said("glob", { pattern: "*.py" })).toBe("Nothing below / fits *.py.");
    expect(await said("grep", { text: "nowhere", path: "/src" })).toBe("No line below /src holds that text.");
    expect(await said("ls", { path: "/nowhere" })).toMatch(/nowhere/);
  });

  test("grep takes text literally, keeps to the files that were named, and cuts long lines", async () => {
    await writeFile(join(root, "b.md"), `const .* = 2 ${"y".repeat(5000)}`);
    expect(await said("grep", { text: ".*" })).toMatch(/^\/b\.md:1: const \.\* = 2 y+…$/);
    expect(await said("grep", { text: "const", glob: "*.md" })).not.toContain("a.ts");
  });

  test("too many results are cut with what to do", async () => {
    await writeFile(join(root, "many.txt"), "needle\n".repeat(5000));
    const found = await said("grep", { text: "needle" });
    expect(found.split("\n").length).toBeLessThan(210);
    expect(found).toContain("search for more text");
    await Promise.all(Array.from({ length: 600 }, (_, index) => writeFile(join(root, `f${index}.txt`), "")));
    expect(await said("ls", {})).toMatch(/\d+ more left out; list a folder below it, or use glob\.$/);
  });
});

describe("a hostile path", () => {
  test.each([
    "../outside.txt",
    "/../outside.txt",
    "/src/../../outside.txt",
    "/link.txt",
    "/folder/outside.txt",
    "/src/\u0000a.ts",
    "C:\\outside.txt",
    "/src\\..\\..\\outside.txt",
    `/${"a/".repeat(200)}b`,
    "x".repeat(5000),
    "",
  ])("%j reaches nothing", async (path) => {
    symlinkSync(outside, join(root, "link.txt"));
    symlinkSync(join(root, ".."), join(root, "folder"));
    for (const [tool, input] of [
      ["read", { path }],
      ["write", { path, content: "changed" }],
      ["edit", { path, old: "secret", new: "changed" }],
      ["ls", { path }],
      ["glob", { pattern: "**/*", path }],
      ["grep", { text: "secret", path }],
    ] as const)
      expect(await said(tool, input)).not.toContain("a secret outside");
    expect(readFileSync(outside, "utf8")).toBe("a secret outside");
  });

  test.each(["**/../../*", "{a,b", "/".repeat(900), "[", "**".repeat(200)])(
    "a pattern like %j ends soon",
    async (pattern) => {
      const begun = performance.now();
      expect(await said("glob", { pattern })).not.toContain("outside");
      expect(performance.now() - begun).toBeLessThan(3000);
    },
  );
});
