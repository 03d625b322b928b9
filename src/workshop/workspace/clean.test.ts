// Nothing an agent wrote is lost: what goes is kept in the hub first, what cannot be kept does not go.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { sampleWorkshop, sampleWorkspace, show } from "../../../test/workshop-samples.ts";
import type { SampleWorkshop } from "../../../test/workshop-samples.ts";
import { git } from "../git/git.ts";
import { clean, listWorkspaces } from "./clean.ts";
import type { Workspace } from "./create.ts";
import { placesOf, workspacesDirectory } from "./places.ts";
import { readRecord, writeRecord } from "./record-file.ts";
import { removeWorkspace } from "./remove.ts";
import { takeBack } from "./take-back.ts";

async function sample() {
  const workshop = await sampleWorkshop(temporaryDirectory());
  const workspace = await sampleWorkspace(workshop);
  const { tree } = workspace.places;
  const write = (path: string, text: string) => writeFileSync(join(tree, path), text);
  return { workshop, workspace, tree, write };
}

/** As if the process that made it had been killed. */
function abandon({ places }: Workspace): void {
  const record = readRecord(places.record);
  writeRecord(places.record, { ...record, holder: { ...record.holder, startedAt: "another life" } });
}

/** As if another process that lives had it: the one that started this test. */
function hold({ project }: SampleWorkshop, id: string): void {
  const { record: path } = placesOf(project, id);
  const record = readRecord(path);
  const boot = record.holder.startedAt.split(" ")[0] ?? "";
  const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  writeRecord(path, {
    ...record,
    holder: { ...record.holder, pid: process.ppid, startedAt: `${boot} ${ticks}` },
  });
}

function workspacesLeft({ project }: SampleWorkshop): string[] {
  return readdirSync(workspacesDirectory(project)).filter((name) => name !== ".lock");
}

function agentGit(tree: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", args, { cwd: tree, encoding: "utf8", env }).trim();
}

async function refs({ hub }: SampleWorkshop): Promise<string[]> {
  const listed = await git(["for-each-ref", "--format=%(refname)", "refs/salvage"], { gitDir: hub });
  return listed.split("\n").filter((line) => line !== "");
}

