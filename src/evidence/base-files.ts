// The tests and the runner configuration of a module as they were: in a directory, or at a ref of its repository.
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { staysInside } from "../domain/artifact/context-pack.ts";
import { CupelError } from "../domain/error.ts";
import type { Files, ModuleLayout, Toolchain } from "../toolchains/port.ts";
import { isText, toText } from "../workshop/git/byte-path.ts";
import { openCheckout, tryCheckoutGit } from "../workshop/git/checkout.ts";
import type { Checkout } from "../workshop/git/checkout.ts";
import { readTree } from "../workshop/git/objects.ts";
import { refusal as repositoryRefusal } from "../workshop/hub/repository-refusals.ts";

export interface BaseRequest {
  /** A directory with the old module, or a ref of the repository that contains `folder`. */
  named: string;
  folder: string;
  layout: ModuleLayout;
  toolchain: Toolchain;
  /** Where what a ref holds is laid out; nothing is there yet. */
  directory: string;
}

export async function baseFiles(request: BaseRequest): Promise<Files> {
  const { named, folder } = request;
  const isDirectory = statSync(named, { throwIfNoEntry: false })?.isDirectory() === true;
  const repository = await repositoryAround(folder);
  const commit = repository === undefined ? undefined : await commitOf(repository, named);
  if (isDirectory && commit !== undefined)
    throw new CupelError("usage", `${named} is a directory here and a ref of the repository`, {
      expected: "one of them",
      hint: `--base ./${named} for the directory, --base ${commit.slice(0, 12)} for the commit`,
    });
  if (isDirectory && realpathSync(named) === realpathSync(folder))
    throw new CupelError("usage", `${named} is the folder itself, which differs from itself in nothing`, {
      expected: "a directory with the module as it was",
      hint: "--base HEAD (compares with the last commit)",
    });
  if (isDirectory) return filesIn(named, request.toolchain, named);
  if (repository === undefined)
    throw new CupelError("not_a_repository", `${named} is no directory, and ${folder} is in no repository`, {
      expected: "a directory with the old module, or a ref of the repository that contains the folder",
      hint: "git init && git add . && git commit -m start",
    });
  if (commit === undefined)
    throw new CupelError(
      "not_found",
      `${named} is neither a directory nor a ref of ${repository.directory}`,
      {
        expected: "a branch, a tag, a commit or a directory",
        hint: "git log --oneline (shows commits)",
      },
    );
  await layOut(repository, commit, request);
  const { directory, layout, toolchain } = request;
  // Tests may have been committed before there was any code.
  if ((await toolchain.detect(directory)).kind === "no-module" && !existsSync(join(directory, layout.entry)))
    write(directory, layout.entry, Buffer.of());
  return filesIn(directory, toolchain, `${folder} at ${named}`);
}

type Repository = Checkout & { gitDir: string; prefix: string };

/** Undefined where there is none; one that git cannot read is refused. */
async function repositoryAround(folder: string): Promise<Repository | undefined> {
  const checkout = await openCheckout(realpathSync(folder));
  const ask = async (flag: string) => {
    const asked = await tryCheckoutGit(checkout, ["rev-parse", flag]);
    if (asked.kind === "exited" && asked.code === 0) return asked.stdout.replace(/\n$/, "");
    if (asked.kind === "exited" && /not a git repository/i.test(asked.stderr)) return undefined;
    throw repositoryRefusal.unreadable(folder, asked);
  };
  const gitDir = await ask("--absolute-git-dir");
  const prefix = await ask("--show-prefix");
  return gitDir === undefined || prefix === undefined
    ? undefined
    : { ...checkout, gitDir, prefix: prefix.replace(/\/$/, "") };
}

async function commitOf(repository: Repository, ref: string): Promise<string | undefined> {
  // Whatever looks like an option is not handed to git at all.
  if (ref.startsWith("-")) return undefined;
  const asked = await tryCheckoutGit(repository, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  const commit = asked.stdout.trim();
  return asked.kind === "exited" && asked.code === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

const MOST_FILES = 5_000;
const MOST_BYTES = 64 * 1024 ** 2;

async function layOut(repository: Repository, commit: string, request: BaseRequest): Promise<void> {
  const { named, folder, directory } = request;
  const { gitDir, prefix } = repository;
  const tree = prefix === "" ? commit : `${commit}:${prefix}`;
  const type = await tryCheckoutGit(repository, ["cat-file", "-t", tree]);
  if (type.stdout.trim() !== (prefix === "" ? "commit" : "tree"))
    throw new CupelError("not_found", `${folder} is not in ${named}`, {
      expected: "a ref in which the folder exists",
      hint: `git log --oneline -- ${folder} (shows commits that have it)`,
    });
  let files = 0;
  let bytes = 0;
  for await (const { path, content } of readTree(gitDir, tree, ({ path, mode }) => isPlain(mode, path))) {
    files += 1;
    bytes += content.length;
    if (files > MOST_FILES || bytes > MOST_BYTES)
      throw new CupelError("usage", `${folder} is too large in ${named}`, {
        expected: `at most ${MOST_FILES} files and ${MOST_BYTES / 1024 ** 2} MB`,
      });
    write(directory, toText(path), content);
  }
}

/** Links and other repositories are no tests, and neither is what has no name that a file here could have. */
function isPlain(mode: string, path: Parameters<typeof toText>[0]): boolean {
  return mode.startsWith("100") && isText(path) && staysInside(toText(path));
}

function write(directory: string, path: string, content: Uint8Array): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content);
}

async function filesIn(directory: string, toolchain: Toolchain, what: string): Promise<Files> {
  const detected = await toolchain.detect(directory);
  if (detected.kind === "no-module")
    throw new CupelError("usage", `${what} is not a module to compare with: ${detected.why}`, {
      expected: "the folder of the module as it was, with its tests",
    });
  const { tests, configuration } = detected.layout;
  if (tests.length === 0)
    throw new CupelError("usage", `${what} has no tests that could have been left untouched`, {
      expected: "the folder of the module as it was, with its tests",
    });
  const paths = [...new Set([...tests, ...configuration])];
  const texts = await Promise.all(paths.map((path) => readFile(join(directory, path), "utf8")));
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? ""]));
}
