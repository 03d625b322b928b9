// A small repository for a benchmark to work on.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../src/workshop/git/git.ts";

export async function newProject(project: string): Promise<string> {
  await git(["init", "-q", "-b", "main", project]);
  writeFileSync(join(project, "README.md"), "# Invoices\n");
  const inProject = { gitDir: join(project, ".git"), env: { GIT_WORK_TREE: project } };
  await git(["add", "-A"], inProject);
  await git(["commit", "-qm", "start"], inProject);
  return project;
}
