// Sample repositories for tests: a person's checkout, and a bare repository with branches made of plain objects.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "./temporary.ts";

/** Content by path; null deletes; an object gives a mode to a file or makes it a link. */
export type SampleFiles = Readonly<Record<string, string | Uint8Array | null | SampleFile>>;
export type SampleFile = { link: string } | { text: string; executable: boolean };

/** Plain git with an identity and none of the settings of this machine. */
export function sampleGit(directory: string, ...args: string[]): string {
  const result = spawnSync("git", args, {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: {
      PATH: process.env["PATH"],
      HOME: "/nonexistent",
      LC_ALL: "C.UTF-8",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "protocol.file.allow",
      GIT_CONFIG_VALUE_0: "always",
      GIT_CONFIG_KEY_1: "advice.detachedHead",
      GIT_CONFIG_VALUE_1: "false",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    },
  });
  if (result.status === 0) return result.stdout.trim();
  throw new Error(`git ${args.join(" ")} in ${directory}: ${result.stderr}${result.stdout}`);
}

export function writeSample(directory: string, files: SampleFiles): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, path);
    rmSync(file, { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(file, content);
    else if ("link" in content) symlinkSync(content.link, file);
    else writeFileSync(file, content.text);
    if (typeof content === "object" && "executable" in content)
      chmodSync(file, content.executable ? 0o755 : 0o644);
  }
}

/** Writes the files and commits everything; the id of the commit. */
export function commitSample(directory: string, files: SampleFiles, message = "change"): string {
  writeSample(directory, files);
  sampleGit(directory, "add", "--all", ".");
  sampleGit(directory, "commit", "--quiet", "--allow-empty", "-m", message);
  return sampleGit(directory, "rev-parse", "HEAD");
}

export interface SampleOptions {
  /** A folder below the temporary one, for names that are hard to handle. */
  name?: string;
  format?: "sha1" | "sha256";
}

/** A person's checkout on `main` with one commit. */
export function sampleProject(
  files: SampleFiles = { "a.txt": "one\n" },
  options: SampleOptions = {},
): string {
  // Without links, as git names it.
  const directory = join(realpathSync(temporaryDirectory()), options.name ?? "project");
  mkdirSync(directory);
  sampleGit(directory, "init", "--quiet", "-b", "main", `--object-format=${options.format ?? "sha1"}`);
  commitSample(directory, files, "start");
  return directory;
}

/** A bare repository with a branch per entry, each one commit ahead of `main`, which holds the first files. */
export function sampleHub(
  base: SampleFiles,
  branches: Readonly<Record<string, SampleFiles>> = {},
): SampleHub {
  const work = sampleProject(base);
  const main = sampleGit(work, "rev-parse", "HEAD");
  for (const [branch, files] of Object.entries(branches)) {
    sampleGit(work, "checkout", "--quiet", "-b", branch, main);
    commitSample(work, files, `change: ${branch}`);
  }
  sampleGit(work, "checkout", "--quiet", "main");
  const gitDir = join(dirname(work), "hub.git");
  sampleGit(work, "clone", "--quiet", "--bare", work, gitDir);
  return { gitDir, work, main };
}

export interface SampleHub {
  gitDir: string;
  work: string;
  main: string;
}
