// Lays the ground for a module: its contract, stubs and a first test file, as a commit on top of the product as it is now.
import { canonicalHash, sha256Hex } from "../../domain/canonical.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { contractLock } from "../../domain/contract/fingerprint.ts";
import { GitId } from "../../domain/run/workspace-record.ts";
import type { NodeContext } from "../../graph/port.ts";
import { branchName, branchRef } from "../../workshop/git/branch-names.ts";
import { toBytePath, toText } from "../../workshop/git/byte-path.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { type FileChange, importCommit } from "../../workshop/git/fast-import.ts";
import { listTree } from "../../workshop/git/objects.ts";
import { tipOf } from "../../workshop/git/refs.ts";
import type { Desk } from "./desk.ts";
import { contractBody } from "./lock.ts";

export async function scaffold(
  { engineering, making }: Desk,
  context: NodeContext,
  contract: MicroModuleContract,
  beside: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { hub, toolchain, now } = engineering;
  const { folder, module } = making.assignment;
  const lock = contractLock(contract);
  const hash = Object.keys(beside).length === 0 ? lock : canonicalHash([lock, beside]);
  return context.once(`scaffold:${hash}`, GitId, async () => {
    const base = await tipOf(hub.gitDir, hub.branch);
    const files = { ...contractBody(contract), ...toolchain.scaffold(contract), ...beside };
    return importCommit({
      gitDir: hub.gitDir,
      ref: branchRef(branchName("skeleton", sha256Hex(`${context.thread} ${hash}`).slice(0, 16))),
      parent: base,
      message: renderCommitMessage({
        phase: "skeleton",
        description: `${module.name}: the contract and stubs`,
        body: "",
        session: context.thread,
        node: context.node,
        costUsd: 0,
      }),
      at: Math.floor(now().getTime() / 1000),
      changes: await changesOf(hub.gitDir, base, `modules/${folder}/`, files),
    });
  });
}

/** An earlier version of the module is sealed, also for whoever makes the next one: its files give way. */
async function changesOf(
  gitDir: string,
  base: string,
  home: string,
  files: Readonly<Record<string, string>>,
): Promise<FileChange[]> {
  const before = (await listTree(gitDir, base)).filter(({ path }) => toText(path).startsWith(home));
  return [
    ...before.map(({ path }): FileChange => ({ kind: "delete", path })),
    ...Object.entries(files).map(([path, text]): FileChange => ({
      kind: "write",
      path: toBytePath(`${home}${path}`),
      mode: "100644",
      content: Buffer.from(text),
    })),
  ];
}
