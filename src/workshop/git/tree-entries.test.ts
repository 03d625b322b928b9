// Trees that git would not have made: git alone says what is in them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleGit, sampleHub } from "../../../test/git-samples.ts";
import { listTree } from "./objects.ts";
import { fewEntries } from "./tree-entries.ts";

function ground() {
  const { gitDir, main } = sampleHub({ "a.txt": "a\n", "b/c.txt": "c\n" });
  return {
    gitDir,
    blob: bytesOf(sampleGit(gitDir, "rev-parse", `${main}:a.txt`)),
    folder: bytesOf(sampleGit(gitDir, "rev-parse", `${main}:b`)),
    /** The id of a tree of these bytes, whatever they are. */
    treeOf: (...parts: (string | Buffer)[]): string => {
      const file = join(gitDir, "bytes");
      writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part))));
      return sampleGit(gitDir, "hash-object", "-t", "tree", "-w", "--literally", file);
    },
  };
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id, "hex");
}

test("modes that git reads as others are listed as git reads them", async () => {
  const { gitDir, blob, folder, treeOf } = ground();
  const odd = ["100664 a\0", "0100644 a\0", "0120000 a\0"].map((entry) => treeOf(entry, blob));
  odd.push(treeOf("040000 b\0", folder));
  for (const tree of [...odd, ...odd.map((inner) => treeOf("40000 d\0", bytesOf(inner)))]) {
    const listed = await listTree(gitDir, tree);
    const lines = listed.map(({ mode, id, path }) => `${mode} blob ${id}\t${path}`);
    expect(lines).toEqual([sampleGit(gitDir, "ls-tree", "-r", tree)]);
  }
});

test("a tree that is damaged is refused by git", async () => {
  const { gitDir, blob, treeOf } = ground();
  const damaged = [
    treeOf("100644\0", blob),
    treeOf("100644 and the name does not end"),
    treeOf("100644 \0", blob),
    treeOf(" a\0", blob),
    treeOf("100644 a\0", blob.subarray(1)),
    treeOf("100644 a\0", blob, "1"),
  ];
  for (const tree of damaged) {
    expect(await fewEntries(gitDir, tree)).toBeUndefined();
    await expect(listTree(gitDir, tree)).rejects.toThrow("git ls-tree");
  }
});
