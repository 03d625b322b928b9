// How commits and tags travel between a person's repository and the hub: nothing is written but what was asked for.
import { type Checkout, tryCheckoutGit } from "../git/checkout.ts";

export const QUIET_FETCH = [
  "fetch",
  "--quiet",
  "--no-write-fetch-head",
  "--no-tags",
  "--no-auto-maintenance",
  "--no-recurse-submodules",
] as const;

/** What git said when it did not work. */
export async function fetchFromHub(
  checkout: Checkout,
  hubGitDir: string,
  refspec: string,
): Promise<string | undefined> {
  const fetched = await tryCheckoutGit(checkout, [...QUIET_FETCH, "--", hubGitDir, refspec]);
  return fetched.kind === "exited" && fetched.code === 0 ? undefined : `git said: ${fetched.stderr.trim()}`;
}
