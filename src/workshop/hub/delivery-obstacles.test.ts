// Attacks by delivery: no hook, monitor, filter or setting of anybody runs a program on the way.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deliver } from "./deliver.ts";
import { addResult, COMMAND, withResult } from "../../../test/delivery-samples.ts";
import { commitSample, sampleGit, writeSample } from "../../../test/git-samples.ts";
import type { SampleFiles } from "../../../test/git-samples.ts";
import { everythingOf } from "../../../test/repository-picture.ts";

describe("no program runs", () => {
  const HOOKS = [
    "post-merge",
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "pre-merge-commit",
  ];

  test("of .git/hooks", async () => {
    const { project, hub } = await withResult({ "a.txt": "two\n" });
    mkdirSync(join(project, ".git", "hooks"), { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(join(project, ".git", "hooks", hook), `#!/bin/sh\ntouch '${project}/../ran'\n`);
      chmodSync(join(project, ".git", "hooks", hook), 0o755);
    }
    expect((await deliver(hub, "main")).kind).toBe("delivered");
    expect(ran(project)).toBe(false);
    // The trap works: the person's own git does run them.
    sampleGit(project, "checkout", "-q", "-b", "proof");
    expect(ran(project)).toBe(true);
  });

  test.each([".husky", "./.husky/", "tools/hooks"])(
    "of a tracked hooks folder %s, delivered or already there",
    async (folder) => {
      const plain = folder.replace(/^\.\/|\/$/g, "").replace(/\/$/, "");
      const evil = Object.fromEntries(
        HOOKS.map((hook): [string, SampleFiles[string]] => [
          `${plain}/${hook}`,
          { text: '#!/bin/sh\ntouch "$(git rev-parse --show-toplevel)/../ran"\n', executable: true },
        ]),
      );
      const { project, hub } = await withResult({ ...evil, "a.txt": "two\n" }, (dir) => {
        sampleGit(dir, "config", "core.hooksPath", folder);
      });
      const before = everythingOf(project);
      expect(await deliver(hub, "main")).toMatchObject({
        kind: "left",
        reason: "runs-later",
        files: HOOKS.map((hook) => `${plain}/${hook}`).toSorted(),
      });
      expect(everythingOf(project)).toEqual(before);
      // The person looked, and took it; from now on it is there, and still it does not run.
      sampleGit(project, "-c", "core.hooksPath=/dev/null", "fetch", "-q", ".cupel/hub.git", "main");
      sampleGit(project, "-c", "core.hooksPath=/dev/null", "merge", "-q", "--ff-only", "FETCH_HEAD");
      await addResult(hub, { "a.txt": "three\n" });
      expect((await deliver(hub, "main")).kind).toBe("delivered");
      expect(ran(project)).toBe(false);
    },
  );

  test("that watches the files", async () => {
    const { project, hub } = await withResult({ "a.txt": "two\n" });
    sampleGit(project, "config", "core.fsmonitor", trap(project, "watch.sh"));
    expect((await deliver(hub, "main")).kind).toBe("delivered");
    expect(ran(project)).toBe(false);
  });

  test("that filters content: what needs one is left to the person", async () => {
    const { project, hub } = await withResult({ ".gitattributes": "*.txt filter=mine\n", "a.txt": "two\n" });
    for (const key of ["smudge", "clean", "process"]) {
      sampleGit(project, "config", `filter.mine.${key}`, trap(project, "filter.sh"));
    }
    sampleGit(project, "config", "filter.mine.required", "true");
    const before = everythingOf(project);
    expect(await deliver(hub, "main")).toMatchObject({
      kind: "left",
      reason: "filters",
      files: ["a.txt"],
      command: COMMAND,
    });
    expect(everythingOf(project)).toEqual(before);
    expect(ran(project)).toBe(false);
  });

  test("that filters other files, even to see whether they changed", async () => {
    const { project, hub } = await withResult({ "b.md": "b\n" }, (dir) => {
      commitSample(dir, { ".gitattributes": "*.txt filter=mine\n" });
      sampleGit(dir, "config", "filter.mine.clean", trap(dir, "filter.sh"));
      sampleGit(dir, "config", "filter.mine.required", "true");
    });
    // The same content at another time: git must look into it.
    writeSample(project, { "a.txt": "one\n" });
    expect((await deliver(hub, "main")).kind).toBe("delivered");
    expect(ran(project)).toBe(false);
  });

  test("that a tracked file with settings names", async () => {
    const { hub } = await withResult({ "team.gitconfig": "[core]\n\tfsmonitor = evil\n" }, (dir) => {
      commitSample(dir, { "team.gitconfig": "[core]\n\tabbrev = 12\n" });
      sampleGit(dir, "config", "include.path", "../team.gitconfig");
    });
    expect(await deliver(hub, "main")).toMatchObject({
      kind: "left",
      reason: "runs-later",
      files: ["team.gitconfig"],
    });
  });

  test("of a submodule that was delivered", async () => {
    const { project, hub } = await withResult({
      ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ./x\n\tupdate = !touch ../ran\n',
    });
    sampleGit(project, "config", "submodule.recurse", "true");
    expect((await deliver(hub, "main")).kind).toBe("delivered");
    expect(ran(project)).toBe(false);
  });
});

describe("a dangerous delivery is shown and not carried out", () => {
  const odd = ["it's; touch ran", "*", ":(top)x", "-rf", "[a]", "$(touch ran)", "a b"];

  test("by a command that a shell takes as it is meant, whatever the names", async () => {
    const files = Object.fromEntries(odd.map((name) => [`hooks/${name}`, `of ${name}\n`]));
    const { project, hub } = await withResult({ ...files, ":b": "1\n", "a.txt": "not shown\n" }, (dir) => {
      sampleGit(dir, "config", "core.hooksPath", "hooks");
      writeSample(dir, { "keep.txt": "k\n" });
    });
    const outcome = await deliver(hub, "main");
    expect(outcome).toMatchObject({ kind: "left", reason: "runs-later" });
    const command = "command" in outcome ? outcome.command : "";
    expect(command).not.toContain("merge");
    const before = sampleGit(project, "status", "--porcelain");
    const shown = execFileSync("sh", ["-c", command], { cwd: project, encoding: "utf8", stdio: "pipe" });
    expect(shown.match(/^\+of .*$/gm)?.toSorted()).toEqual(odd.map((name) => `+of ${name}`).toSorted());
    expect(shown).not.toContain("not shown");
    expect(sampleGit(project, "status", "--porcelain")).toBe(before);
  });

  test.each([
    ["a name with codes for the terminal", ["\u001B]0;x\u0007"]],
    ["a name over two lines", ["a\nb"]],
    ["more names than one can read", Array.from({ length: 60 }, (_, index) => `h${index}`)],
  ])("%s is not repeated in it; then everything is shown", async (_, names) => {
    const files = Object.fromEntries(names.map((name) => [`.cupel/${name}`, "x\n"]));
    const { hub } = await withResult(files);
    expect(await deliver(hub, "main")).toMatchObject({
      kind: "left",
      reason: "factory-files",
      command: "git fetch .cupel/hub.git main && git diff HEAD FETCH_HEAD",
    });
  });
});

/** A program that leaves a trace. */
function trap(project: string, name: string): string {
  const script = join(project, "..", name);
  writeFileSync(script, `#!/bin/sh\necho "$0" >> '${project}/../ran'\ncat\n`);
  chmodSync(script, 0o755);
  return script;
}
function ran(project: string): boolean {
  return existsSync(join(project, "..", "ran"));
}
