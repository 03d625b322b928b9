// What goes from a workspace into the hub, what stays, and what is refused.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { sampleWorkshop, sampleWorkspace, show } from "../../../test/workshop-samples.ts";
import { CANARY_FILE } from "../blindness/canary.ts";
import { git } from "../git/git.ts";
import { readRecord, writeRecord } from "./record-file.ts";
import { takeBack } from "./take-back.ts";

const branch = "impl-abc123";
const request = { branch, message: "impl: implement push\n" };

async function sample() {
  const workshop = await sampleWorkshop(temporaryDirectory());
  const workspace = await sampleWorkspace(workshop);
  const { tree } = workspace.places;
  return {
    workshop,
    workspace,
    tree,
    write: (path: string, text: string) => writeFileSync(join(tree, path), text),
    take: () => takeBack(workshop, workspace, request),
    files: async (ref = branch) =>
      (await git(["ls-tree", "-r", "--name-only", ref], { gitDir: workshop.hub })).trim().split("\n"),
  };
}

describe("taking back", () => {
  test("commits added, changed, executable and deleted files onto the base, which keeps what the agent never saw", async () => {
    const { workshop, tree, write, take, files } = await sample();
    write("src/push.ts", "changed\n");
    write("src/new file ü.ts", "new\n");
    chmodSync(join(tree, "src/new file ü.ts"), 0o755);
    rmSync(join(tree, "src/pop.ts"));
    const taken = await take();
    expect(taken).toMatchObject({
      kind: "taken",
      left: [],
      paths: ["src/new file ü.ts", "src/pop.ts", "src/push.ts"],
    });
    expect(await files()).toEqual(["README.md", "src/new file ü.ts", "src/push.ts", "test/push.test.ts"]);
    expect(await show(workshop.hub, `${branch}:src/push.ts`)).toBe("changed\n");
    expect(await git(["log", "--format=%s %an %P", branch, "-1"], { gitDir: workshop.hub })).toBe(
      `impl: implement push Cupel ${workshop.base}\n`,
    );
    expect(await git(["ls-tree", branch, "--", "src/new file ü.ts"], { gitDir: workshop.hub })).toMatch(
      /^100755/,
    );
  });

  test("of nothing makes no commit", async () => {
    const { take, workshop } = await sample();
    expect(await take()).toEqual({ kind: "nothing", left: [] });
    expect(await git(["branch", "--list", branch], { gitDir: workshop.hub })).toBe("");
  });

  test("leaves what was not granted for writing, and tells", async () => {
    const { tree, write, take, files } = await sample();
    write("src/push.ts", "mine\n");
    write("README.md", "not mine\n");
    write("stray.md", "where did that come from\n");
    rmSync(join(tree, CANARY_FILE));
    mkdirSync(join(tree, "test"));
    write("test/push.test.ts", "guessed its place\n");
    expect(await take()).toMatchObject({
      kind: "taken",
      paths: ["src/push.ts"],
      left: [
        { path: CANARY_FILE, why: "the canary of the workspace was touched" },
        { path: "README.md", why: "granted for reading only" },
        { path: "stray.md", why: "not among the paths that were granted" },
        { path: "test/push.test.ts", why: "not among the paths that were granted" },
      ],
    });
    expect(await files()).not.toContain("stray.md");
  });

  test("goes on from its own last commit, also back to what the base had", async () => {
    const { workshop, tree, write, take, files } = await sample();
    write("src/push.ts", "changed\n");
    write("src/extra.ts", "extra\n");
    await take();
    write("src/push.ts", "export const push = 1;\n");
    rmSync(join(tree, "src/extra.ts"));
    write("src/pop.ts", "changed too\n");
    expect(await take()).toMatchObject({
      kind: "taken",
      paths: ["src/pop.ts", "src/extra.ts", "src/push.ts"],
    });
    expect(await files()).toEqual(["README.md", "src/pop.ts", "src/push.ts", "test/push.test.ts"]);
    expect(await show(workshop.hub, `${branch}:src/push.ts`)).toBe("export const push = 1;\n");
    expect(await take()).toEqual({ kind: "nothing", left: [] });
    expect((await git(["rev-list", "--count", branch], { gitDir: workshop.hub })).trim()).toBe("3");
  });

  test("sees a change that kept size and times", async () => {
    const { tree, take } = await sample();
    const path = join(tree, "src/push.ts");
    execFileSync("sh", [
      "-c",
      'touch -r "$1" "$1.ref"; printf "export const push = 9;\\n" > "$1"; touch -r "$1.ref" "$1"; rm "$1.ref"',
      "sh",
      path,
    ]);
    expect(await take()).toMatchObject({ kind: "taken", paths: ["src/push.ts"] });
  });

  test("keeps a rename that only changes case", async () => {
    const { tree, take, files } = await sample();
    renameSync(join(tree, "src/push.ts"), join(tree, "src/Push.ts"));
    await take();
    expect(await files()).toEqual(["README.md", "src/Push.ts", "src/pop.ts", "test/push.test.ts"]);
  });

  test("of a file that became a folder, and the other way round", async () => {
    const { tree, write, take, files } = await sample();
    rmSync(join(tree, "src/push.ts"));
    mkdirSync(join(tree, "src/push.ts"));
    write("src/push.ts/index.ts", "x");
    await take();
    expect(await files()).toContain("src/push.ts/index.ts");
    rmSync(join(tree, "src/push.ts"), { recursive: true });
    write("src/push.ts", "a file again");
    expect(await take()).toMatchObject({ kind: "taken" });
    expect(await files()).toContain("src/push.ts");
  });

  test("is told when the branch went elsewhere, and changes nothing", async () => {
    const { workshop, write, take } = await sample();
    const other = (
      await git(["commit-tree", "-p", workshop.base, "-m", "other", `${workshop.base}^{tree}`], {
        gitDir: workshop.hub,
      })
    ).trim();
    await git(["update-ref", `refs/heads/${branch}`, other], { gitDir: workshop.hub });
    write("src/push.ts", "mine\n");
    expect(await take()).toEqual({ kind: "moved", branch, expected: workshop.base, tip: other });
    expect(await git(["for-each-ref", "refs/cupel"], { gitDir: workshop.hub })).toBe("");
  });

  test("to another branch takes everything there too", async () => {
    const { workshop, workspace, write, take, files } = await sample();
    write("src/one.ts", "1\n");
    await take();
    write("src/two.ts", "2\n");
    const other = { branch: "impl-other", message: "impl: all\n" };
    expect(await takeBack(workshop, workspace, other)).toMatchObject({ paths: ["src/one.ts", "src/two.ts"] });
    expect(await files("impl-other")).toEqual(expect.arrayContaining(["src/one.ts", "src/two.ts"]));
    expect(await takeBack(workshop, workspace, { ...other, branch: "impl-third" })).toMatchObject({
      kind: "taken",
    });
  });

  test("goes on after a crash between the branch and the record", async () => {
    const { workspace, write, take, workshop } = await sample();
    const before = readRecord(workspace.places.record);
    write("src/push.ts", "mine\n");
    const first = await take();
    const { taken } = readRecord(workspace.places.record);
    writeRecord(workspace.places.record, { ...before, pending: taken });
    write("src/pop.ts", "more\n");
    expect(await take()).toMatchObject({ kind: "taken", paths: ["src/pop.ts"] });
    const parent = await git(["rev-parse", `${branch}^`], { gitDir: workshop.hub });
    expect(parent.trim()).toBe(first.kind === "taken" ? first.commit : "");
  });

  test("forgets work that was on its way and never arrived", async () => {
    const { workshop, workspace, write, take } = await sample();
    const before = readRecord(workspace.places.record);
    const pending = { branch, commit: workshop.base, paths: { "src/push.ts": null } };
    writeRecord(workspace.places.record, { ...before, pending });
    write("src/push.ts", "mine\n");
    expect(await take()).toMatchObject({ kind: "taken", paths: ["src/push.ts"] });
  });
});

