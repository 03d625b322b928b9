// A person's fix or override lets a halted node go on: once, however often the same order comes.
import { CupelError } from "../../domain/error.ts";
import { nodeModuleId } from "../../domain/fractal/node-module.ts";
import { nodeOf } from "../../domain/fractal/tree.ts";
import type { TaskResolution } from "../../domain/task/task-record.ts";
import { readCommit } from "../../workshop/git/commits.ts";
import { fixOn } from "../fix-commit.ts";
import { resolutionHash } from "../subject.ts";
import { advance, nodeBranch } from "./node-branch.ts";
import { stateOfNode } from "./node-thread.ts";
import { branchOfNode, nodeThread, readTree, tellTree, type TreeDesk } from "./tree-desk.ts";
import { SETTLED } from "./untouched.ts";

type Fix = Extract<TaskResolution, { kind: "fix" }>;

/** What halted before anything was laid out cannot be fixed or let through: it asks again. */
export async function resolveNode(desk: TreeDesk): Promise<void> {
  const { resolution } = desk.order;
  if (resolution === undefined || resolution.kind === "plan") return;
  const tree = await readTree(desk);
  const node = Object.keys(tree).find((id) => nodeModuleId(id) === resolution.module);
  if (node === undefined || nodeOf(tree, node).place.kind !== "halted") return;
  const hash = resolutionHash(resolution);
  const key = `${node}/${resolution.kind}/${hash}`;
  if (await desk.ports.store.trees.isTold(desk.name, key)) return;
  const seen = await stateOfNode(desk, node);
  const commit = seen.kind === "ended" && seen.state.contractRef !== null ? seen.state.commit : null;
  if (commit === null) return;
  if (resolution.kind === "fix") {
    await putOn(desk, node, resolution, hash);
    await tellTree(desk, key, { kind: "fixed", node });
    return;
  }
  const word = { escalation_ref: resolution.escalation, rationale: resolution.rationale };
  await tellTree(desk, key, { kind: "overridden", node, commit, word });
}

async function putOn(desk: TreeDesk, node: string, fix: Fix, hash: string): Promise<void> {
  const { hub } = desk.ports;
  const branch = branchOfNode(desk, node);
  const settled = Object.keys(fix.files).find((path) => SETTLED.some((each) => path.endsWith(each)));
  if (settled !== undefined && nodeOf(await readTree(desk), node).parent !== null)
    throw new CupelError(
      "invalid_input",
      `the fix names ${settled}, which belongs to the parent of ${node}`,
      {
        expected: "files of the module itself: its sources, its own tests, examples.md",
      },
    );
  const commit = await fixOn(
    desk.ports,
    { folder: node, thread: nodeThread(desk, node), parent: async () => (await nodeBranch(hub, branch)).tip },
    fix,
    hash,
  );
  const [from = commit] = (await readCommit(hub.gitDir, commit)).parents;
  await advance(hub, branch, from, commit);
}
