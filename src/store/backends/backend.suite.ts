// What every file backend must do and refuse, whatever it wraps; `home` is a folder in which the suite may do as it likes.
import { link, mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Backend } from "./port.ts";

export interface Specimen {
  backend: Backend;
  /** The folder's virtual path, "" for the root. */
  home: string;
  /** The same folder on the disk. */
  disk: string;
  remove(): Promise<void>;
}

export const OPERATIONS = ["ls", "read", "readRaw", "write", "edit", "grep", "glob", "delete"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Calls as untyped code would. */
export function call(
  backend: Backend,
  operation: Operation,
  ...args: unknown[]
): Promise<{ error?: string }> {
  return Reflect.apply(Reflect.get(backend, operation), backend, args);
}

/** Calls with a path, which lands where the operation takes its path. */
export function attempt(backend: Backend, operation: Operation, path: unknown): Promise<{ error?: string }> {
  const rest: Record<Operation, unknown[]> = {
    ls: [path],
    read: [path],
    readRaw: [path],
    write: [path, "planted"],
    edit: [path, "secret", "planted"],
    grep: ["secret", path],
    glob: ["**", path],
    delete: [path],
  };
  return call(backend, operation, ...rest[operation]);
}

export const HOSTILE_PATHS: readonly unknown[] = [
  undefined,
  null,
  0,
  Number.NaN,
  true,
  {},
  Object.create(null),
  [],
  ["/a"],
  Symbol("path"),
  () => "/a",
  "",
  " ",
  "a.txt",
  "./a.txt",
  "~/a.txt",
  "..",
  "/..",
  "/../a.txt",
  "/a/../../b",
  "/a\0b",
  "/a\nb",
  "/a\u0085b",
  "/a\u200Bb",
  "/a\u202Eb",
  "/\uD800",
  "/a\\b",
  "\\a",
  "/..\\..\\a",
  "C:\\a",
  "/C:/a",
  "//C:/a",
  "/．．/a",
  "/‥/a",
  "/a／b",
  "/ﬁle.txt",
  "/teſts",
  "/u\u0308.txt",
  `/${"a".repeat(256)}`,
  `/${"ü".repeat(128)}`,
  `/${"a/".repeat(2100)}`,
  "/".repeat(5000),
];

export function backendSuite(name: string, make: () => Promise<Specimen>): void {
  describe(`${name}, as every backend`, () => {
    let specimen: Specimen;
    let backend: Backend;
    beforeEach(async () => {
      specimen = await make();
      ({ backend } = specimen);
    });
    afterEach(() => specimen.remove());
    const at = (path: string): string => `${specimen.home}${path}`;
    const files = async (...entries: [string, string][]): Promise<void> => {
      for (const [path, text] of entries)
        expect(await backend.write(at(path), text)).toEqual({ path: at(path) });
    };
    const found = (infos: { path: string }[] | undefined): string[] =>
      (infos ?? []).map(({ path }) => path.slice(specimen.home.length));

    test("text that was written comes back unchanged, and a second write replaces it", async () => {
      const text = fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("", "\uFEFFx", "a\r\nb\r", "$&", "\n\n"),
      );
      await fc.assert(
        fc.asyncProperty(text, async (content) => {
          fc.pre(!content.includes("\0"));
          expect(await backend.write(at("/deep/er/a.txt"), content)).toEqual({ path: at("/deep/er/a.txt") });
          const { data } = await backend.readRaw(at("/deep/er/a.txt"));
          expect(data).toMatchObject({ content, mimeType: "text/plain" });
          expect(Date.parse(data?.modified_at ?? "")).not.toBeNaN();
          expect(Date.parse(data?.created_at ?? "")).not.toBeNaN();
        }),
        { numRuns: 30 },
      );
      expect(await readdir(join(specimen.disk, "deep/er"))).toEqual(["a.txt"]);
    });

    test("pages are the lines that were asked for, and together they are the file", async () => {
      const text = fc
        .array(fc.constantFrom("a", "\n", "\r\n", "é"), { maxLength: 12 })
        .map((parts) => parts.join(""));
      await fc.assert(
        fc.asyncProperty(text, fc.integer({ min: 1, max: 4 }), async (content, limit) => {
          await backend.write(at("/a.md"), content);
          const pages: string[] = [];
          let next: number | undefined = 0;
          while (next !== undefined) {
            const page = await backend.read(at("/a.md"), next, limit);
            const lines = (content.match(/\n/g) ?? []).length + (/[^\n]$/.test(content) ? 1 : 0);
            expect(page).toMatchObject({ totalLines: lines, mimeType: "text/markdown" });
            if (lines > 0)
              expect(page).toMatchObject({ startLine: next + 1, endLine: Math.min(next + limit, lines) });
            pages.push(String(page.content));
            next = page.nextOffset;
          }
          expect(pages.join("\n")).toBe(content);
        }),
        { numRuns: 30 },
      );
    });

    test("a page has 500 lines unless told otherwise", async () => {
      await files(["/long.txt", Array.from({ length: 501 }, (_, n) => `line ${n}`).join("\n")]);
      expect(await backend.read(at("/long.txt"))).toMatchObject({
        totalLines: 501,
        endLine: 500,
        nextOffset: 500,
      });
      expect(await backend.read(at("/long.txt"), 500)).toEqual({
        content: "line 500",
        mimeType: "text/plain",
        totalLines: 501,
        startLine: 501,
        endLine: 501,
      });
    });

    test.each([
      [[-1, 1], "cannot be read from line offset -1; offsets count from 0"],
      [[0.5, 1], "cannot be read from line offset 0.5; offsets count from 0"],
      [[{}, 1], "cannot be read from line offset {}; offsets count from 0"],
      [[0, 0], "cannot be read with a limit of 0 lines; ask for 1 or more"],
      [[0, Number.NaN], "cannot be read with a limit of NaN lines; ask for 1 or more"],
      [[2, 1], "has 2 lines; an offset of 2 lies behind its end"],
    ])("the page %j is refused", async (page, words) => {
      await files(["/a.txt", "one\ntwo\n"]);
      const result = await call(backend, "read", at("/a.txt"), ...page);
      expect(result).toEqual({ error: `'${at("/a.txt")}' ${words}` });
    });

    test("binary files come as bytes, whatever they are called, and are neither edited nor searched", async () => {
      const cases: [string, Buffer, string][] = [
        ["a.png", Buffer.from("a secret\0"), "image/png"],
        ["a.txt", Buffer.from([0x73, 0xff, 0xfe]), "application/octet-stream"],
      ];
      for (const [name, bytes, mimeType] of cases) {
        await writeFile(join(specimen.disk, name), bytes);
        expect(await backend.read(at(`/${name}`))).toEqual({ content: new Uint8Array(bytes), mimeType });
        expect((await backend.readRaw(at(`/${name}`))).data).toMatchObject({
          content: new Uint8Array(bytes),
          mimeType,
        });
        expect((await backend.edit(at(`/${name}`), "s", "t")).error).toContain("it is not text");
      }
      expect(await backend.grep("secret", at("/"))).toEqual({ matches: [] });
    });

    const edits: [string, string, string, boolean, string | { error: string }][] = [
      ["a b", "a", "$& $1 \\n", false, "$& $1 \\n b"],
      ["a b a", "a", "", true, " b "],
      ["a b a", "a", "c", false, { error: "in it more than once; quote more around it, or replace all" }],
      ["aaa", "aa", "b", false, { error: "in it more than once" }],
      ["aaa", "aa", "b", true, "ba"],
      ["a.b", "a?b", "c", false, { error: "is not in it; read the file and quote it exactly" }],
      ["a", "A", "c", false, { error: "is not in it" }],
      ["a", "", "c", false, { error: "the text to replace is empty" }],
      ["a", "a", "a", false, { error: "the old and the new text are the same" }],
      ["a", "a", "\uD800", false, { error: "half a character" }],
    ];
    test.each(edits)("editing %j: %j becomes %j (all: %j)", async (text, oldText, newText, all, expected) => {
      await files(["/a.txt", text]);
      const result = await backend.edit(at("/a.txt"), oldText, newText, all);
      const after = (await backend.readRaw(at("/a.txt"))).data?.content;
      if (typeof expected === "string") {
        expect(result).toEqual({ path: at("/a.txt"), occurrences: text.split(oldText).length - 1 });
        expect(after).toBe(expected);
      } else {
        expect(result.error).toContain(expected.error);
        expect(after).toBe(text);
      }
    });

    test("edits at the same time all land", async () => {
      await files(["/a.txt", Array.from({ length: 20 }, (_, n) => `<${n}>`).join("")]);
      await Promise.all(Array.from({ length: 20 }, (_, n) => backend.edit(at("/a.txt"), `<${n}>`, `(${n})`)));
      const { content } = await backend.read(at("/a.txt"));
      expect(content).toBe(Array.from({ length: 20 }, (_, n) => `(${n})`).join(""));
    });

    test("listings are sorted, tell folders from files and do not go deeper", async () => {
      await files(
        ["/l/b.txt", "12"],
        ["/l/a/deep.txt", ""],
        ["/l/[...slug].tsx", ""],
        ["/l/..ü ä", ""],
        ["/l/a..b", ""],
      );
      const { files: infos } = await backend.ls(at("/l/"));
      expect(found(infos)).toEqual(["/l/..ü ä", "/l/[...slug].tsx", "/l/a..b", "/l/a/", "/l/b.txt"]);
      expect(infos?.[3]).toEqual({ path: at("/l/a/"), is_dir: true });
      expect(infos?.[4]).toMatchObject({
        is_dir: false,
        size: 2,
        modified_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect(await backend.read(at("/l/[...slug].tsx"))).toMatchObject({ content: "", totalLines: 0 });
    });

    const globs: [string, string, string[]][] = [
      ["*.ts", "/g", ["/g/a.ts"]],
      ["**/*.ts", "/g", ["/g/a.ts", "/g/s/.d.ts", "/g/s/t/c.ts"]],
      ["/s/*", "/g", ["/g/s/.d.ts", "/g/s/t/"]],
      ["./s/**", "/g", ["/g/s/.d.ts", "/g/s/t/", "/g/s/t/c.ts"]],
      ["**/{a,c}.[tj]s", "/g", ["/g/a.ts", "/g/s/t/c.ts"]],
      ["?.ts", "/g/s/t", ["/g/s/t/c.ts"]],
      ["s", "/g", ["/g/s/"]],
      ["S", "/g", []],
    ];
    test.each(globs)("glob %j below %j", async (pattern, base, expected) => {
      await files(["/g/a.ts", ""], ["/g/s/.d.ts", ""], ["/g/s/t/c.ts", ""], ["/g/s/t/c.md", ""]);
      const result = await backend.glob(pattern, at(base));
      expect(result).toEqual({ files: expect.any(Array) });
      const shown = found(result.files);
      expect(
        expected.includes("/g/s/t/c.md") ? shown : shown.filter((path) => !path.endsWith(".md")),
      ).toEqual(expected);
    });

    test.each(["", "/", "../*", "a/../../b", "\0", "x".repeat(2000), "{a,b}".repeat(20), null, 7])(
      "the pattern of case %# is refused",
      async (pattern) => {
        const result = await call(backend, "glob", pattern, at("/"));
        expect(result).toEqual({ error: expect.stringContaining("the pattern is refused: ") });
      },
    );

    test("grep finds literal text line by line, where and as often as it was told", async () => {
      await files(["/r/b.txt", "x\na.c a.c\nabc\n"], ["/r/a/a.md", "a.c\r\n"], ["/r/z.txt", "a.c"]);
      const all = [
        { path: at("/r/a/a.md"), line: 1, text: "a.c\r" },
        { path: at("/r/b.txt"), line: 2, text: "a.c a.c" },
        { path: at("/r/z.txt"), line: 1, text: "a.c" },
      ];
      expect(await backend.grep("a.c", at("/r"))).toEqual({ matches: all });
      expect(await backend.grep("a.c", at("/r"), "*.txt")).toEqual({ matches: all.slice(1) });
      expect(await backend.grep("a.c", at("/r"), "a/*")).toEqual({ matches: all.slice(0, 1) });
      expect(await backend.grep("a.c", at("/r/z.txt"))).toEqual({ matches: all.slice(2) });
      expect(await backend.grep("a.c", at("/r"), null, 3)).toEqual({ matches: all });
      const cut = await backend.grep("a.c", at("/r"), null, 2);
      expect(cut).toEqual({ matches: expect.any(Array), truncated: true });
      expect(cut.matches).toHaveLength(2);
    });

    test.each([
      ["", null],
      ["a\nb", null],
      [null, null],
      ["a", 0],
      ["a", -1],
      ["a", 1.5],
      ["a", "1"],
    ])("searching for %j, at most %j times, is refused", async (pattern, maxCount) => {
      const result = await call(backend, "grep", pattern, at("/"), null, maxCount);
      expect(result).toEqual({ error: expect.any(String) });
    });

    test("deleting takes a file, or a folder with all that is in it, and nothing beside it", async () => {
      await files(["/d/a.txt", ""], ["/d/b/c/d.txt", ""], ["/d/b/e.txt", ""], ["/d/bb.txt", ""]);
      expect(await backend.delete(at("/d/a.txt"))).toEqual({ path: at("/d/a.txt") });
      expect(await backend.delete(at("/d/b/"))).toEqual({ path: at("/d/b") });
      expect(found((await backend.glob("**", at("/d"))).files)).toEqual(["/d/bb.txt"]);
      expect((await backend.delete("/")).error).toBeDefined();
    });

    test("what is not there, or is of another kind, is said in words", async () => {
      await files(["/f/a.txt", "x"]);
      const missing = `'${at("/f/no")}' does not exist; list the folder to see what does`;
      for (const operation of OPERATIONS) {
        if (operation === "write") continue;
        expect(await attempt(backend, operation, at("/f/no"))).toEqual({ error: missing });
      }
      expect((await backend.read(at("/f"))).error).toBe(
        `'${at("/f")}' is a folder, not a file; list it, or name a file in it`,
      );
      expect((await backend.write(at("/f"), "")).error).toContain("is a folder");
      expect((await backend.edit(at("/f"), "a", "b")).error).toContain("is a folder");
      for (const path of ["/f/a.txt/b", "/f/a.txt/b/c"]) {
        expect((await backend.read(at(path))).error).toBeDefined();
        expect((await backend.write(at(path), "")).error).toBeDefined();
      }
      expect((await backend.ls(at("/f/a.txt"))).error).toContain(`'${at("/f/a.txt")}' is no folder`);
    });

    test.each([undefined, 7, {}, new Uint8Array(1), "\uDC00", "x".repeat(17 * 1024 * 1024)])(
      "content that could not be read back is refused (case %#)",
      async (content) => {
        const result = await call(backend, "write", at("/a.txt"), content);
        expect(result).toEqual({ error: expect.stringContaining(`'${at("/a.txt")}' was not written: `) });
        expect((await backend.readRaw(at("/a.txt"))).error).toContain("does not exist");
      },
    );

    test.each(OPERATIONS)(
      "%s refuses every hostile path with words and without a throw",
      async (operation) => {
        for (const path of HOSTILE_PATHS) {
          // Searches without a path start at the root.
          if ((operation === "grep" && path === null) || (/grep|glob/.test(operation) && path === undefined))
            continue;
          expect(await attempt(backend, operation, path)).toEqual({
            error: expect.stringContaining("is refused: "),
          });
        }
      },
    );

    test("links, hard links and half-written files are not read, shown, searched or changed", async () => {
      await files(["/s/a.txt", "plain"]);
      const outside = join(specimen.disk, "outside");
      await mkdir(outside);
      await writeFile(join(outside, "secret.txt"), "secret");
      const s = join(specimen.disk, "s");
      await symlink(join(outside, "secret.txt"), join(s, "file-link"));
      await symlink(outside, join(s, "folder-link"));
      await link(join(outside, "secret.txt"), join(s, "hard-link"));
      await writeFile(join(s, ".cupel-writing-1"), "secret");
      expect(found((await backend.ls(at("/s"))).files)).toEqual(["/s/a.txt"]);
      expect(found((await backend.glob("**", at("/s"))).files)).toEqual(["/s/a.txt"]);
      expect(await backend.grep("secret", at("/s"))).toEqual({ matches: [] });
      for (const path of [
        "file-link",
        "folder-link",
        "folder-link/secret.txt",
        "hard-link",
        ".cupel-writing-1",
      ]) {
        for (const operation of OPERATIONS) {
          expect(await attempt(backend, operation, at(`/s/${path}`)), `${operation} ${path}`).toEqual({
            error: expect.any(String),
          });
        }
      }
      expect(await backend.delete(at("/s"))).toEqual({ path: at("/s") });
      await rename(join(outside, "secret.txt"), join(outside, "still-there.txt"));
    });
  });
}
