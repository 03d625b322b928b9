// What the files say is what git says, whichever way a ref is stored; and where they say nothing, git is asked.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleGit, sampleHub } from "../../../test/git-samples.ts";
import { listRefs, readRef } from "./refs.ts";
import { hasNoneBelow, storedRef } from "./stored-refs.ts";

function hub() {
  const { gitDir, main } = sampleHub({ "a.txt": "one\n" }, { next: { "a.txt": "two\n" } });
  return { gitDir, main, next: sampleGit(gitDir, "rev-parse", "next") };
}

test("a ref in a file of its own, packed, moved after it was packed, and gone", () => {
  const { gitDir, main, next } = hub();
  expect(storedRef(gitDir, "refs/heads/next")).toEqual({ kind: "at", commit: next });
  sampleGit(gitDir, "pack-refs", "--all");
  expect(storedRef(gitDir, "refs/heads/next")).toEqual({ kind: "at", commit: next });
  expect(storedRef(gitDir, "refs/heads/main")).toEqual({ kind: "at", commit: main });
  sampleGit(gitDir, "update-ref", "refs/heads/next", main);
  expect(storedRef(gitDir, "refs/heads/next")).toEqual({ kind: "at", commit: main });
  sampleGit(gitDir, "update-ref", "-d", "refs/heads/next");
  expect(storedRef(gitDir, "refs/heads/next")).toEqual({ kind: "none" });
});

test("a name that is the beginning or the end of another is not that other", () => {
  const { gitDir, main } = hub();
  sampleGit(gitDir, "update-ref", "refs/heads/a/next", main);
  sampleGit(gitDir, "update-ref", "refs/heads/next-one", main);
  sampleGit(gitDir, "pack-refs", "--all");
  sampleGit(gitDir, "update-ref", "-d", "refs/heads/next");
  for (const name of ["refs/heads/next", "refs/heads/a", "refs/heads/nex", "refs/heads/main/x"])
    expect(storedRef(gitDir, name)).toEqual({ kind: "none" });
});

test.each([
  [
    "a ref that stands for another",
    (gitDir: string) => sampleGit(gitDir, "symbolic-ref", "refs/heads/x", "refs/heads/main"),
  ],
  ["half a line", (gitDir: string) => writeFileSync(join(gitDir, "refs/heads/x"), "ab")],
  ["another work tree", (gitDir: string) => writeFileSync(join(gitDir, "commondir"), "..\n")],
  ["a table of refs", (gitDir: string) => mkdirSync(join(gitDir, "reftable"))],
  [
    "too many to read",
    (gitDir: string) => writeFileSync(join(gitDir, "packed-refs"), "#".repeat((1 << 20) + 1)),
  ],
])("git is asked: %s", (_, change) => {
  const { gitDir } = hub();
  change(gitDir);
  expect(storedRef(gitDir, "refs/heads/x")).toEqual({ kind: "ask-git" });
  expect(hasNoneBelow(gitDir, "refs/heads/")).toBe(false);
});

test("below a prefix there is nothing, something, something packed, and nothing again", async () => {
  const { gitDir, main } = hub();
  const [prefix, ref] = ["refs/cupel/drafts/", "refs/cupel/drafts/a/b"];
  expect(hasNoneBelow(gitDir, prefix)).toBe(true);
  expect(await listRefs(gitDir, prefix)).toEqual([]);
  sampleGit(gitDir, "update-ref", ref, main);
  expect(hasNoneBelow(gitDir, prefix)).toBe(false);
  expect(await listRefs(gitDir, prefix)).toEqual([{ name: ref, commit: main }]);
  sampleGit(gitDir, "pack-refs", "--all", "--prune");
  expect(hasNoneBelow(gitDir, prefix)).toBe(false);
  expect(await listRefs(gitDir, prefix)).toEqual([{ name: ref, commit: main }]);
  expect(await readRef(gitDir, ref)).toBe(main);
  sampleGit(gitDir, "update-ref", "-d", ref);
  mkdirSync(join(gitDir, prefix, "left/over"), { recursive: true });
  expect(hasNoneBelow(gitDir, prefix)).toBe(true);
  expect(await listRefs(gitDir, prefix)).toEqual([]);
});
