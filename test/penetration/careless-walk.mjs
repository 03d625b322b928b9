// A harness as nobody should write it: follows links, trusts names, and deletes what it finds.
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, realpathSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const [how, tree = "", hub = "", branch = "", root = ""] = process.argv.slice(2);
if (how === "take") take();
else remove(tree);

function take() {
  const stream = [`commit refs/heads/${branch}`, "committer a <a@b> 0 +0000", "data 0", ""];
  for (const path of filesBelow("")) {
    const content = readFileSync(join(tree, path), "latin1");
    stream.push(`M 100644 inline ${path}`, `data ${content.length}`, content);
  }
  const input = Buffer.from(stream.join("\n"), "latin1");
  const { status } = spawnSync("git", ["--git-dir", hub, "fast-import", "--quiet"], {
    input,
    stdio: ["pipe", "inherit", "inherit"],
  });
  process.exitCode = status ?? 1;
}

/** @returns {string[]} */
function filesBelow(/** @type {string} */ folder) {
  return readdirSync(join(tree, folder))
    .filter((name) => name !== ".git" || folder !== "")
    .map((name) => (folder === "" ? name : `${folder}/${name}`))
    .flatMap((path) => (statSync(join(tree, path)).isDirectory() ? filesBelow(path) : [path]));
}

/** Careless, but only within the victim's own directory. */
function remove(/** @type {string} */ folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!realpathSync(path).startsWith(`${root}/`)) throw new Error(`${path} leads out of ${root}`);
    if (statSync(path).isDirectory()) remove(path);
    else {
      chmodSync(path, 0o777);
      unlinkSync(path);
    }
  }
  if (realpathSync(folder) === folder) rmdirSync(folder);
  else unlinkSync(folder);
}
