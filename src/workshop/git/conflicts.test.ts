// Conflict reports: each kind by a real merge, and hunks with their lines, whatever the files hold.
import { describe, expect, test } from "vitest";
import { asRebaseConflict } from "./conflicts.ts";
import type { ConflictReport, FileConflict } from "./conflicts.ts";
import { mergeTrees } from "./merge.ts";
import { tipOf } from "./refs.ts";
import { sampleGit, sampleHub } from "../../../test/git-samples.ts";
import type { SampleFiles } from "../../../test/git-samples.ts";

async function conflict(base: SampleFiles, ours: SampleFiles, theirs: SampleFiles): Promise<ConflictReport> {
  const { gitDir } = sampleHub({ "keep.txt": "k\n", ...base }, { ours, theirs });
  const merged = await mergeTrees(gitDir, await tipOf(gitDir, "ours"), await tipOf(gitDir, "theirs"));
  if (merged.kind === "conflict") return merged.report;
  throw new Error("no conflict");
}

const find = (report: ConflictReport, path: string): FileConflict | undefined =>
  report.files.find((file) => file.path === path);
const binary = (last: number) => Uint8Array.of(0, 1, 2, 3, last);
const long = "a\nb\nc\nd\ne\nf\ng\nh\n";

describe("the kind of conflict", () => {
  test.each<[string, string, SampleFiles, SampleFiles, SampleFiles]>([
    ["content", "f", { f: "1\n" }, { f: "2\n" }, { f: "3\n" }],
    ["add/add", "f", {}, { f: "2\n" }, { f: "3\n" }],
    ["modify/delete", "f", { f: "1\n" }, { f: null }, { f: "3\n" }],
    ["binary", "f", { f: binary(0) }, { f: binary(1) }, { f: binary(2) }],
    ["binary", "f", {}, { f: binary(1) }, { f: binary(2) }],
    ["rename/rename", "f", { f: long }, { f: null, g: long }, { f: null, h: long }],
    ["rename/delete", "g", { f: long }, { f: null, g: `${long}x\n` }, { f: null }],
    ["type", "f~ours", { f: "1\n" }, { f: { link: "2" } }, { f: { text: "3\n", executable: true } }],
    ["directory/file", "f~ours", { f: null }, { f: "file\n" }, { "f/g": "inside\n" }],
    [
      "content",
      'dir/ü "q".txt',
      { 'dir/ü "q".txt': "1\n" },
      { 'dir/ü "q".txt': "2\n" },
      { 'dir/ü "q".txt': "3\n" },
    ],
    ["content", "-rf", { "-rf": "1\n" }, { "-rf": "2\n" }, { "-rf": "3\n" }],
    ["content", "a\nb\tc", { "a\nb\tc": "1\n" }, { "a\nb\tc": "2\n" }, { "a\nb\tc": "3\n" }],
  ])("%s (%j)", async (kind, path, base, ours, theirs) => {
    const report = await conflict(base, ours, theirs);
    const kinds = report.files.map((file) => [file.path.replace(/~[0-9a-f]{40}$/, "~ours"), file.kind]);
    expect(kinds).toContainEqual([path, kind]);
  });

  test("a submodule that both sides moved", async () => {
    const { gitDir, work } = sampleHub({ "keep.txt": "k\n" });
    const tree = (id: string) => {
      sampleGit(work, "update-index", "--add", "--cacheinfo", `160000,${id.repeat(40)},sub`);
      return sampleGit(work, "write-tree");
    };
    const base = sampleGit(work, "commit-tree", tree("1"), "-m", "base");
    const ours = sampleGit(work, "commit-tree", tree("2"), "-p", base, "-m", "ours");
    const theirs = sampleGit(work, "commit-tree", tree("3"), "-p", base, "-m", "theirs");
    sampleGit(work, "push", "-q", gitDir, `${ours}:refs/heads/ours`, `${theirs}:refs/heads/theirs`);
    const merged = await mergeTrees(gitDir, ours, theirs);
    expect(merged).toMatchObject({
      kind: "conflict",
      report: { files: [{ path: "sub", kind: "submodule", hunks: [] }] },
    });
  });

  test("both sides are named by mode and id, the missing one is undefined", async () => {
    const report = await conflict({ f: "1\n" }, { f: null }, { f: "3\n" });
    expect(find(report, "f")).toMatchObject({
      base: { mode: "100644" },
      ours: undefined,
      theirs: { mode: "100644", id: expect.stringMatching(/^[0-9a-f]{40}$/) },
    });
  });
});

describe("hunks", () => {
  test("say which lines of each version conflict", async () => {
    const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
    const ours = base.replace("1\n", "1\nnew\nnew\n").replace("6\n", "six\n").replace("12\n", "twelve\n");
    const theirs = base.replace("3\n", "").replace("6\n", "VI\nvi\n").replace("12\n", "");
    const report = await conflict({ f: base }, { f: ours }, { f: theirs });
    expect(find(report, "f")?.hunks).toEqual([
      {
        base: { line: 6, count: 1, text: "6\n" },
        ours: { line: 8, count: 1, text: "six\n" },
        theirs: { line: 5, count: 2, text: "VI\nvi\n" },
      },
      {
        base: { line: 12, count: 1, text: "12\n" },
        ours: { line: 14, count: 1, text: "twelve\n" },
        theirs: { line: 12, count: 0, text: "" },
      },
    ]);
  });

  test("are not confused by markers in the files themselves", async () => {
    const markers = "<<<<<<< ours\nx\n||||||| base\ny\n=======\nz\n>>>>>>> theirs\n<<<<<<<<<<<<<<<<<<<< \n";
    const report = await conflict(
      { f: `${markers}\n\nend\n` },
      { f: `${markers}\n\n=======\n` },
      { f: `${markers}\n\n>>>>>>> theirs\n` },
    );
    expect(find(report, "f")?.hunks).toMatchObject([
      {
        ours: { line: 11, text: "=======\n" },
        theirs: { line: 11, text: ">>>>>>> theirs\n" },
        base: { text: "end\n" },
      },
    ]);
  });

  test("keep line ends and a last line without one", async () => {
    const report = await conflict({ f: "a\r\nb\r\n" }, { f: "a\r\nours" }, { f: "a\r\ntheirs\r\n" });
    expect(find(report, "f")?.hunks).toMatchObject([
      { ours: { line: 2, text: expect.stringMatching(/^ours/) }, theirs: { line: 2, text: "theirs\r\n" } },
    ]);
  });

  test("are left out where the lines cannot be marked", async () => {
    const wall = "<".repeat(5000);
    const report = await conflict({ f: "1\n" }, { f: `${wall}\n` }, { f: "3\n" });
    expect(find(report, "f")).toMatchObject({ kind: "content", hunks: [] });
  });
});

describe("asRebaseConflict", () => {
  test("calls the draft's change ours and the sibling's theirs", async () => {
    const report = await conflict({ f: "1\n" }, { f: "canon\n" }, { f: "draft\n" });
    expect(asRebaseConflict(report)).toEqual({
      conflictFile: "f",
      ourChange: "draft\n",
      theirChange: "canon\n",
    });
  });

  test("says in words what has no lines", async () => {
    const report = await conflict({ f: "1\n" }, { f: null }, { f: "draft\n" });
    expect(asRebaseConflict(report)).toMatchObject({ theirChange: "(modify/delete) not there" });
  });
});
