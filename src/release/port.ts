// What a release is given to work with, what is asked of it, and what comes out.
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { IntegrationVerdict } from "../domain/people/integration-verdict.ts";
import type { ReleaseFailureReport, ReleaseManifest } from "../domain/people/release.ts";
import type { TaskStatus } from "../domain/task/task-status.ts";
import type { EngineeringPorts } from "../engineering/port.ts";
import type { TagDelivery } from "../workshop/hub/deliver-tag.ts";

export interface ReleasePorts extends Pick<
  EngineeringPorts,
  "runId" | "fence" | "store" | "hub" | "sandbox" | "index" | "workplace" | "now"
> {
  /** Whether end-to-end tests are wanted. */
  rigor: Pick<Rigor, "layers">;
  /** Where packages that were installed from a lock file are kept. */
  packageCache: string;
  /** Cupel's own `node_modules`, for a product that has no lock file and needs nothing else. */
  ownPackages: string;
  /** Installs nothing that would have to be fetched. */
  offline?: boolean;
  /** How long a release that died keeps others waiting; some seconds unless told. */
  leaseMs?: number;
  /** Told of each step that is done, for whoever watches. */
  onStep?: (step: ReleaseStep) => void;
}

/** In this order. Before `recorded` nothing has happened; what comes after it is done again until it is done. */
export type ReleaseStep = "pictured" | "judged" | "recorded" | "written" | "tagged" | "told" | "delivered";

export type ReleaseOrder = { signal: AbortSignal } & (
  | { scope: "full" }
  /** These tasks, and whatever their modules are built on. */
  | { scope: "partial"; tasks: readonly string[] }
);

export type ReleaseOutcome =
  | {
      kind: "released";
      manifest: ReleaseManifest;
      tag: string;
      /** Nothing has changed since: it is the release that was made before. */
      again: boolean;
      delivery: TagDelivery;
    }
  | { kind: "failed"; manifest: ReleaseManifest; report: ReleaseFailureReport }
  /** Nothing was judged: tasks are not done. */
  | { kind: "not-ready"; why: string; tasks: { task: string; status: TaskStatus }[]; next: string }
  | { kind: "stopped"; why: string };

/** The gates of one release with what each says. */
export type Verdicts = readonly IntegrationVerdict[];
