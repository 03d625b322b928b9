// Brings a tag of the hub to the person's repository; one of the same name that is not the same stays as it is.
import { checkoutGit, openCheckout, tryCheckoutGit } from "../git/checkout.ts";
import { readRef } from "../git/refs.ts";
import { CupelError } from "../../domain/error.ts";
import type { Hub } from "./hub.ts";
import { fetchFromHub } from "./quiet-fetch.ts";
import { quoted } from "./repository-refusals.ts";

export type TagDelivery =
  | { kind: "delivered" }
  /** It was there before. */
  | { kind: "nothing" }
  /** Nothing was touched; `command` is what to type instead. */
  | { kind: "left"; why: string; command: string };

export async function deliverTag(hub: Hub, tag: string): Promise<TagDelivery> {
  const ref = `refs/tags/${tag}`;
  const wanted = await readRef(hub.gitDir, ref);
  if (wanted === undefined) throw new CupelError("not_found", `the hub has no tag ${tag}`);
  const checkout = await openCheckout(hub.project);
  const there = await tryCheckoutGit(checkout, ["rev-parse", "--quiet", "--verify", ref]);
  if (there.kind === "exited" && there.code === 0) {
    if (there.stdout.trim() === wanted) return { kind: "nothing" };
    const command = `git fetch .cupel/hub.git ${quoted(`${ref}:refs/tags/cupel-${tag}`)}`;
    return { kind: "left", why: `there is another tag ${tag} in the repository already`, command };
  }
  const problem = await fetchFromHub(checkout, hub.gitDir, `${ref}:${ref}`);
  if (problem !== undefined) {
    const command = `git fetch .cupel/hub.git ${quoted(`${ref}:${ref}`)}`;
    return { kind: "left", why: problem, command };
  }
  const now = (await checkoutGit(checkout, ["rev-parse", "--verify", ref])).trim();
  if (now === wanted) return { kind: "delivered" };
  throw new CupelError("git_failed", `the tag ${tag} did not arrive in ${quoted(hub.project)}`);
}