describe("refused, and nothing is taken:", () => {
  const cases: [string, (tree: string, canary: string) => void, string | undefined, string][] = [
    [
      "a symbolic link",
      (tree) => symlinkSync("/etc/passwd", join(tree, "src/link")),
      "src/link",
      "a symbolic link, which could lead anywhere",
    ],
    [
      "a file that became a link",
      (tree) => {
        rmSync(join(tree, "src/pop.ts"));
        symlinkSync("../README.md", join(tree, "src/pop.ts"));
      },
      "src/pop.ts",
      "a symbolic link, which could lead anywhere",
    ],
    [
      "a pipe",
      (tree) => execFileSync("mkfifo", [join(tree, "src/pipe")]),
      "src/pipe",
      "neither a file nor a folder",
    ],
    [
      "a repository inside",
      (tree) => {
        mkdirSync(join(tree, "src/.GIT"));
        writeFileSync(join(tree, "src/.GIT/config"), "x");
      },
      "src/.GIT/config",
      "a repository inside the work",
    ],
    [
      "a copy of the canary",
      (tree, canary) => writeFileSync(join(tree, "src/note.ts"), `// ${canary}`),
      "src/note.ts",
      `holds the text of ${CANARY_FILE}, which must not be copied`,
    ],
    [
      "a disguised copy of the canary",
      (tree, canary) =>
        writeFileSync(join(tree, "src/note.ts"), `// ${Buffer.from(canary).toString("base64")}`),
      "src/note.ts",
      `holds the text of ${CANARY_FILE}, which must not be copied`,
    ],
    [
      "the canary as a name",
      (tree, canary) => writeFileSync(join(tree, `src/${canary}.ts`), ""),
      undefined,
      `holds the text of ${CANARY_FILE}, which must not be copied`,
    ],
    [
      "a name that git would not check out",
      (tree) => writeFileSync(join(tree, "src/.git:x"), ""),
      "src/.git:x",
      "a repository inside the work",
    ],
    [
      "more than can be read",
      (tree) => {
        for (const name of ["a", "b", "c"]) {
          writeFileSync(join(tree, "src", name), "");
          truncateSync(join(tree, "src", name), 100 * 1024 * 1024);
        }
      },
      "src/c",
      "with it the work is larger than 268435456 bytes",
    ],
    [
      "a name that is not text",
      (tree) =>
        writeFileSync(Buffer.concat([Buffer.from(join(tree, "src/")), Buffer.from([0x61, 0xff])]), ""),
      "src/a\ufffd",
      "its name is not UTF-8",
    ],
  ];
  // Hundreds of megabytes take a while on a busy machine.
  test.each(cases)("%s", { timeout: 60_000 }, async (_name, spoil, path, why) => {
    const { workshop, workspace, tree, write, take } = await sample();
    write("src/push.ts", "honest work\n");
    spoil(tree, workspace.record.canary);
    expect(await take()).toMatchObject({
      kind: "refused",
      problems: [path === undefined ? { why } : { path, why }],
    });
    expect(await git(["branch", "--list", branch], { gitDir: workshop.hub })).toBe("");
  });
});
