// Brings a release to its end after its gates let it out: record, file, tag, journal, the person's repository.
import { CupelError } from "../domain/error.ts";
import type { ReleaseManifest } from "../domain/people/release.ts";
import { readRef } from "../workshop/git/refs.ts";
import { tag } from "../workshop/git/tags.ts";
import { deliverTag } from "../workshop/hub/deliver-tag.ts";
import { type Kept, record, tell, write } from "./keep-release.ts";
import type { ReleaseOutcome, ReleasePorts } from "./port.ts";
import { manifestsIn } from "./released-before.ts";

/** Every step may be done again. */
export async function finish(ports: ReleasePorts, made: Kept, again: boolean): Promise<ReleaseOutcome> {
  const { onStep, hub } = ports;
  const kept = await record(ports, made);
  onStep?.("recorded");
  await write(ports, kept);
  onStep?.("written");
  const { manifest } = kept;
  const name = `v${manifest.version}`;
  await tagged(ports, manifest, name);
  onStep?.("tagged");
  await tell(ports, kept);
  onStep?.("told");
  const delivery = await deliverTag(hub, name);
  onStep?.("delivered");
  return { kind: "released", manifest, tag: name, again, delivery };
}

async function tagged({ hub }: ReleasePorts, manifest: ReleaseManifest, name: string): Promise<void> {
  const { commit, created_at, release_id, scope, modules } = manifest;
  const message = [
    `Release ${manifest.version} (${scope}, ${release_id})`,
    "",
    ...modules.map(({ module_ref }) => module_ref),
  ].join("\n");
  const at = Math.floor(Date.parse(created_at) / 1000);
  const tagging = await tag(hub.gitDir, { name, commit, message, at });
  if (tagging.kind === "tagged") return;
  throw new CupelError("already_exists", `the hub has another tag ${name} (${tagging.by.slice(0, 12)})`, {
    expected: "a version that is not taken",
    hint: `git --git-dir=.cupel/hub.git tag -d ${name} (if it is not yours), then the same command again`,
  });
}

/** What a crash has interrupted, also where the product has changed since. */
export async function finishEarlier(ports: ReleasePorts): Promise<void> {
  for (const manifest of await manifestsIn(ports.store)) {
    if (manifest.overall_result === "FAIL") continue;
    const tag = await readRef(ports.hub.gitDir, `refs/tags/v${manifest.version}`);
    if (tag === undefined) await finish(ports, { manifest }, true);
  }
}
