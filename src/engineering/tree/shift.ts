// What siblings have brought since a node last looked: it is moved onto its parent's new head, and only what it really uses
// can wake anybody.
import { type Consumed, rebaseKind } from "../../domain/fractal/impact.ts";
import { below, nodeOf, type Tree } from "../../domain/fractal/tree.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { type ChangeEntry, impactOf, MergeEvent } from "../../domain/run/merge-event.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Shifted } from "../../protocols/fractal/port.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { asRebaseConflict } from "../../workshop/git/conflicts.ts";
import { nodeBranch } from "./node-branch.ts";
import { rebaseNode, settleRebase, transplant } from "./rebase-node.ts";
import { consumedAt } from "./surfaces.ts";
import { branchOfNode, draftsIn, readTree, type TreeDesk } from "./tree-desk.ts";

/** Letters are gone when the step that read them has ended well, so none is lost and none counts twice. */
export async function shift(
  desk: TreeDesk,
  context: NodeContext,
  node: string,
  commit: string,
): Promise<Shifted> {
  const letters = (await context.mail()).filter(({ kind }) => kind === "ContextShift");
  if (letters.length === 0) return { kind: "still" };
  const events = await Promise.all(letters.map(({ payload_ref }) => eventAt(desk, payload_ref)));
  const tree = await readTree(desk);
  const { parent } = nodeOf(tree, node);
  if (parent === null) return { kind: "still" };
  const branch = branchOfNode(desk, node);
  return desk.turns.take(branch, async () => {
    const { tip: onto } = await nodeBranch(desk.ports.hub, branchOfNode(desk, parent));
    const rebased = await rebaseNode(desk.ports.hub, { node, branch, onto });
    if (rebased.kind === "conflict") {
      await startAgainOn(desk, context, tree, { node, branch, onto });
      const { conflictFile, ourChange, theirChange } = asRebaseConflict(rebased.report);
      return {
        kind: "conflict",
        event: together(events),
        file: conflictFile,
        ours: ourChange,
        theirs: theirChange,
      };
    }
    const { tip } = rebased.branch;
    const consumed = await consumedBy(desk, tree, node, commit);
    const waking = events.filter((event) => rebaseKind(event, consumed).kind === "wakes");
    // It may have moved onto a merge before it was told of it; what that changed counts all the same.
    if (waking.length === 0) return tip === commit ? { kind: "still" } : { kind: "quiet", commit: tip };
    const touched = waking.flatMap((event) => {
      const kind = rebaseKind(event, consumed);
      return kind.kind === "wakes" ? kind.symbols : [];
    });
    return { kind: "woken", commit: tip, event: together(waking), touched: [...new Set(touched)] };
  });
}

async function eventAt({ ports }: TreeDesk, ref: string): Promise<MergeEvent> {
  const text = (await ports.store.payloads.get(ref)).toString("utf8");
  return parseOrThrow(MergeEvent, JSON.parse(text), "a merge event");
}

async function consumedBy(desk: TreeDesk, tree: Tree, node: string, commit: string): Promise<Consumed> {
  const drafts = await draftsIn(desk, tree);
  return consumedAt({ drafts, toolchain: desk.ports.toolchain }, drafts.get(node), commit);
}

/** Several merges as one: each change once, by whoever made it. */
function together(events: readonly MergeEvent[]): MergeEvent {
  const changes = new Map<string, ChangeEntry>();
  for (const event of events)
    for (const change of event.changes) changes.set(`${change.changeType} ${change.symbol}`, change);
  const all = [...changes.values()];
  const author = [...new Set(events.map((event) => event.author))].join(", ");
  return { author, impactLevel: impactOf(all), changes: all };
}

/** What was merged stands; of the node's own only its folders are carried over, and its planner goes on from there. */
async function startAgainOn(
  { ports }: TreeDesk,
  context: NodeContext,
  tree: Tree,
  { node, branch, onto }: { node: string; branch: string; onto: string },
): Promise<void> {
  const message = renderCommitMessage({
    phase: "merge",
    description: `${node}: carried over onto what was merged`,
    body: "",
    session: context.thread,
    node: context.node,
    costUsd: 0,
  });
  const folders = below(tree, node);
  const commit = await transplant(ports.hub, { node, branch, onto, folders, message });
  await settleRebase(ports.hub, { branch, onto, commit });
}
