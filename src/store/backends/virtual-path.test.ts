// One plain spelling per place, and a clear no for whatever could be taken for another place.
import fc from "fast-check";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { HOSTILE_PATHS } from "./backend.suite.ts";
import { below, isPlainName, virtualPath } from "./virtual-path.ts";

describe("accepted", () => {
  test.each([
    ["/", "/"],
    ["///", "/"],
    ["/a//b/", "/a/b"],
    ["/./a/./b", "/a/b"],
    ["/a/../b", "/b"],
    ["/a/b/../..", "/"],
    ["/[...slug].tsx", "/[...slug].tsx"],
    ["/..foo/...", "/..foo/..."],
    ["/a..b", "/a..b"],
    ["/a b/ü é 漢字", "/a b/ü é 漢字"],
    ["/%2e%2e/%2f%00", "/%2e%2e/%2f%00"],
    ["/__proto__/constructor", "/__proto__/constructor"],
    [`/${"a".repeat(255)}`, `/${"a".repeat(255)}`],
    ["/MM-a/1.0.0/ab:c", "/MM-a/1.0.0/ab:c"],
  ])("%j is %j", (input, path) => {
    const segments = path.split("/").filter((segment) => segment !== "");
    expect(virtualPath(input)).toEqual({ kind: "ok", path, segments });
  });

  test("plain paths agree with the platform's own normaliser, and a second look changes nothing", () => {
    const segment = fc.constantFrom("a", "b", ".", "..", "", "...", "a b");
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
        const input = `/${segments.join("/")}`;
        const depth = segments.reduce(
          (deep, s) => (s === ".." ? deep - 1 : deep + (s === "" || s === "." ? 0 : 1)),
          0,
        );
        const result = virtualPath(input);
        if (result.kind === "refused") {
          expect(result.reason).toContain("climbs above the root");
          expect(climbs(segments)).toBe(true);
          return;
        }
        expect(climbs(segments)).toBe(false);
        expect(result.segments).toHaveLength(depth);
        expect(result.path).toBe(posix.normalize(input).replace(/(.)\/$/, "$1"));
        expect(virtualPath(result.path)).toEqual(result);
      }),
    );
  });
});

function climbs(segments: string[]): boolean {
  let depth = 0;
  for (const segment of segments) {
    if (segment === "..") depth--;
    else if (segment !== "" && segment !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

describe("refused", () => {
  test.each(HOSTILE_PATHS.map((path) => [path]))("%j", (path) => {
    expect(virtualPath(path)).toEqual({
      kind: "refused",
      reason: expect.stringMatching(/^the path .*is refused: .*; /),
    });
  });

  test.each([
    [7, "the path (number) is refused: a path is text; write it as '/folder/file'"],
    ["a", "the path 'a' is refused: it is not absolute; start it with '/'"],
    ["/a/../..", "the path '/a/../..' is refused: it climbs above the root; name a place below '/'"],
    [
      "/a\0",
      "the path '/a\\u0000' is refused: it holds a control, invisible or broken character; use a plain name",
    ],
    [
      "/a\\b",
      "the path '/a\\\\b' is refused: it holds a backslash, and names are separated by '/' only; use a plain name",
    ],
    ["/c:", "the path '/c:' is refused: it holds a drive letter; use a plain name"],
    ["/e\u0301", "the path '/e\u0301' is refused: it is not in Unicode normal form C; use a plain name"],
    ["/．", "the path '/．' is refused: it holds a look-alike of another character; use a plain name"],
  ])("%j says why", (path, reason) => {
    expect(virtualPath(path)).toEqual({ kind: "refused", reason });
  });

  test("limits are in bytes", () => {
    expect(virtualPath(`/${"ü".repeat(127)}a`).kind).toBe("ok");
    expect(virtualPath(`/${"ü".repeat(128)}`)).toMatchObject({
      reason: expect.stringContaining("longer than 255 bytes"),
    });
    const long = `/${"a".repeat(99)}`.repeat(40);
    expect(virtualPath(`${long}/${"a".repeat(95)}`).kind).toBe("ok");
    expect(virtualPath(`${long}/${"a".repeat(96)}`)).toMatchObject({
      reason: expect.stringContaining("longer than 4096 bytes"),
    });
  });

  test("a tree has an end", () => {
    expect(virtualPath("/a".repeat(128)).kind).toBe("ok");
    expect(virtualPath("/a".repeat(129))).toMatchObject({
      reason: expect.stringContaining("more than 128 folders deep"),
    });
  });

  test("a reason stays short", () => {
    const result = virtualPath("\0".repeat(1_000_000));
    expect(result.kind === "refused" && result.reason.length).toBeLessThan(2000);
  });
});

test.each([
  ["a", true],
  ["", false],
  [".", false],
  ["..", false],
  ["a/b", false],
  ["a\u0000", false],
])("%j as a name on a disk: %j", (name, plain) => {
  expect(isPlainName(name)).toBe(plain);
});

test("below the root there is one slash", () => {
  expect([below("/", "a"), below("/a", "b")]).toEqual(["/a", "/a/b"]);
});
