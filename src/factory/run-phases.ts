// A run in four phases: the specification, the tasks, end-to-end tests, the release. Each either leads to the next or says why it does not.
import type { ProductSpec } from "../domain/product/product-spec.ts";
import type { Engineering } from "./engineering.ts";
import type { Works } from "./works.ts";

/** What every phase is given. */
export interface RunContext {
  works: Works;
  /** Opened once, by whoever needs it first. */
  engineering: () => Promise<Engineering>;
  /** Aborted: whatever is under way drains. */
  signal: AbortSignal;
}

/** Why a run does not go on by itself. */
export type RunStop =
  /** Tasks halted; a person resolves them. */
  | { kind: "halted"; tasks: string[] }
  /** Something else waits for a person: an approval, or tasks behind abandoned ones. */
  | { kind: "waiting"; why: string; command: string }
  | { kind: "over-budget"; why: string }
  /** A gate of the release says no. */
  | { kind: "failed"; why: string }
  | { kind: "stopped"; why: string };

export interface Phases {
  product: (context: RunContext) => Promise<{ kind: "approved"; spec: ProductSpec } | RunStop>;
  project: (context: RunContext, spec: ProductSpec) => Promise<{ kind: "finished" } | RunStop>;
  e2e: (context: RunContext) => Promise<{ kind: "tried" } | RunStop>;
  release: (context: RunContext, spec: ProductSpec) => Promise<{ kind: "released"; what: string } | RunStop>;
}

export type RunEnd = { kind: "released"; what: string } | RunStop;

export async function runPhases(context: RunContext, phases: Phases): Promise<RunEnd> {
  const product = await phases.product(context);
  if (product.kind !== "approved") return product;
  const project = await phases.project(context, product.spec);
  if (project.kind !== "finished") return project;
  const e2e = await phases.e2e(context);
  if (e2e.kind !== "tried") return e2e;
  return phases.release(context, product.spec);
}