describe("removing a workspace", () => {
  test("without changes leaves nothing behind", async () => {
    const { workshop, workspace } = await sample();
    expect(await removeWorkspace(workshop, workspace)).toEqual({
      refs: [],
      files: 0,
      commits: 0,
      unreachable: 0,
    });
    expect(readdirSync(workspacesDirectory(workshop.project))).toEqual([]);
    expect(await refs(workshop)).toEqual([]);
  });

  test("keeps every file that was not taken back, granted or not", async () => {
    const { workshop, workspace, tree, write } = await sample();
    write("src/push.ts", "taken\n");
    await takeBack(workshop, workspace, { branch: "impl-1", message: "impl: x\n" });
    write("src/pop.ts", "after\n");
    write("README.md", "stray\n");
    symlinkSync("/etc/passwd", join(tree, "src/link"));
    mkdirSync(join(tree, "src/nested/.git"), { recursive: true });
    write("src/nested/.git/config", "nested\n");
    write("src/nested/salvaged-.git", "in the way\n");
    const {
      refs: [ref = ""],
      files,
    } = await removeWorkspace(workshop, workspace);
    const mark = /-([0-9a-f]{12})-files$/.exec(ref)?.[1] ?? "";
    expect(files).toBe(5);
    expect(await show(workshop.hub, `${ref}:src/nested/salvaged-.git`)).toBe("in the way\n");
    expect(await show(workshop.hub, `${ref}:src/push.ts`)).toBe("taken\n");
    expect(await show(workshop.hub, `${ref}:src/pop.ts`)).toBe("after\n");
    expect(await show(workshop.hub, `${ref}:README.md`)).toBe("stray\n");
    expect(await show(workshop.hub, `${ref}:src/nested/salvaged-${mark}-git/config`)).toBe("nested\n");
    expect(await show(workshop.hub, `${ref}:src/link`)).toBe("/etc/passwd");
    expect(await show(workshop.hub, `${ref}:test/push.test.ts`)).toContain("secret");
  });

  test("after everything was taken back keeps nothing twice", async () => {
    const { workshop, workspace, write } = await sample();
    write("src/push.ts", "taken\n");
    await takeBack(workshop, workspace, { branch: "impl-1", message: "impl: x\n" });
    expect(await removeWorkspace(workshop, workspace)).toEqual({
      refs: [],
      files: 0,
      commits: 0,
      unreachable: 0,
    });
  });

  test("keeps every commit of the agent, also those it threw away", async () => {
    const { workshop, workspace, tree, write } = await sample();
    const made: string[] = [];
    for (const text of ["one", "two", "three"]) {
      write("src/push.ts", text);
      agentGit(tree, "commit", "-qam", text);
      made.push(agentGit(tree, "rev-parse", "HEAD"));
    }
    agentGit(tree, "reset", "-q", "--hard", "HEAD~2");
    agentGit(tree, "checkout", "-q", "-b", "side");
    write("src/pop.ts", "side");
    agentGit(tree, "commit", "-qam", "side");
    made.push(agentGit(tree, "rev-parse", "HEAD"));
    agentGit(tree, "repack", "-adkq");
    const { commits, refs: kept } = await removeWorkspace(workshop, workspace);
    expect(commits).toBe(4);
    const ref = kept.find((name) => name.endsWith("-commits")) ?? "";
    const inHub = (await git(["rev-list", ref], { gitDir: workshop.hub })).trim().split("\n");
    expect(inHub).toEqual(expect.arrayContaining(made));
    expect(await show(workshop.hub, `${made[2] ?? ""}:src/push.ts`)).toBe("three");
  });

  test("reads closed files and folders all the same", async () => {
    const { workshop, workspace, tree, write } = await sample();
    mkdirSync(join(tree, "src/closed"));
    write("src/closed/file.ts", "hidden\n");
    chmodSync(join(tree, "src/closed/file.ts"), 0);
    chmodSync(join(tree, "src/closed"), 0);
    const {
      refs: [ref = ""],
    } = await removeWorkspace(workshop, workspace);
    expect(await show(workshop.hub, `${ref}:src/closed/file.ts`)).toBe("hidden\n");
    expect(existsSync(workspace.places.directory)).toBe(false);
  });

  test("never follows the agent's repository elsewhere", async () => {
    const { workshop, workspace, tree } = await sample();
    const other = await sampleWorkspace(workshop, {
      id: "tests-abc123",
      grants: [{ path: "test/", access: "write" }],
    });
    writeFileSync(join(other.places.tree, "test/push.test.ts"), "changed");
    agentGit(other.places.tree, "commit", "-qam", "of another");
    rmSync(join(tree, ".git/objects"), { recursive: true });
    symlinkSync(join(other.places.tree, ".git/objects"), join(tree, ".git/objects"));
    expect(await removeWorkspace(workshop, workspace)).toEqual({
      refs: [],
      files: 0,
      commits: 0,
      unreachable: 0,
    });
  });

  test("that git cannot read as a repository keeps it as files", async () => {
    const { workshop, workspace, tree, write } = await sample();
    write("src/push.ts", "work");
    agentGit(tree, "commit", "-qam", "work");
    const id = agentGit(tree, "rev-parse", "HEAD");
    const object = `objects/${id.slice(0, 2)}/${id.slice(2)}`;
    chmodSync(join(tree, ".git", object), 0o600);
    writeFileSync(join(tree, ".git", object), "garbage");
    abandon(workspace);
    const { cleaned } = await clean(workshop);
    expect(cleaned).toMatchObject([{ outcome: { kind: "removed" } }]);
    const kept = (await refs(workshop)).find((ref) => ref.endsWith("-repository")) ?? "";
    expect(await show(workshop.hub, `${kept}:${object}`)).toBe("garbage");
    expect(await show(workshop.hub, `${kept}:refs/heads/main`)).toBe(`${id}\n`);
  });

  test("goes also where folders are closed, cannot be emptied, or are deeper than a path", async () => {
    const { workshop, workspace, tree, write } = await sample();
    mkdirSync(join(tree, "src/full"));
    write("src/full/file.ts", "kept\n");
    chmodSync(join(tree, "src/full"), 0o555);
    chmodSync(join(tree, ".git"), 0);
    execFileSync("perl", [
      "-e",
      "chdir shift; for (1..30) { mkdir 'd' x 200; chdir 'd' x 200 } open F, '>x'",
      tree,
    ]);
    const { refs: kept, unreachable } = await removeWorkspace(workshop, workspace);
    expect(unreachable).toBe(1);
    expect(await show(workshop.hub, `${kept[0] ?? ""}:src/full/file.ts`)).toBe("kept\n");
    expect(existsSync(workspace.places.directory)).toBe(false);
  });
});

