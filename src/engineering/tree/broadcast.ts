// Tells whom a merge reaches what it changed: a letter to each, which its node reads before its next step.
import { sha256Hex } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { shiftedBy } from "../../domain/fractal/next-in-tree.ts";
import { type Tree } from "../../domain/fractal/tree.ts";
import type { MergeEvent } from "../../domain/run/merge-event.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { QueueResult } from "../../protocols/fractal/merge-queue.ts";
import { readCommit } from "../../workshop/git/commits.ts";
import type { Waiting } from "./merge-ground.ts";
import { mergeEventAt } from "./surfaces.ts";
import { draftsIn, nodeThread, suitesIn, type TreeDesk } from "./tree-desk.ts";

/** What was merged reaches the siblings; what does not fit reaches the node itself, which then follows its parent. */
export async function broadcast(
  desk: TreeDesk,
  context: NodeContext,
  tree: Tree,
  result: QueueResult<Waiting>,
): Promise<void> {
  const { node } = result.candidate;
  if (result.kind === "rejected") return;
  const { store, mailbox } = desk.ports;
  const event = await eventOf(desk, context, tree, result);
  const payload_ref = await store.payloads.put(JSON.stringify(event));
  const told = result.kind === "merged" ? shiftedBy(tree, node) : [node];
  for (const each of told) {
    const sent = mailbox.sendFrom(context.thread, {
      dedupe_key: sha256Hex(`${context.thread} ${each}`).slice(0, 32),
      kind: "ContextShift",
      type: "SIBLING_MERGED",
      severity: event.impactLevel === "Breaking" ? "BLOCKER" : "INFO",
      route_hint: "rebase",
      from: node,
      to: { thread: nodeThread(desk, each), node: "turn" },
      payload_ref,
    });
    // Who has not begun yet begins on what was merged.
    if (sent.kind === "full")
      throw new CupelError("store_busy", `${each} has ${sent.waiting} letters and reads none`, {
        hint: "run the same command again",
      });
  }
}

async function eventOf(
  desk: TreeDesk,
  { signal }: NodeContext,
  tree: Tree,
  result: QueueResult<Waiting>,
): Promise<MergeEvent> {
  const { node } = result.candidate;
  if (result.kind !== "merged") return { author: node, impactLevel: "Trivial", changes: [] };
  const { hub, toolchain } = desk.ports;
  const drafts = await draftsIn(desk, tree);
  const [before] = (await readCommit(hub.gitDir, result.commit)).parents;
  if (before === undefined) throw new Error(`${result.commit} was merged onto nothing`);
  const suites = suitesIn(desk, drafts, signal);
  return mergeEventAt(
    { drafts, toolchain, suites },
    { author: drafts.get(node), before, after: result.commit },
  );
}
