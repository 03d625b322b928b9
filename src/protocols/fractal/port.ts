// What one node of a tree is given to work with: the ports of any module, and the tree around it.
import type { Exporting } from "../../domain/fractal/exceptions.ts";
import type {
  AnnouncedExport,
  ChildSpec,
  Criterion,
  NodeSpec,
  TreeLimits,
} from "../../domain/fractal/node-spec.ts";
import type { Rhythm } from "../../domain/fractal/routing.ts";
import type { SeenTest } from "../../domain/fractal/test-manifest.ts";
import type { TreeEvent } from "../../domain/fractal/tree.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { MergeEvent } from "../../domain/run/merge-event.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";

export interface NodePorts extends ProtocolPorts {
  readonly node: TreeNodeAssignment;
  readonly tree: TreePorts;
}

/** It follows from its parent's plan, so it is the same whenever the thread goes on. */
export interface TreeNodeAssignment {
  readonly spec: NodeSpec;
  /** What its parent has announced it to be; null at the root. */
  readonly parent: { exports: AnnouncedExport[]; assigned: Criterion[] } | null;
  /** Siblings that it was planned to build upon. */
  readonly uses: readonly string[];
  readonly level: number;
  readonly limits: TreeLimits;
  readonly rhythm: Rhythm;
}

/** Everything here may be called again for the same step after a crash. */
export interface TreePorts {
  /** Tells the tree what has happened to this node; the same again changes nothing. */
  post(context: NodeContext, event: TreeEvent): Promise<void>;

  /** The commit on which the node began: its parent's scaffold, or the product. */
  ground(context: NodeContext): Promise<string>;

  /** Waits for a sibling; refused where that one waits for this one. */
  block(context: NodeContext, on: string): Promise<"waiting" | "refused">;

  /** The names of all nodes of the tree. */
  names(context: NodeContext): Promise<ReadonlySet<string>>;

  /** From the parent up to the root: who may know what this node does not. */
  ancestors(context: NodeContext): Promise<Ancestor[]>;

  siblings(context: NodeContext): Promise<Exporting[]>;

  /** Puts the plan onto the node's branch: contract, stubs, own files of the work, and for each child interface and suite. */
  layOut(context: NodeContext, plan: ToLayOut): Promise<LaidOut>;

  /** Takes work over that may change these paths of the module only; names whatever else it changed. */
  adopt(context: NodeContext, work: ToAdopt): Promise<Adopted>;

  /** Each test of the commit with the functions of the module that it reaches. */
  reached(context: NodeContext, commit: string): Promise<SeenTest[]>;

  /** What was merged next to this node since it last looked, and the node moved on top of it. */
  shift(context: NodeContext, commit: string): Promise<Shifted>;

  /** Whether what a rebaser did is no more than mechanical; in words where it is. */
  beyondMechanical(
    context: NodeContext,
    work: { base: string; commit: string; event: MergeEvent },
  ): Promise<string[]>;
}

export interface Ancestor {
  id: string;
  spec: NodeSpec;
  contract: MicroModuleContract;
  /** The child through which one gets to this node. */
  child: ChildSpec;
}

export interface ToLayOut {
  contract: MicroModuleContract;
  children: readonly ChildSpec[];
  /** The planner's own commit, with the suites it wrote for its children; null where it wrote no file. */
  work: string | null;
}

export type LaidOut = { kind: "laid-out"; commit: string } | { kind: "refused"; problems: string[] };

export interface ToAdopt {
  base: string;
  commit: string;
  /** Paths in the module's folder, such as `src/`. */
  paths: readonly string[];
}

export type Adopted = { kind: "adopted"; commit: string } | { kind: "refused"; problems: string[] };

export type Shifted =
  /** Nothing has moved. */
  | { kind: "still" }
  /** Moved, and nothing that it consumes has changed. */
  | { kind: "quiet"; commit: string }
  /** Moved, and what it consumes has changed; `commit` is where a rebaser goes on. */
  | { kind: "woken"; commit: string; event: MergeEvent; touched: string[] }
  /** Both changed the same lines. */
  | { kind: "conflict"; event: MergeEvent; file: string; ours: string; theirs: string };
