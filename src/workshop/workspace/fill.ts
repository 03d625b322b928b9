// Fills a new repository with one commit: the granted files of the base and what is handed in, and nothing else.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../domain/canonical.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { CANARY_FILE } from "../blindness/canary.ts";
import type { BytePath } from "../git/byte-path.ts";
import { emptyRepository } from "../git/empty-repository.ts";
import { importCommit } from "../git/fast-import.ts";
import type { FileChange } from "../git/fast-import.ts";
import { git } from "../git/git.ts";
import { readTree } from "../git/objects.ts";
import type { TreeEntry } from "../git/objects.ts";
import { blobId } from "./baseline.ts";
import type { Version } from "./baseline.ts";
import type { Workshop } from "./places.ts";

interface Filling {
  base: string;
  isGranted: (entry: TreeEntry) => boolean;
  /** Wins over what the base has under the same name. */
  handedIn: ReadonlyMap<BytePath, Buffer>;
}

interface Filled {
  root: NonNullable<WorkspaceRecord["root"]>;
  files: Map<BytePath, Version>;
}

export async function fillRepository({ hub }: Workshop, tree: string, filling: Filling): Promise<Filled> {
  const gitDir = join(tree, ".git");
  makeRepository(gitDir, filling.base);
  const files = new Map<BytePath, Version>();
  const commit = await importCommit({
    gitDir,
    packed: true,
    ref: "refs/heads/main",
    message: "What you were given\n",
    at: 0,
    changes: contents(hub, filling, files),
  });
  await git(["-c", "checkout.workers=0", "read-tree", "-m", "-u", "HEAD"], {
    gitDir,
    env: { GIT_WORK_TREE: tree, GIT_INDEX_FILE: join(gitDir, "index") },
  });
  const pack = packIn(gitDir);
  const packHash = sha256Hex(readFileSync(join(gitDir, "objects", "pack", `${pack}.pack`)));
  return { root: { commit, pack, packHash }, files };
}

/** Notes in `files` what it hands out. */
async function* contents(
  hub: string,
  { base, isGranted, handedIn }: Filling,
  files: Map<BytePath, Version>,
): AsyncGenerator<FileChange> {
  for (const [path, content] of handedIn) {
    files.set(path, { mode: PLAIN_FILE, id: blobId(content, base) });
    yield { kind: "write", path, mode: PLAIN_FILE, content };
  }
  const wanted = (entry: TreeEntry) => !handedIn.has(entry.path) && isGranted(entry);
  for await (const { path, mode, id, content } of readTree(hub, base, wanted)) {
    files.set(path, { mode, id });
    yield { kind: "write", path, mode, content };
  }
}

const PLAIN_FILE = "100644";

function makeRepository(gitDir: string, like: string): void {
  const agent = ["[user]", "\tname = agent", "\temail = agent@localhost"];
  emptyRepository(gitDir, ["\tbare = false", ...agent], like);
  mkdirSync(join(gitDir, "info"));
  // What the harness put there for itself is not the agent's to commit.
  writeFileSync(join(gitDir, "info", "exclude"), `/${CANARY_FILE}\n`);
  writeFileSync(join(gitDir, "info", "attributes"), "* -text -eol -ident -filter -working-tree-encoding\n");
}

function packIn(gitDir: string): string {
  const pack = readdirSync(join(gitDir, "objects", "pack")).find((name) => name.endsWith(".pack"));
  if (pack === undefined) throw new Error("a commit was imported and there is no pack");
  return pack.slice(0, -".pack".length);
}
