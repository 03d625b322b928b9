// Names of refs: the conventions, no collisions, and the same refusals as git's.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { branchName, branchRef, isSafeBranchName, salvageRef } from "./branch-names.ts";
import type { BranchKind } from "./branch-names.ts";
import { tryGit } from "./git.ts";

test.each<[string, BranchKind, string[]]>([
  ["skeleton-abc123", "skeleton", []],
  ["tests-abc123", "tests", []],
  ["impl-abc123", "impl", []],
  ["merge-abc123", "merge", []],
  ["node-abc123+auth+login", "node", ["auth", "login"]],
  ["impl-abc123+req-102-4581d587", "impl", ["REQ-102"]],
])("%s", (name, kind, path) => {
  expect(branchName(kind, "abc123", path)).toBe(name);
});

describe("nodes with any ids", () => {
  const path = fc.array(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("lock", "a", "A", "a/b", "..", "")),
    {
      maxLength: 6,
    },
  );

  test("have safe names, none of which is a folder of another", () => {
    fc.assert(
      fc.property(path, (ids) => {
        const name = branchName("node", "s1", ids);
        expect(isSafeBranchName(name) && !name.includes("/") && name.length <= 200).toBe(true);
      }),
    );
  });

  test("have different names for different paths, whatever the case of the file system", () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        const same =
          branchName("node", "s1", one).toLowerCase() === branchName("node", "s1", other).toLowerCase();
        expect(same).toBe(one.length === other.length && one.every((id, index) => id === other[index]));
      }),
    );
  });

  test("cannot pass for the shortened name of another", () => {
    const shortened = branchName("node", "s", ["REQ-102"]).split("+")[1] ?? "";
    expect(branchName("node", "s", [shortened])).not.toBe(branchName("node", "s", ["REQ-102"]));
  });
});

const hostile = [
  [
    "",
    "-x",
    "--upload-pack=sh",
    "HEAD",
    "@",
    "a..b",
    "a b",
    "a\nb",
    "a\u0000b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[b",
  ],
  [
    "a\\b",
    "a.lock",
    "a.lock/b",
    ".a",
    "a/.b",
    "a.",
    "/a",
    "a/",
    "a//b",
    "a@{1}",
    "../../etc/passwd",
    "a\u007F",
  ],
  ["\uD800", "x".repeat(300)],
].flat();

test.each(hostile)("the branch name %j is refused", (name) => {
  expect(isSafeBranchName(name)).toBe(false);
  expect(() => branchRef(name)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("agrees with git on what a name is", async () => {
  const part = fc.constantFrom("a", ".", "/", "-", "@", "{", "~", " ", "é", ".lock", "\\", "[", "HEAD", "\t");
  const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(name, async (any) => {
      const result = await tryGit(["check-ref-format", `refs/heads/${any}`]);
      const allowed = result.kind === "exited" && result.code === 0;
      expect(isSafeBranchName(any)).toBe(allowed && !any.startsWith("-") && any !== "HEAD" && any !== "@");
    }),
    { numRuns: 200 },
  );
});

test.each(["", "a b", "a+b", "-", "../x", "x".repeat(65), "a\n"])("the session %j is refused", (session) => {
  expect(() => branchName("tests", session)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("salvaged work has a place of its own", () => {
  expect(salvageRef("ws-1", "tip")).toBe("refs/salvage/ws-1/tip");
  for (const bad of ["", "..", "a/b", "a.lock", "a b", "a\n"])
    expect(() => salvageRef(bad, "tip")).toThrow(/salvaged/);
  expect(() => salvageRef("ws-1", "../../heads/main")).toThrow(/salvaged/);
});
