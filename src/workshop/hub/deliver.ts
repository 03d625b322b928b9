// Brings a branch of the hub to the person's checkout, when that is a plain fast-forward; otherwise touches nothing.
import { findObstacle } from "./delivery-obstacles.ts";
import type { LeftReason } from "./delivery-obstacles.ts";
import { branchRef } from "../git/branch-names.ts";
import { checkoutGit, openCheckout, tryCheckoutGit } from "../git/checkout.ts";
import type { Checkout } from "../git/checkout.ts";
import { isAncestor } from "../git/commits.ts";
import { changedPaths } from "../git/diff.ts";
import { tipOf } from "../git/refs.ts";
import { fetchCommand } from "./hub.ts";
import type { Hub } from "./hub.ts";
import { fetchFromHub } from "./quiet-fetch.ts";
import { quoted } from "./repository-refusals.ts";

/** `left`: nothing was touched; `why` says it in words and `command` is what to type instead, or to see the danger. */
export type Delivery =
  | { kind: "delivered"; from: string; to: string; files: string[] }
  | { kind: "nothing" }
  | { kind: "left"; reason: LeftReason; why: string; files: string[]; command: string };

/**
 * Hooks, file monitors and filters never run, the person's own neither: any of them may be or start a file of the
 * work tree, and that file may be what is being delivered. What needs one of them is left to the person.
 */
export async function deliver(hub: Hub, branch: string): Promise<Delivery> {
  const checkout = await openCheckout(hub.project);
  const to = await tipOf(hub.gitDir, branch);
  const left = (reason: LeftReason, why: string, files: string[] = []): Delivery => ({
    kind: "left",
    reason,
    why,
    files,
    command: commandFor(reason, branch, files),
  });
  const head = await tryCheckoutGit(checkout, ["symbolic-ref", "--quiet", "HEAD"]);
  if (head.stdout.replace(/\n$/, "") !== branchRef(branch)) {
    return left("other-branch", `${branch} is not the branch that is checked out`);
  }
  const from = (await checkoutGit(checkout, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
  switch (await compare(hub, from, to)) {
    case "same":
      return { kind: "nothing" };
    case "apart":
      return left("diverged", `the checkout has commits that the results were not built on`);
    case "ahead":
      break;
  }
  const changes = await changedPaths(hub.gitDir, from, to);
  const obstacle = await findObstacle(checkout, hub, changes, to);
  if (obstacle !== undefined) return left(obstacle.reason, obstacle.why, obstacle.files);
  const refused = await forward(checkout, hub, { branch, from, to });
  if (refused !== undefined) return left("refused", refused);
  return { kind: "delivered", from, to, files: changes.map(({ path }) => path) };
}

function commandFor(reason: LeftReason, branch: string, files: readonly string[]): string {
  switch (reason) {
    case "factory-files":
    case "runs-later":
    case "overwrites":
      return inspectCommand(branch, files);
    case "diverged":
      return fetchCommand(branch).replace(" --ff-only", "");
    case "other-branch":
    case "in-progress":
    case "not-clean":
    case "filters":
    case "refused":
      return fetchCommand(branch);
  }
}

/** Shows what was refused and changes no file: a command that carries it out must not be there to be pasted. */
function inspectCommand(branch: string, files: readonly string[]): string {
  const command = `git fetch .cupel/hub.git ${quoted(branch)} && git diff HEAD FETCH_HEAD`;
  // A name that a terminal would act on, or that is not the file's whole name: everything is shown instead.
  const nameable =
    files.length <= MOST_NAMES && !files.some((file) => /[\p{C}\p{Zl}\p{Zp}\uFFFD]/u.test(file));
  if (!nameable) return command;
  return `${command} -- ${files.map((file) => quoted(literal(file))).join(" ")}`;
}

const MOST_NAMES = 50;

/** As git's pathspecs take it: a name may look like a pattern. */
function literal(file: string): string {
  return /^:|[*?[\\]/.test(file) ? `:(literal)${file}` : file;
}

async function compare(hub: Hub, from: string, to: string): Promise<"same" | "ahead" | "apart"> {
  if (from === to) return "same";
  try {
    if (await isAncestor(hub.gitDir, to, from)) return "same";
    return (await isAncestor(hub.gitDir, from, to)) ? "ahead" : "apart";
  } catch {
    // A commit that the hub has never seen.
    return "apart";
  }
}

/** Files and index first, as git's own merge does it, then the branch. Undefined when it worked. */
async function forward(
  checkout: Checkout,
  hub: Hub,
  move: { branch: string; from: string; to: string },
): Promise<string | undefined> {
  const { branch, from, to } = move;
  // Objects only; no ref of the person's repository is written.
  const problem = await fetchFromHub(checkout, hub.gitDir, branchRef(branch));
  if (problem !== undefined) return problem;
  const updated = await tryCheckoutGit(checkout, ["read-tree", "-m", "-u", from, to]);
  if (updated.kind !== "exited" || updated.code !== 0) return `git said: ${updated.stderr.trim()}`;
  const identity = { GIT_COMMITTER_NAME: "Cupel", GIT_COMMITTER_EMAIL: "cupel@localhost" };
  const args = ["update-ref", "-m", "cupel: fast-forward", branchRef(branch), to, from];
  const moved = await tryCheckoutGit(checkout, args, { env: identity });
  if (moved.kind === "exited" && moved.code === 0) return undefined;
  const now = (
    await checkoutGit(checkout, ["rev-parse", "--verify", `${branchRef(branch)}^{commit}`])
  ).trim();
  // Another process delivered the same at the same time.
  if (now === to) return undefined;
  // Somebody committed in between, or holds the branch: the files go where it is.
  await tryCheckoutGit(checkout, ["read-tree", "-m", "-u", to, now]);
  return `git said: ${moved.stderr.trim()}`;
}
