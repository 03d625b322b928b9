// Differences between trees: every kind of change, names that are hard to handle, and patches that end somewhere.
import { describe, expect, test } from "vitest";
import { changedPaths, patchText } from "./diff.ts";
import { tipOf } from "./refs.ts";
import { sampleHub } from "../../../test/git-samples.ts";
import type { SampleFiles } from "../../../test/git-samples.ts";

async function between(before: SampleFiles, after: SampleFiles) {
  const { gitDir, main } = sampleHub(before, { next: after });
  return { gitDir, from: main, to: await tipOf(gitDir, "next") };
}

describe("changedPaths", () => {
  test("names each change with modes and sizes", async () => {
    const { gitDir, from, to } = await between(
      { gone: "12\n", same: "s\n", text: "a\n", type: "t\n", mode: "m\n" },
      {
        gone: null,
        new: "1234\n",
        text: "abc\n",
        type: { link: "text" },
        mode: { text: "m\n", executable: true },
        bin: Uint8Array.of(0, 255),
      },
    );
    const changes = await changedPaths(gitDir, from, to);
    expect(
      changes.map(({ kind, path, before, after, binary }) => [
        kind,
        path,
        before?.mode,
        after?.mode,
        after?.size,
        binary,
      ]),
    ).toEqual([
      ["added", "bin", undefined, "100644", 2, true],
      ["deleted", "gone", "100644", undefined, undefined, false],
      ["modified", "mode", "100644", "100755", 2, false],
      ["added", "new", undefined, "100644", 5, false],
      ["modified", "text", "100644", "100644", 4, false],
      ["type-changed", "type", "100644", "120000", 4, false],
    ]);
  });

  test("a rename is two changes unless asked otherwise", async () => {
    const text = "a\nb\nc\nd\n";
    const { gitDir, from, to } = await between({ old: text }, { old: null, new: text });
    expect((await changedPaths(gitDir, from, to)).map(({ kind }) => kind)).toEqual(["added", "deleted"]);
    expect(await changedPaths(gitDir, from, to, { renames: true })).toMatchObject([
      { kind: "renamed", path: "new", from: "old", binary: false },
    ]);
  });

  test.each(["a b", "-rf", "é/ü.txt", "line\nbreak", "tab\tin", 'quo"te', "back\\slash"])(
    "keeps the name %j, also of a binary file",
    async (path) => {
      const { gitDir, from, to } = await between({ x: "x" }, { [path]: Uint8Array.of(0) });
      expect(await changedPaths(gitDir, from, to)).toMatchObject([{ kind: "added", path, binary: true }]);
    },
  );

  test("is empty between equal trees", async () => {
    const { gitDir, from } = await between({ x: "x" }, { x: "y" });
    expect(await changedPaths(gitDir, from, from)).toEqual([]);
  });
});

describe("patchText", () => {
  test("shows lines and names binary files", async () => {
    const { gitDir, from, to } = await between({ x: "a\n" }, { x: "b\n", bin: Uint8Array.of(0) });
    const { text, cut } = await patchText(gitDir, from, to);
    expect(cut).toBe(false);
    expect(text).toMatch(/^-a\n\+b\n/m);
    expect(text).toContain("Binary files /dev/null and b/bin differ");
  });

  test("is cut at the limit, between characters", async () => {
    const { gitDir, from, to } = await between({ x: "a\n" }, { x: "é".repeat(50_000) });
    for (const limit of [1000, 1001]) {
      const { text, cut } = await patchText(gitDir, from, to, { limit });
      expect(cut).toBe(true);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      expect(text).not.toContain("\uFFFD");
    }
  });
});
