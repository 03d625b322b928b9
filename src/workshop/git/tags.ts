// Tags with a message, made so that the same tag made again is the same object.
import { objectId } from "./commits.ts";
import { git, IDENTITY } from "./git.ts";
import { moveRef } from "./refs.ts";

export interface NewTag {
  name: string;
  commit: string;
  message: string;
  /** Seconds since 1970. */
  at: number;
}

/** `taken`: there is another one of this name, which stays. */
export type Tagging = { kind: "tagged" } | { kind: "taken"; by: string };

export async function tag(gitDir: string, { name, commit, message, at }: NewTag): Promise<Tagging> {
  const text = [
    `object ${objectId(commit)}`,
    "type commit",
    `tag ${name}`,
    `tagger ${IDENTITY.name} <${IDENTITY.email}> ${at} +0000`,
    "",
    message,
  ].join("\n");
  const made = await git(["hash-object", "-t", "tag", "-w", "--stdin"], { gitDir, stdin: `${text}\n` });
  const moved = await moveRef(gitDir, `refs/tags/${name}`, undefined, made.trim());
  if (moved.kind === "moved" || moved.found === made.trim()) return { kind: "tagged" };
  return { kind: "taken", by: moved.found ?? "another" };
}
