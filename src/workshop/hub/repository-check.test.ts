// The person's repository: each kind that Cupel works with, and each refusal with its next step.
import { chownSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openHub } from "./hub.ts";
import { inspectRepository } from "./repository-check.ts";
import { quoted } from "./repository-refusals.ts";
import { commitSample, sampleGit, sampleProject, writeSample } from "../../../test/git-samples.ts";
import { everythingOf } from "../../../test/repository-picture.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";

describe("works with", () => {
  test("a plain repository, and has nothing to say", async () => {
    const project = sampleProject();
    expect(await inspectRepository(project)).toMatchObject({
      top: project,
      gitDir: join(project, ".git"),
      branch: "main",
      commit: sampleGit(project, "rev-parse", "HEAD"),
      objectFormat: "sha1",
      shallow: false,
      linkedWorktree: false,
      inProgress: undefined,
      notes: [],
    });
  });

  test("a dirty tree: names the files that are not seen", async () => {
    const project = sampleProject({ "a.txt": "1", "staged.txt": "1", ".gitignore": "ignored.txt\n" });
    writeSample(project, { "a.txt": "2", "staged.txt": "2", "new -\n.txt": "3", "ignored.txt": "4" });
    sampleGit(project, "add", "staged.txt");
    const { uncommitted, notes } = await inspectRepository(project);
    expect(uncommitted.toSorted()).toEqual(["a.txt", "new -\n.txt", "staged.txt"]);
    expect(notes).toEqual([expect.stringMatching(/last commit and does not see 3 uncommitted files/)]);
  });

  test("submodules: counts and names them", async () => {
    const inner = sampleProject();
    const project = sampleProject();
    sampleGit(project, "submodule", "--quiet", "add", inner, "vendor/inner");
    commitSample(project, {});
    const { submodules, notes } = await inspectRepository(project);
    expect(submodules).toEqual(["vendor/inner"]);
    expect(notes).toEqual([expect.stringContaining('1 submodule ("vendor/inner")')]);
  });

  test("Git LFS: counts and names the files, and runs no filter", async () => {
    const project = sampleProject({ "a.txt": "1" });
    const ran = join(project, "..", "ran");
    commitSample(project, { ".gitattributes": "*.bin filter=lfs\n", "x.bin": "version https://git-lfs\n" });
    sampleGit(project, "config", "filter.lfs.clean", `touch ${ran}; cat`);
    sampleGit(project, "config", "filter.lfs.required", "true");
    writeSample(project, { "x.bin": "the real content\n" });
    const { lfs, notes } = await inspectRepository(project);
    expect(lfs).toEqual(["x.bin"]);
    expect(notes.join("\n")).toContain('1 file ("x.bin") kept by Git LFS');
    expect(readdirSync(join(project, ".."))).not.toContain("ran");
  });

  test("names that differ only in case, of folders too", async () => {
    const project = sampleProject({ "Readme.md": "1", "README.md": "2", "Src/a.ts": "3", "src/b.ts": "4" });
    const { caseCollisions } = await inspectRepository(project);
    expect(caseCollisions).toEqual([
      ["README.md", "Readme.md"],
      ["Src", "src"],
    ]);
  });

  test("a shallow clone", async () => {
    const origin = sampleProject();
    commitSample(origin, { "b.txt": "b" });
    const project = join(origin, "..", "shallow");
    sampleGit(origin, "clone", "-q", "--depth=1", `file://${origin}`, project);
    expect(await inspectRepository(project)).toMatchObject({
      shallow: true,
      notes: [expect.stringMatching(/shallow/)],
    });
  });

  test("a linked work tree", async () => {
    const main = sampleProject();
    const linked = join(main, "..", "linked");
    sampleGit(main, "worktree", "add", "-q", "-b", "side", linked);
    expect(await inspectRepository(linked)).toMatchObject({
      top: linked,
      branch: "side",
      linkedWorktree: true,
    });
  });

  test("a repository with ids of 64 digits", async () => {
    const project = sampleProject({ a: "1" }, { format: "sha256" });
    expect(await inspectRepository(project)).toMatchObject({ objectFormat: "sha256" });
  });

  test("a merge in progress, which it names", async () => {
    const project = sampleProject({ f: "1\n" });
    sampleGit(project, "checkout", "-qb", "other");
    commitSample(project, { f: "2\n" });
    sampleGit(project, "checkout", "-q", "main");
    commitSample(project, { f: "3\n" });
    expect(() => sampleGit(project, "merge", "other")).toThrow(/CONFLICT/);
    expect(await inspectRepository(project)).toMatchObject({ inProgress: "merge", uncommitted: ["f"] });
  });

  test.each(["with space", "ünï", "line\nbreak", "-dash", "quo'te"])("a folder called %j", async (name) => {
    const project = sampleProject({ "-rf": "1", "a\nb": "2", "é ü": "3" }, { name });
    writeSample(project, { "a\nb": "changed" });
    expect(await inspectRepository(project)).toMatchObject({ top: project, uncommitted: ["a\nb"] });
  });

  test("a branch with slashes and letters of any alphabet", async () => {
    const project = sampleProject();
    sampleGit(project, "checkout", "-qb", "feature/größe");
    expect(await inspectRepository(project)).toMatchObject({ branch: "feature/größe" });
  });

  test("a repository where nobody set a name", async () => {
    // The harness commits in its own name; the samples set none in the repository either.
    const project = sampleProject();
    expect(() => sampleGit(project, "config", "user.name")).toThrow(/user.name/);
    expect((await openHub(project)).branch).toBe("main");
  });

  test("and changes nothing by looking", async () => {
    const project = sampleProject();
    // The same content at another time, which git would note in its index if it were let.
    utimesSync(join(project, "a.txt"), 1, 1);
    writeSample(project, { "new.txt": "2" });
    const before = everythingOf(project);
    await inspectRepository(project);
    expect(everythingOf(project)).toEqual(before);
  });
});

