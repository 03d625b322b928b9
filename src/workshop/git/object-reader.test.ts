// A git that stays for a moment: what it says is what git says, and nobody is kept waiting by one that is gone.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { sampleGit, sampleHub } from "../../../test/git-samples.ts";
import { processesWith } from "../../../test/processes.ts";
import { commitTree, readCommit } from "./commits.ts";
import { hasObject, readObjects } from "./object-reader.ts";
import { listTree, readTree } from "./objects.ts";

const FILES = { "a.txt": "a\n", "b/c.txt": "c\n", "b/d/e.txt": "é\n", "b.txt": "b\n", "x y.txt": "\n" };

test("gives objects in the order asked, and undefined where there is none", async () => {
  const { gitDir, main } = sampleHub(FILES);
  const names = [`${main}:a.txt`, `${main}:none here`, `${main}^{tree}`, `${main}:x y.txt`];
  const found = await readObjects(gitDir, names);
  expect(found.map((object) => object?.type)).toEqual(["blob", undefined, "tree", "blob"]);
  expect(found[0]?.content.toString()).toBe("a\n");
  await expect(readObjects(gitDir, ["two\nlines"])).rejects.toThrow("names no object");
});

test("many who ask at once each get their own", async () => {
  const { gitDir, main } = sampleHub(FILES);
  const paths = Object.keys(FILES).flatMap((path) => Array.from({ length: 20 }, () => path));
  const read = await Promise.all(paths.map((path) => readObjects(gitDir, [`${main}:${path}`])));
  expect(read.map(([object]) => object?.content.toString())).toEqual(
    paths.map((path) => Object.entries(FILES).find(([name]) => name === path)?.[1]),
  );
});

test("sees what was made after it was started", async () => {
  const { gitDir, main } = sampleHub(FILES);
  const content = { message: "more\n", parents: [main], at: new Date(1000) };
  expect(await hasObject(gitDir, "1".repeat(40), "commit")).toBe(false);
  const tree = sampleGit(gitDir, "rev-parse", `${main}:b`);
  const commit = await commitTree(gitDir, { ...content, tree });
  expect(await hasObject(gitDir, commit, "commit")).toBe(true);
  sampleGit(gitDir, "repack", "-adq");
  expect(await hasObject(gitDir, `${main}:b`, "tree")).toBe(true);
});

test("one that was killed is replaced, and a place that is no repository is told in git's words", async () => {
  const { gitDir, main } = sampleHub(FILES);
  expect(await hasObject(gitDir, main, "commit")).toBe(true);
  for (const restMs of [0, 100]) {
    const [reader, ...others] = processesWith("cmdline", `--git-dir=${gitDir}`);
    expect(others).toEqual([]);
    process.kill(Number(reader), "SIGKILL");
    await delay(restMs);
    expect(await hasObject(gitDir, main, "commit")).toBe(true);
  }
  await expect(hasObject("/nonexistent", main, "commit")).rejects.toThrow("not a git repository");
});

test("an answer that is none ends its reader, whatever else it was asked, and there is one for those who wait", async () => {
  const { gitDir, main } = sampleHub({ ...FILES, large: "x".repeat(3_000_000) });
  const unclear = unclearName(gitDir);
  const failing = readObjects(gitDir, [unclear, `${main}:large`]);
  const waiting = readObjects(gitDir, [`${main}:a.txt`]);
  await expect(failing).rejects.toThrow("ambiguous");
  const later = readObjects(gitDir, [`${main}:b.txt`]);
  const found = (await Promise.all([waiting, later])).flat();
  expect(found.map((object) => object?.content.toString())).toEqual(["a\n", "b\n"]);
  expect(processesWith("cmdline", `--git-dir=${gitDir}`).length).toBe(1);
});

/** The beginning of two ids, which git takes for neither. */
function unclearName(gitDir: string): string {
  const seen = new Map<string, string>();
  for (let at = 0; ; at += 1) {
    const text = String(at);
    const id = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex").slice(0, 4);
    const other = seen.get(id);
    seen.set(id, text);
    if (other === undefined) continue;
    for (const content of [text, other]) {
      writeFileSync(join(gitDir, "content"), content);
      sampleGit(gitDir, "hash-object", "-w", "content");
    }
    return id;
  }
}

test("lists folders as git does, in its order", async () => {
  const { gitDir, main } = sampleHub({ ...FILES, "b-c/x": "1", "b/link": { link: "c.txt" } });
  const listed = (await listTree(gitDir, main)).map(({ mode, id, path }) => `${mode} blob ${id}\t${path}`);
  expect(listed).toEqual(sampleGit(gitDir, "ls-tree", "-r", main).split("\n"));
  const below = (await listTree(gitDir, `${main}:b`)).map(({ path }) => String(path));
  expect(below).toEqual(sampleGit(gitDir, "ls-tree", "-r", "--name-only", `${main}:b`).split("\n"));
  await expect(listTree(gitDir, `${main}:none`)).rejects.toThrow("git ls-tree");
});

test("more folders and files than are read one by one are all there", async () => {
  const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`d${at}/f`, `${at}\n`]));
  const { gitDir, main } = sampleHub(many);
  const read = new Map<string, string>();
  for await (const { path, content } of readTree(gitDir, main, () => true))
    read.set(String(path), content.toString());
  expect(Object.fromEntries(read)).toEqual(many);
});

test("whoever stops reading early leaves nothing behind", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 130 }, (_, at) => [`f${at}`, `${"x".repeat(9000)}${at}`]),
  );
  const { gitDir, main } = sampleHub(many);
  for await (const { content } of readTree(gitDir, main, () => true)) {
    expect(content.length).toBeGreaterThan(9000);
    break;
  }
  // What stays for a moment has only listed the files.
  expect(processesWith("cmdline", `--git-dir=${gitDir}`).length).toBeLessThan(2);
});

test("a commit is remembered as git would tell of it", async () => {
  const { gitDir, main } = sampleHub(FILES);
  const tree = sampleGit(gitDir, "rev-parse", `${main}^{tree}`);
  const message = "subject\n\nbody é\n\nSession: x\n";
  for (const text of [message, "no end of line"]) {
    const commit = await commitTree(gitDir, {
      tree,
      parents: [main],
      message: text,
      at: new Date(1_234_567),
    });
    const told = await readCommit(gitDir, commit);
    // By another name of the same place nothing is known yet.
    expect(await readCommit(`${gitDir}/.`, commit)).toEqual(told);
    const logged = sampleGit(gitDir, "log", "-1", "--format=%H %T %P %ct", commit);
    expect(`${told.commit} ${told.tree} ${told.parents.join(" ")} ${told.at.getTime() / 1000}`).toBe(logged);
  }
});