describe("what else an agent can leave", () => {
  test("staged contents that no commit holds are kept", async () => {
    const { workshop, workspace, tree, write } = await sample();
    write("src/push.ts", "staged\n");
    agentGit(tree, "add", "-A");
    const id = agentGit(tree, "hash-object", "src/push.ts");
    write("src/push.ts", "export const push = 1;\n");
    const { refs: kept } = await removeWorkspace(workshop, workspace);
    expect(await show(workshop.hub, `${kept.at(-1) ?? ""}:${id}`)).toBe("staged\n");
  });

  test("a file in the place of its repository is kept", async () => {
    const { workshop, workspace, tree, write } = await sample();
    rmSync(join(tree, ".git"), { recursive: true });
    write(".git", "gitdir: /elsewhere\n");
    const {
      refs: [ref = ""],
    } = await removeWorkspace(workshop, workspace);
    const names = await git(["ls-tree", "--name-only", ref], { gitDir: workshop.hub });
    expect(names).toMatch(/^salvaged-[0-9a-f]{12}-git$/m);
  });

  test("commits in a pack with the name of the first pack are found", async () => {
    const { workshop, workspace, tree, write } = await sample();
    write("src/push.ts", "work");
    agentGit(tree, "commit", "-qam", "work");
    const id = agentGit(tree, "rev-parse", "HEAD");
    agentGit(tree, "repack", "-adq");
    const packs = join(tree, ".git/objects/pack");
    for (const name of readdirSync(packs))
      renameSync(join(packs, name), join(packs, name.replace(/pack-\w+/, workspace.record.root?.pack ?? "")));
    await removeWorkspace(workshop, workspace);
    expect(await show(workshop.hub, `${id}:src/push.ts`)).toBe("work");
  });

  test("a file that was taken back and is gone since is told by the salvage", async () => {
    const { workshop, workspace, tree, write } = await sample();
    write("src/extra.ts", "extra\n");
    await takeBack(workshop, workspace, { branch: "impl-1", message: "impl: x\n" });
    rmSync(join(tree, "src/extra.ts"));
    const {
      refs: [ref = ""],
      files,
    } = await removeWorkspace(workshop, workspace);
    expect(files).toBe(1);
    expect(await git(["ls-tree", "-r", "--name-only", ref], { gitDir: workshop.hub })).not.toContain("extra");
  });

  test("thousands of loose ends hang on one ref", async () => {
    const { workshop, workspace, tree } = await sample();
    const tips = 1500;
    const commits = Array.from({ length: tips }, (_, index) =>
      [`commit refs/heads/x${index}`, `committer a <a@b> ${index} +0000`, "data 0", "", ""].join("\n"),
    ).join("");
    execFileSync("git", ["fast-import", "--quiet"], { cwd: tree, input: commits });
    expect(await removeWorkspace(workshop, workspace)).toMatchObject({
      commits: tips,
      refs: [expect.any(String)],
    });
  });

  test("one after the other under the same name do not overwrite each other", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    for (const text of ["one", "two", "three"]) {
      const workspace = await sampleWorkspace(workshop);
      writeFileSync(join(workspace.places.tree, "src/push.ts"), text);
      await removeWorkspace(workshop, workspace);
    }
    const kept = await refs(workshop);
    const texts = await Promise.all(kept.map((ref) => show(workshop.hub, `${ref}:src/push.ts`)));
    expect(texts.toSorted()).toEqual(["one", "three", "two"]);
  });

  test("the canary does not reach the hub with what an agent committed", async () => {
    const { workshop, workspace, tree, write } = await sample();
    write("src/push.ts", "work");
    agentGit(tree, "add", "-A");
    agentGit(tree, "commit", "-qm", "work");
    await removeWorkspace(workshop, workspace);
    const all = await git(["grep", "-c", "", ...(await refs(workshop))], { gitDir: workshop.hub });
    expect(all).not.toContain(".cupel-canary");
  });
});

