// A repository without anything in it, made by hand: `git init` costs a process and copies the templates of the machine.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** As little as git takes for one. The settings begin with those of `core`; ids are of the same kind as `like`. */
export function emptyRepository(gitDir: string, settings: readonly string[], like = ""): void {
  mkdirSync(join(gitDir, "objects", "pack"), { recursive: true });
  mkdirSync(join(gitDir, "refs", "heads"), { recursive: true });
  const sha256 = like.length === 64;
  const config = [
    "[core]",
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    ...settings,
    ...(sha256 ? ["[extensions]", "\tobjectFormat = sha256"] : []),
  ];
  writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(gitDir, "config"), `${config.join("\n")}\n`);
}
