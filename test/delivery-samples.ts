// Projects whose hub holds a result that the checkout does not have yet.
import { toBytePath } from "../src/workshop/git/byte-path.ts";
import type { BytePath } from "../src/workshop/git/byte-path.ts";
import { importCommit } from "../src/workshop/git/fast-import.ts";
import type { FileChange } from "../src/workshop/git/fast-import.ts";
import { moveBranch, tipOf } from "../src/workshop/git/refs.ts";
import { openHub } from "../src/workshop/hub/hub.ts";
import type { Hub } from "../src/workshop/hub/hub.ts";
import { sampleGit, sampleProject } from "./git-samples.ts";
import type { SampleFiles } from "./git-samples.ts";

export const deliveryBase = { "a.txt": "one\n", "keep.txt": "k\n" };

/** What a person is told to type when nothing was delivered. */
export const COMMAND = "git fetch .cupel/hub.git main && git merge --ff-only FETCH_HEAD";

export function head(project: string): string {
  return sampleGit(project, "rev-parse", "HEAD");
}

/** A project whose hub is one commit ahead on `main`; `prepare` runs before the hub is made. */
export async function withResult(result: SampleFiles, prepare: (project: string) => void = () => undefined) {
  const project = sampleProject(deliveryBase);
  prepare(project);
  const hub = await openHub(project);
  return { project, hub, to: await addResult(hub, result) };
}

/** What an agent's work becomes: a commit in the hub that the person has not seen. */
export async function addResult(hub: Hub, files: SampleFiles): Promise<string> {
  const from = await tipOf(hub.gitDir, "main");
  const changes = Object.entries(files).map(([path, content]) => asChange(toBytePath(path), content));
  const ref = "refs/heads/incoming";
  const to = await importCommit({
    gitDir: hub.gitDir,
    ref,
    parent: from,
    message: "impl: result\n",
    at: 1,
    changes,
  });
  await moveBranch(hub.gitDir, "main", from, to);
  return to;
}

function asChange(path: BytePath, content: SampleFiles[string]): FileChange {
  if (content === null || content === undefined) return { kind: "delete", path };
  const write = (mode: string, bytes: string | Uint8Array): FileChange => ({
    kind: "write",
    path,
    mode,
    content: Buffer.from(bytes),
  });
  if (typeof content === "string" || content instanceof Uint8Array) return write("100644", content);
  if ("link" in content) return write("120000", content.link);
  return write(content.executable ? "100755" : "100644", content.text);
}
