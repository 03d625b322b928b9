// The files of a module in a commit, for roles that judge code: as much as somebody can read, and nothing else.
import { CupelError } from "../../domain/error.ts";
import { isText, toText } from "../../workshop/git/byte-path.ts";
import { objectId } from "../../workshop/git/commits.ts";
import { readTree } from "../../workshop/git/objects.ts";
import type { Hub } from "../../workshop/hub/hub.ts";

const MOST_BYTES = 400_000;

export async function readModule(
  { gitDir }: Pick<Hub, "gitDir">,
  commit: string,
  folder: string,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  let left = MOST_BYTES;
  const tree = `${objectId(commit)}:modules/${folder}`;
  for await (const { path, content } of readTree(gitDir, tree, ({ mode }) => mode.startsWith("100"))) {
    left -= content.length;
    if (left < 0) {
      throw new CupelError("invalid_input", `the module ${folder} is too large to be read`, {
        expected: `at most ${MOST_BYTES} bytes`,
        hint: "cut it into smaller modules",
      });
    }
    if (isText(path)) files[toText(path)] = content.toString("utf8");
  }
  return files;
}
