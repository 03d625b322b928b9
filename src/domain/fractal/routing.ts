// Who runs next: for each rhythm, each actor and each exit one route, as data. An exit without a route does not compile.
import { z } from "zod";
import type { Actor, Exits, StuckKind } from "./exits.ts";

/** `batch`: all tests first, then the code. `ping-pong`: one test at a time, and somebody else reviews. */
export const Rhythm = z.enum(["batch", "ping-pong"]);
export type Rhythm = z.infer<typeof Rhythm>;

/** Stuck says in which way, and each way has a route of its own. */
export type ExitName<A extends Actor> = Exits[A] extends infer Exit
  ? Exit extends { kind: "Stuck" }
    ? `Stuck.${StuckKind}`
    : Exit extends { kind: infer Kind extends string }
      ? Kind
      : never
  : never;

export type Target =
  | "scaffold"
  | "write_tests"
  | "test_author"
  | "impl"
  | "review"
  | "merge"
  | "children"
  | "siblings"
  /** Where the node was before it was interrupted. */
  | "resume"
  | "parent"
  | "person";

export interface Route {
  action:
    | "parallelize"
    | "dispatch"
    | "transition"
    | "loop"
    | "self_loop"
    | "repair"
    | "escalate"
    | "vertical_scale"
    | "context_reset"
    | "finalize"
    | "broadcast"
    | "resume";
  to: readonly [Target, ...Target[]];
  /** What the orchestrator changes on the way; nothing where it only passes on. */
  mutation?:
    | "freeze_interface"
    | "await_children"
    | "add_challenge"
    | "lock_sources"
    | "clear_challenge"
    | "count_attempt"
    | "check_sibling_exports"
    | "amend_spec"
    | "upgrade_model"
    | "wipe_memory"
    | "challenge_spec"
    | "inject_critiques"
    | "advance_head"
    | "move_base";
}

type Table<A extends Actor> = { readonly [Each in A]: { readonly [Exit in ExitName<Each>]: Route } };

const SHARED: Table<"merger" | "rebaser"> = {
  merger: {
    MergeComplete: { action: "broadcast", to: ["parent", "siblings"], mutation: "advance_head" },
    MergeRejected: { action: "loop", to: ["impl"], mutation: "inject_critiques" },
  },
  rebaser: {
    RebaseClean: { action: "resume", to: ["resume"], mutation: "move_base" },
    RebaseAdapted: { action: "resume", to: ["resume"], mutation: "move_base" },
    RebaseConflict: { action: "escalate", to: ["scaffold"] },
  },
};

const CLARIFY: Route = { action: "escalate", to: ["parent"] };
const REPAIR: Route = { action: "repair", to: ["scaffold"] };

const IMPL: Omit<Table<"impl">["impl"], "TestsPassed"> = {
  RequestRetry: { action: "self_loop", to: ["impl"], mutation: "count_attempt" },
  BlockedDependency: { action: "escalate", to: ["scaffold"], mutation: "check_sibling_exports" },
  SpecAmbiguity: { action: "escalate", to: ["scaffold"], mutation: "amend_spec" },
  "Stuck.SkillCeiling": { action: "vertical_scale", to: ["impl"], mutation: "upgrade_model" },
  "Stuck.InfiniteLoop": { action: "context_reset", to: ["impl"], mutation: "wipe_memory" },
  "Stuck.SpecImpossible": { action: "escalate", to: ["scaffold"], mutation: "challenge_spec" },
  "Stuck.ResourceExhausted": { action: "escalate", to: ["person"] },
};

export const ROUTES: {
  readonly batch: Table<"scaffold" | "tdd" | "impl" | "merger" | "rebaser">;
  readonly "ping-pong": Table<"scaffold" | "test_author" | "impl" | "reviewer" | "merger" | "rebaser">;
} = {
  batch: {
    ...SHARED,
    scaffold: {
      InitWork: {
        action: "parallelize",
        to: ["children", "write_tests", "impl"],
        mutation: "freeze_interface",
      },
      ClarificationNeeded: CLARIFY,
    },
    tdd: {
      TestsReady: { action: "dispatch", to: ["impl"], mutation: "await_children" },
      InvalidScaffold: REPAIR,
      Approved: { action: "finalize", to: ["merge"] },
      MoreTests: { action: "loop", to: ["write_tests"], mutation: "inject_critiques" },
      Reject: { action: "escalate", to: ["person"] },
    },
    impl: { ...IMPL, TestsPassed: { action: "loop", to: ["review"] } },
  },
  "ping-pong": {
    ...SHARED,
    scaffold: {
      InitWork: {
        action: "parallelize",
        to: ["children", "test_author", "impl"],
        mutation: "freeze_interface",
      },
      ClarificationNeeded: CLARIFY,
    },
    test_author: {
      EmitChallenge: { action: "dispatch", to: ["impl"], mutation: "add_challenge" },
      ConcludeSuite: { action: "transition", to: ["review"], mutation: "lock_sources" },
      InvalidScaffold: REPAIR,
    },
    impl: { ...IMPL, TestsPassed: { action: "loop", to: ["test_author"], mutation: "clear_challenge" } },
    reviewer: {
      Approve: { action: "finalize", to: ["merge"] },
      RequestChanges: { action: "loop", to: ["impl"], mutation: "inject_critiques" },
      Reject: { action: "loop", to: ["test_author"], mutation: "inject_critiques" },
    },
  },
};

/** The name under which an exit has its route. */
export function exitName(exit: Exits[Actor]): string {
  return exit.kind === "Stuck" ? `Stuck.${exit.subtype}` : exit.kind;
}
