// Copies the commits of the person's branch into the hub, writing nothing on either side but the hub's objects.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branchRef } from "../git/branch-names.ts";
import { checkoutGit, openCheckout } from "../git/checkout.ts";
import { gitError } from "../git/git.ts";
import { tryGitLocked } from "../git/locks.ts";
import { hasObject } from "../git/object-reader.ts";
import { QUIET_FETCH } from "./quiet-fetch.ts";
import type { RepositoryFacts } from "./repository-facts.ts";

/**
 * Copies the commits of the person's branch into the hub and says where it stands; no ref is written. Undefined when
 * the branch changed in between. Objects are copied, never borrowed, since the person's gc may remove its own.
 */
export async function fetchBranch(
  gitDir: string,
  facts: RepositoryFacts,
  branch: string,
): Promise<string | undefined> {
  const project = facts.top;
  const checkout = await openCheckout(project);
  const tip = (
    await checkoutGit(checkout, ["rev-parse", "--verify", `${branchRef(branch)}^{commit}`])
  ).trim();
  const holdsTip = () => hasObject(gitDir, `${tip}^{commit}`, "commit");
  if (await holdsTip()) return tip;
  const args = [...QUIET_FETCH, "--update-shallow", "--", project, branchRef(branch)];
  const result = await tryGitLocked(args, {
    gitDir,
    env: { GIT_CONFIG_GLOBAL: trustFile(gitDir, { project, source: facts.gitDir }) },
  });
  if (result.kind !== "exited" || result.code !== 0) throw gitError(args, result);
  return (await holdsTip()) ? tip : undefined;
}

/** The person's git trusts the repository, whoever owns it; the git that reads it for the hub is told so by this file. */
function trustFile(gitDir: string, hub: { project: string; source: string }): string {
  const file = join(gitDir, "trust.gitconfig");
  const trusted = [hub.project, join(hub.project, ".git"), hub.source];
  const content = `[safe]\n${trusted.map((path) => `\tdirectory = ${configValue(path)}\n`).join("")}`;
  if (existsSync(file) && readFileSync(file, "utf8") === content) return file;
  const writing = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`;
  writeFileSync(writing, content);
  renameSync(writing, file);
  return file;
}

/** As the file of git's settings takes it. */
export function configValue(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
