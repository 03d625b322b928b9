// The files of a module in a commit, for roles that judge code: as much as somebody can read, and nothing else.
import type { ModuleText } from "../../protocols/port.ts";
import { isText, toText } from "../../workshop/git/byte-path.ts";
import { objectId } from "../../workshop/git/commits.ts";
import { readTree } from "../../workshop/git/objects.ts";
import type { Hub } from "../../workshop/hub/hub.ts";
import { MOST_BYTES } from "../ship/module-files.ts";

export async function readModule(
  { gitDir }: Pick<Hub, "gitDir">,
  commit: string,
  folder: string,
): Promise<ModuleText> {
  const files: Record<string, string> = {};
  let left = MOST_BYTES;
  const tree = `${objectId(commit)}:modules/${folder}`;
  for await (const { path, content } of readTree(gitDir, tree, ({ mode }) => mode.startsWith("100"))) {
    left -= content.length;
    if (left < 0) {
      const problem = `modules/${folder} holds more than ${MOST_BYTES} bytes, too much to be judged: make it smaller`;
      return { kind: "too-large", problem };
    }
    if (isText(path)) files[toText(path)] = content.toString("utf8");
  }
  return { kind: "read", files };
}