describe("clean", () => {
  test("lists what there is, and removes only what nobody holds", async () => {
    const { workshop, workspace, write } = await sample();
    await sampleWorkspace(workshop, { id: "in-use" });
    hold(workshop, "in-use");
    write("src/push.ts", "unsaved\n");
    abandon(workspace);
    expect(await listWorkspaces(workshop)).toMatchObject([
      { id: "impl-abc123", state: "stale", role: "impl", runId: "run-1", unsavedFiles: 1 },
      { id: "in-use", state: "in-use" },
    ]);
    const { cleaned } = await clean(workshop);
    expect(cleaned).toMatchObject([
      { id: "impl-abc123", outcome: { kind: "removed", salvaged: { files: 1 } } },
      { id: "in-use", outcome: { kind: "in-use" } },
    ]);
    expect(workspacesLeft(workshop)).toEqual(["in-use"]);
  });

  test("spares what another container may hold, unless a person says otherwise", async () => {
    const { workshop, workspace } = await sample();
    const record = readRecord(workspace.places.record);
    writeRecord(workspace.places.record, { ...record, holder: { ...record.holder, namespace: "pid:[1]" } });
    expect(await listWorkspaces(workshop)).toMatchObject([{ state: "in-use-elsewhere" }]);
    expect((await clean(workshop)).cleaned).toMatchObject([{ outcome: { kind: "in-use", elsewhere: true } }]);
    expect((await clean(workshop, { foreign: true })).cleaned).toMatchObject([
      { outcome: { kind: "removed" } },
    ]);
  });

  test("goes on past what it cannot read, and says why it stays", async () => {
    const { workshop, workspace } = await sample();
    const second = await sampleWorkspace(workshop, { id: "no-baseline" });
    const third = await sampleWorkspace(workshop, { id: "sound" });
    writeFileSync(workspace.places.record, "{");
    rmSync(second.places.baseline);
    writeFileSync(join(workspacesDirectory(workshop.project), ".DS_Store"), "");
    abandon(second);
    abandon(third);
    expect(await listWorkspaces(workshop)).toMatchObject([
      { id: "impl-abc123", state: "damaged" },
      { id: "no-baseline", state: "damaged" },
      { id: "sound", state: "stale" },
    ]);
    expect((await clean(workshop)).cleaned).toMatchObject([
      { id: "impl-abc123", outcome: { kind: "kept" } },
      { id: "no-baseline", outcome: { kind: "kept" } },
      { id: "sound", outcome: { kind: "removed" } },
    ]);
    expect(existsSync(workspace.places.tree)).toBe(true);
    expect(existsSync(second.places.tree)).toBe(true);
  });

  test("keeps a workspace whose work the hub cannot take", async () => {
    const { workshop, workspace, write } = await sample();
    write("src/push.ts", "unsaved\n");
    abandon(workspace);
    rmSync(join(workshop.hub, "objects"), { recursive: true });
    expect((await clean(workshop)).cleaned).toMatchObject([{ outcome: { kind: "kept" } }]);
    expect(existsSync(workspace.places.tree)).toBe(true);
  });

  test("a mere look leaves closed folders closed", async () => {
    const { workshop, workspace, tree } = await sample();
    mkdirSync(join(tree, "src/closed"));
    chmodSync(join(tree, "src/closed"), 0);
    abandon(workspace);
    await listWorkspaces(workshop);
    expect(statSync(join(tree, "src/closed")).mode & 0o777).toBe(0);
  });

  test("removes what a crash left half made", async () => {
    const { workshop } = await sample();
    const rubbish = join(workspacesDirectory(workshop.project), ".new-x");
    mkdirSync(rubbish);
    writeFileSync(join(rubbish, "file"), "x".repeat(10_000));
    expect((await clean(workshop)).rubbishBytes).toBe(0);
    utimesSync(rubbish, 0, 0);
    const { rubbishBytes } = await clean(workshop);
    expect(rubbishBytes).toBeGreaterThanOrEqual(10_000);
    expect(existsSync(rubbish)).toBe(false);
  });

  test("of a project without workspaces finds nothing", async () => {
    const workshop = await sampleWorkshop(temporaryDirectory());
    expect(await clean(workshop)).toEqual({ cleaned: [], rubbishBytes: 0 });
  });
});