describe("refuses", () => {
  test("a folder that is in no repository", async () => {
    expect(await refusalOf(temporaryDirectory())).toMatchObject({
      message: expect.stringMatching(/not in a git/),
      hint: expect.stringMatching(/git init/),
    });
  });

  test("a bare repository, and the inside of .git", async () => {
    const directory = temporaryDirectory();
    sampleGit(directory, "init", "-q", "--bare", ".");
    expect(await refusalOf(directory)).toMatchObject({
      message: expect.stringMatching(/bare/),
      hint: expect.stringMatching(/git clone/),
    });
    expect(await refusalOf(join(sampleProject(), ".git"))).toMatchObject({
      hint: expect.stringMatching(/git clone/),
    });
  });

  test("a repository without a commit", async () => {
    const directory = temporaryDirectory();
    sampleGit(directory, "init", "-q", ".");
    expect(await refusalOf(directory)).toMatchObject({
      message: expect.stringMatching(/no commit yet/),
      hint: expect.stringMatching(/git commit/),
    });
  });

  test("a folder inside a larger repository", async () => {
    const project = sampleProject({ "sub/a.txt": "1" });
    expect(await refusalOf(join(project, "sub"))).toMatchObject({
      hint: expect.stringContaining(`cd ${project}`),
    });
  });

  test("a checkout without a branch, and names the branch to check out", async () => {
    const project = sampleProject();
    sampleGit(project, "checkout", "-q", "--detach");
    expect(await refusalOf(project)).toMatchObject({
      message: expect.stringMatching(/detached/),
      hint: "git switch main",
    });
    commitSample(project, { "a.txt": "2" });
    expect(await refusalOf(project)).toMatchObject({ hint: "git switch -c work" });
  });

  test("a partial clone, until it is whole", async () => {
    const origin = sampleProject();
    commitSample(origin, { "a.txt": "two\n" });
    sampleGit(origin, "config", "uploadpack.allowFilter", "true");
    const project = join(origin, "..", "partial");
    sampleGit(origin, "clone", "-q", "--filter=blob:none", `file://${origin}`, project);
    expect(await refusalOf(project)).toMatchObject({ hint: "git fetch --refetch --no-filter" });
    sampleGit(project, "fetch", "-q", "--refetch", "--no-filter");
    expect((await openHub(project)).branch).toBe("main");
  });

  test("a rebase in progress", async () => {
    const project = sampleProject({ f: "1\n" });
    sampleGit(project, "checkout", "-qb", "other");
    commitSample(project, { f: "2\n" });
    sampleGit(project, "checkout", "-q", "main");
    commitSample(project, { f: "3\n" });
    expect(() => sampleGit(project, "rebase", "-q", "other")).toThrow(/CONFLICT/);
    expect(await refusalOf(project)).toMatchObject({
      message: expect.stringMatching(/rebase/),
      hint: expect.stringMatching(/git rebase --continue/),
    });
  });

  test("a repository that has its own .cupel, in any spelling", async () => {
    for (const path of [".cupel/x", ".Cupel/x", ".cupel"]) {
      expect(await refusalOf(sampleProject({ [path]: "1" }))).toMatchObject({
        hint: expect.stringMatching(/git rm -r --cached/),
      });
    }
  });

  test("a repository that git cannot read", async () => {
    const project = sampleProject();
    writeFileSync(join(project, ".git", "config"), "[core\nbroken");
    expect(await refusalOf(project)).toMatchObject({ message: expect.stringMatching(/git cannot read/) });
  });
});

describe.skipIf(process.getuid?.() !== 0)("a repository of another user (needs root)", () => {
  test("is refused with git's own next step", async () => {
    const project = foreignProject();
    await expect(withGlobalConfig("", () => inspectRepository(project))).rejects.toMatchObject({
      code: "not_a_repository",
      message: expect.stringContaining("another user"),
      hint: `git config --global --add safe.directory ${project}`,
    });
  });

  test("works once the person trusts it, the hub included", async () => {
    const project = foreignProject();
    const hub = await withGlobalConfig(`[safe]\n\tdirectory = ${project}\n`, () => openHub(project));
    expect(hub.branch).toBe("main");
  });
});

test.each([
  ["plain/path", "plain/path"],
  ["with space", "'with space'"],
  ["-dash", "'-dash'"],
  ["quo'te", String.raw`'quo'\''te'`],
  ["", "''"],
])("%j is typed as %s", (path, typed) => {
  expect(quoted(path)).toBe(typed);
});

async function withGlobalConfig<T>(content: string, action: () => Promise<T>): Promise<T> {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  const before = process.env["GIT_CONFIG_GLOBAL"];
  process.env["GIT_CONFIG_GLOBAL"] = join(directory, "gitconfig");
  writeFileSync(join(directory, "gitconfig"), content);
  try {
    return await action();
  } finally {
    if (before === undefined) delete process.env["GIT_CONFIG_GLOBAL"];
    else process.env["GIT_CONFIG_GLOBAL"] = before;
  }
}

async function refusalOf(project: string) {
  const error: unknown = await inspectRepository(project).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "not_a_repository" });
  return error;
}

function foreignProject(): string {
  const project = sampleProject();
  const give = (path: string) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
    chownSync(path, 12345, 12345);
  };
  give(project);
  return project;
}
