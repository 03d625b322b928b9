// Puts a release together around one run, and the door's own way to one; also the giving up of a module.
import { join } from "node:path";
import { deprecate, type Deprecation, type DeprecationOrder } from "../release/deprecate.ts";
import type { ReleaseOrder, ReleaseOutcome } from "../release/port.ts";
import { release } from "../release/release.ts";
import { packagesInUse } from "../toolchains/typescript/packages-in-use.ts";
import { type Delivery, deliver } from "../workshop/hub/deliver.ts";
import { type Closing, closing } from "./closing.ts";
import { codeIndexOf } from "./code-index.ts";
import { type Engineering, type EngineeringOptions, openEngineering } from "./engineering.ts";
import { isOwnScript } from "./own-script.ts";
import type { RunOutcome } from "./run.ts";
import { openWorks, scriptOf, type Works } from "./works.ts";

export interface Release {
  /** Drains and says `stopped` when the signal comes. */
  release(order: ReleaseOrder): Promise<ReleaseOutcome>;
}

/** On what a run has opened already. */
export function openRelease(works: Works, { ports }: Engineering): Release {
  const { runId, fence, store, hub, sandbox, index, workplace, now } = ports;
  const packages = {
    packageCache: join(works.project, ".cupel", "packages"),
    // Never those that lie in the product's folder.
    ownPackages: packagesInUse({}, import.meta.dirname),
  };
  const { rigor } = works.config;
  const releasing = { rigor, runId, fence, store, hub, sandbox, index, workplace, now, ...packages };
  return {
    release: (order) => release(releasing, { ...order, signal: AbortSignal.any([order.signal, works.lost]) }),
  };
}

export interface ReleasedByHand {
  outcome: ReleaseOutcome;
  /** What became of the product in the person's checkout; undefined where nothing was released. */
  delivery: Delivery | undefined;
}

/** A run of its own for one release. */
export async function releaseProject(
  project: string,
  order: ReleaseOrder,
  options: EngineeringOptions = {},
): Promise<ReleasedByHand> {
  return withWorks(project, async (works, open) => {
    // The demo's own product needs nobody's word to do without a sandbox.
    const ownScripts = isOwnScript(scriptOf(works.config, { project }).replay);
    const engineering = await openEngineering(works, { ownScripts, ...options });
    open.add(() => engineering.close());
    const outcome = await openRelease(works, engineering).release(order);
    const { hub } = engineering.ports;
    const delivery = outcome.kind === "released" ? await deliver(hub, hub.branch) : undefined;
    return { value: { outcome, delivery }, end: END[outcome.kind] };
  });
}

const END = { released: "completed", failed: "failed", "not-ready": "stopped", stopped: "stopped" } as const;

/** A run of its own for one module that is given up. */
export async function deprecateModule(project: string, order: DeprecationOrder): Promise<Deprecation> {
  return withWorks(project, async (works, open) => {
    const { index, close } = codeIndexOf(works, process.env);
    open.add(close);
    const { store, fence, runId } = works;
    const ports = { index, store, fence, runId, now: () => new Date() };
    return { value: await deprecate(ports, order), end: "completed" };
  });
}

/** Whatever happens, what was opened is closed in the opposite order. */
async function withWorks<T>(
  project: string,
  work: (works: Works, open: Closing) => Promise<{ value: T; end: RunOutcome }>,
): Promise<T> {
  const works = await openWorks({ project, missing: "refuse" });
  const open = closing();
  let outcome: RunOutcome = "failed";
  open.add(() => works.close(outcome));
  try {
    const { value, end } = await work(works, open);
    outcome = end;
    return value;
  } finally {
    await open.close();
  }
}
