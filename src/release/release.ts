// Releases a product: takes its picture, lets every gate look at it, and keeps, tags and delivers what they let out.
import { CupelError } from "../domain/error.ts";
import { judgeIntegration } from "../domain/people/integration-verdict.ts";
import type { ReleaseManifest } from "../domain/people/release.ts";
import { Shelf } from "../engineering/ship/shelf.ts";
import { withLease } from "../engineering/ship/ship-lease.ts";
import { tipOf } from "../workshop/git/refs.ts";
import { refresh } from "../workshop/hub/hub.ts";
import { finish, finishEarlier } from "./finish-release.ts";
import { pictureOf } from "./gather.ts";
import { lookAtProduct } from "./gates/e2e.ts";
import { judgePicture } from "./gates/judge-picture.ts";
import { failureReport, record, releaseId, tell, write } from "./keep-release.ts";
import { contentOf, manifestFor } from "./make-manifest.ts";
import { partialCommit } from "./partial-commit.ts";
import type { ReleasePicture } from "./picture.ts";
import type { ReleaseOrder, ReleaseOutcome, ReleasePorts, Verdicts } from "./port.ts";
import { manifestOf } from "./released-before.ts";
import { modulesOf, type ReleaseScope, scopeOf } from "./scope.ts";

/** The same again after a crash, or when nothing has changed, is the same release. */
export async function release(ports: ReleasePorts, order: ReleaseOrder): Promise<ReleaseOutcome> {
  const scope = await scopeOf(ports.store, order);
  if (scope.kind === "not-ready") return scope;
  return withLease(ports, "release", () => releaseScope(ports, scope, order.signal));
}

async function releaseScope(
  ports: ReleasePorts,
  scope: ReleaseScope,
  signal: AbortSignal,
): Promise<ReleaseOutcome> {
  await finishEarlier(ports);
  const { placed, picture } = await pictured(ports, scope);
  ports.onStep?.("pictured");
  const content = contentOf(scope, placed, picture);
  const known = await knownRelease(ports, releaseId(content));
  if (known !== undefined) return finish(ports, { manifest: known }, true);
  const verdicts = await judged(ports, picture, signal);
  if (verdicts === undefined) return { kind: "stopped", why: "it was stopped before its gates were done" };
  ports.onStep?.("judged");
  const manifest = await manifestFor(ports, { scope, placed, picture, content, verdicts });
  if (manifest.overall_result === "PASS") return finish(ports, { manifest }, false);
  const kept = await record(ports, { manifest, report: failureReport(manifest) });
  ports.onStep?.("recorded");
  await write(ports, kept);
  await tell(ports, kept);
  return { kind: "failed", manifest: kept.manifest, report: failureReport(kept.manifest) };
}

/** While nothing ships: modules and commit belong together. */
async function pictured(ports: ReleasePorts, scope: ReleaseScope) {
  return withLease(ports, "ship", async () => {
    await takeOver(ports);
    const ships = await ports.store.ships.list();
    const placed = modulesOf(scope, new Shelf(ships.map((ship) => ship.record)));
    const tip = await tipOf(ports.hub.gitDir, ports.hub.branch);
    const commit = scope.scope === "full" ? tip : await partialCommit(ports, tip, placed);
    const tasks = scope.tasks.map(({ task, entry }) => ({ task, modules: entry.module_refs }));
    return {
      placed,
      picture: await pictureOf(ports, { commit, placed, tasks, whole: scope.scope === "full" }),
    };
  });
}

/** What the person committed is part of what is released. */
async function takeOver({ hub }: ReleasePorts): Promise<void> {
  const refreshed = await refresh(hub);
  if (refreshed.kind !== "diverged") return;
  throw new CupelError("git_failed", `${hub.branch} has commits that the product was not built on`, {
    expected: "one history that holds both",
    hint: refreshed.hint,
  });
}

async function knownRelease({ store }: ReleasePorts, id: string): Promise<ReleaseManifest | undefined> {
  return (await store.artifacts.has(id)) ? manifestOf(store, id) : undefined;
}

/** Undefined where it was stopped. All of them look, so that one report says everything. */
async function judged(
  ports: ReleasePorts,
  picture: ReleasePicture,
  signal: AbortSignal,
): Promise<Verdicts | undefined> {
  const quick = judgePicture(picture);
  const began = performance.now();
  const damaged = picture.modules.some(({ damage }) => damage !== undefined);
  const looked = damaged ? NOT_TRIED : await lookAtProduct(ports, picture, signal);
  if (looked === undefined || signal.aborted) return undefined;
  const durationMs = performance.now() - began;
  return [...quick, judgeIntegration({ gate: "e2e_check", ...looked, durationMs })];
}

const NOT_TRIED = {
  looked: 0,
  summary: "not tried, since sealed modules are damaged",
  violations: [
    {
      module_ref: null,
      references: [],
      explanation: "the product was not tried, since what was sealed is damaged",
      next: "cupel store fsck",
    },
  ],
};
