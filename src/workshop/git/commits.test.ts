// Histories of which only a part is there.
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitSample, sampleGit, sampleProject } from "../../../test/git-samples.ts";
import { readCommit } from "./commits.ts";

test("where a shallow history ends is not remembered", async () => {
  const work = sampleProject();
  const first = sampleGit(work, "rev-parse", "HEAD");
  const second = commitSample(work, { "a.txt": "two\n" });
  const gitDir = join(work, "../shallow.git");
  sampleGit(work, "clone", "--quiet", "--bare", "--depth=1", `file://${work}`, gitDir);
  expect((await readCommit(gitDir, second)).parents).toEqual([]);
  sampleGit(gitDir, "fetch", "--quiet", "--unshallow");
  expect((await readCommit(gitDir, second)).parents).toEqual([first]);
});
