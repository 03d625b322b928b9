// Grows a tree to its end: whatever may go on does, so many at a time; each parent merges its children by itself; when all is
// merged, everything ships, children before parents. What happened before is in the tree, so the same call goes on with it.
import { dueIn, type Due, foldOrder, queuesIn } from "../../domain/fractal/next-in-tree.ts";
import { isMerged, type Tree } from "../../domain/fractal/tree.ts";

export interface Growing {
  /** As it is now, in the store. */
  read(): Promise<Tree>;
  /** Resolves when something is told to the tree after this call: children may begin while their parent still works. */
  changed(): Promise<void>;
  /** Goes on with one node until it has to wait or has an end; the tree knows then where it stands. */
  work(due: Due): Promise<Went>;
  /** Merges what waits for one parent, and lets the parent judge it; null is the product. */
  merge(parent: string | null, waiting: readonly string[]): Promise<Went>;
  ship(node: string): Promise<Went>;
}

/** `stopped` is neither good nor bad: drained, aborted or held elsewhere. */
export type Went = { kind: "went" } | { kind: "stopped"; why: string };

export type Grown =
  | { kind: "shipped"; order: string[] }
  /** Nodes that a person must decide about; what had begun when they halted was finished. */
  | { kind: "halted"; nodes: string[] }
  | { kind: "stopped"; why: string };

export async function growTree(growing: Growing, concurrency: number): Promise<Grown> {
  const running = new Map<string, Promise<void>>();
  const merging = new Set<string>();
  const stops: string[] = [];
  const errors: unknown[] = [];
  const start = (name: string, job: () => Promise<Went>): void => {
    const ran = job().then(
      (went) => void (went.kind === "stopped" && stops.push(went.why)),
      (error: unknown) => void errors.push(error),
    );
    running.set(
      name,
      ran.finally(() => running.delete(name)),
    );
  };
  for (;;) {
    const changed = growing.changed();
    const tree = await growing.read();
    const halted = haltedIn(tree);
    const goesOn = halted.length === 0 && stops.length === 0 && errors.length === 0;
    if (goesOn) startMore(tree, growing, { running, merging, start, concurrency });
    if (running.size > 0) {
      await Promise.race([...running.values(), changed]);
      continue;
    }
    if (errors.length > 0) throw errors[0];
    const [why] = stops;
    if (why !== undefined) return { kind: "stopped", why };
    if (halted.length > 0) return { kind: "halted", nodes: halted };
    const next = toShip(tree);
    if (next === undefined) return { kind: "shipped", order: foldOrder(tree) };
    start(`ship ${next}`, () => growing.ship(next));
    await Promise.all(running.values());
  }
}

interface Jobs {
  running: ReadonlyMap<string, unknown>;
  /** Those whose merge is under way, or judged. */
  merging: Set<string>;
  start: (name: string, job: () => Promise<Went>) => void;
  concurrency: number;
}

/** Merging first: it is what others wait for, and it needs no agent. */
function startMore(tree: Tree, growing: Growing, { running, merging, start, concurrency }: Jobs): void {
  for (const [parent, queue] of queuesIn(tree)) {
    const waiting = queue.filter((node) => !merging.has(node));
    const [first] = waiting;
    if (first === undefined) continue;
    for (const node of waiting) merging.add(node);
    const done = (): void => waiting.forEach((node) => merging.delete(node));
    start(`merge ${first}`, () => growing.merge(parent, waiting).finally(done));
  }
  for (const due of dueIn(tree)) {
    const name = `node ${due.node}`;
    const busy = [...running.keys()].filter((each) => each.startsWith("node ")).length;
    if (busy >= concurrency) return;
    if (!running.has(name)) start(name, () => growing.work(due));
  }
}

function haltedIn(tree: Tree): string[] {
  return Object.entries(tree).flatMap(([id, { place }]) => (place.kind === "halted" ? [id] : []));
}

/** The first in fold order that is merged and not sealed; nothing when all are. */
function toShip(tree: Tree): string | undefined {
  const order = foldOrder(tree);
  const unmerged = order.filter((id) => !isMerged(tree, id));
  if (unmerged.length > 0)
    throw new Error(`nothing goes on, and these are not merged: ${unmerged.join(", ")}`);
  return order.find((id) => tree[id]?.place.kind === "merged");
}
