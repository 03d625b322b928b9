// The releases there are already, and which version the next one has.
import { parseOrThrow } from "../domain/parse.ts";
import { ReleaseManifest } from "../domain/people/release.ts";
import { bump, compareSemver } from "../domain/semver.ts";
import type { StateStore } from "../store/state-store.ts";

export const MANIFEST_FILE = "manifest.json";
export const FAILURE_FILE = "failure.json";

/** Every manifest, of releases that were refused, too; the oldest first. */
export async function manifestsIn(store: Pick<StateStore, "artifacts">): Promise<ReleaseManifest[]> {
  const rows = await store.artifacts.query({ type: "RELEASE_MANIFEST" });
  const manifests = await Promise.all(rows.map(({ envelope }) => manifestOf(store, envelope.artifact_id)));
  return manifests.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

export async function manifestOf(
  { artifacts }: Pick<StateStore, "artifacts">,
  id: string,
): Promise<ReleaseManifest> {
  const text = String(await artifacts.readBody(id, MANIFEST_FILE));
  return parseOrThrow(ReleaseManifest, JSON.parse(text), `the manifest ${id}`);
}

/** The specification's own version while it is new, then patches of it; a partial release leads up to the next full one. */
export function nextVersion(
  { scope, specVersion }: { scope: "full" | "partial"; specVersion: string },
  before: readonly ReleaseManifest[],
): string {
  const released = before.filter(({ overall_result }) => overall_result === "PASS");
  const newest = released
    .filter((manifest) => manifest.scope === "full")
    .map(({ version }) => version)
    .toSorted(compareSemver)
    .at(-1);
  const full =
    newest === undefined || compareSemver(specVersion, newest) > 0 ? specVersion : bump(newest, "patch");
  if (scope === "full") return full;
  const parts = released.filter(({ version }) => version.startsWith(`${full}-partial.`));
  return `${full}-partial.${parts.length + 1}`;
}
