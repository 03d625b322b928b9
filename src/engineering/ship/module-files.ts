// The files of a module in a commit of the hub, as far as they can be part of one; nothing of it is run or believed.
import { staysInside } from "../../domain/artifact/context-pack.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { ModuleFolder } from "../../domain/run/ship-record.ts";
import type { Files } from "../../toolchains/port.ts";
import { LEFT_OUT } from "../../toolchains/left-out.ts";
import { isText, toText } from "../../workshop/git/byte-path.ts";
import { objectId } from "../../workshop/git/commits.ts";
import { hasTree, readTree } from "../../workshop/git/objects.ts";
import type { Hub } from "../../workshop/hub/hub.ts";

export const EXAMPLES = "examples.md";
export const CONTRACT = "contract.json";
export const SHIP = "ship.json";

export type ModuleFiles =
  | { kind: "module"; files: Files }
  /** In words that say what to change. */
  | { kind: "refused"; problems: string[] };

/**
 * The contract is the locked one, whatever the commit says, or the commit's own where none is given; the evidence of an
 * earlier version is left out. Work that is on its way may still lack its examples.
 */
export async function moduleFilesAt(
  hub: Pick<Hub, "gitDir">,
  commit: string,
  folder: string,
  contract: MicroModuleContract | undefined,
  state: "finished" | "on-its-way" = "finished",
): Promise<ModuleFiles> {
  const home = `modules/${parseOrThrow(ModuleFolder, folder, "the module's folder")}`;
  const tree = `${objectId(commit)}:${home}`;
  if (!(await hasTree(hub.gitDir, tree)))
    return { kind: "refused", problems: [`there is no ${home}/ in the work: put the module there`] };

  const locked = contract === undefined ? {} : { [CONTRACT]: contractText(contract) };
  const leftOut = [SHIP, ...Object.keys(locked)];
  const files: Record<string, string> = {};
  const problems: string[] = [];
  let bytes = 0;
  for await (const { path, mode, content } of readTree(hub.gitDir, tree, ({ mode: m }) => m !== "160000")) {
    const name = toText(path);
    bytes += content.length;
    if (Object.keys(files).length >= MOST_FILES || bytes > MOST_BYTES) {
      problems.push(`${home} holds more than ${MOST_FILES} files or ${MOST_BYTES} bytes: make it smaller`);
      break;
    }
    if (leftOut.includes(name)) continue;
    const problem =
      problemOf(name, { mode, content, isText: isText(path) }) ?? takenName(name, Object.keys(files));
    if (problem === undefined) files[name] = content.toString("utf8");
    else problems.push(`${home}/${name} ${problem}`);
  }
  if (files[EXAMPLES] === undefined && problems.length === 0 && state === "finished")
    problems.push(`${home}/${EXAMPLES} is missing: show every entry point and every error by example`);
  if (problems.length > 0) return { kind: "refused", problems: problems.slice(0, MOST_PROBLEMS) };
  return { kind: "module", files: { ...files, ...locked } };
}

export function contractText(contract: MicroModuleContract): string {
  return `${JSON.stringify(contract, null, 2)}\n`;
}

const MOST_FILES = 1000;
/** Of a whole module, tests and examples among them: more than that nobody can judge. */
export const MOST_BYTES = 400_000;
const MOST_PROBLEMS = 20;

function problemOf(
  path: string,
  { mode, content, isText: isName }: { mode: string; content: Buffer; isText: boolean },
): string | undefined {
  if (!isName || !staysInside(path)) return "has a name that cannot be a file's: rename it";
  if (mode !== "100644" && mode !== "100755") return "is a link: put the file itself there";
  if (path !== EXAMPLES && path !== CONTRACT && !/^(?:src|test)\//.test(path))
    return `does not belong to a module, which is ${EXAMPLES}, src/ and test/: move or delete it`;
  const unjudged = unjudgedPlace(path);
  if (unjudged !== undefined) return unjudged;
  const isUtf8 = Buffer.from(content.toString("utf8")).equals(content);
  return isUtf8 && !content.includes(0) ? undefined : "is not text: write it as code";
}

/** What ships is what was judged: nothing may lie where no gate looks, or change what the rest is taken for. */
function unjudgedPlace(path: string): string | undefined {
  const names = path.split("/").slice(1);
  const hidden = names.find((name) => LEFT_OUT.has(alike(name)));
  if (hidden !== undefined)
    return `lies in ${hidden}, where nobody looks: move it to a folder with another name`;
  if (names.some((name) => /^\.git/i.test(name))) return "tells git how to read the others: delete it";
  if (!path.startsWith("src/")) return undefined;
  if (/^(?:package|tsconfig[\w.-]*|jsconfig)\.json$/i.test(names.at(-1) ?? ""))
    return "changes how the code is read or loaded: give it another name";
  return /\.[cm]?jsx?$/.test(path)
    ? "is not TypeScript, so the compiler sees none of it: write it anew"
    : undefined;
}

/** Some machines keep only one of two names that differ in case, or in how their letters are put together. */
function takenName(path: string, others: readonly string[]): string | undefined {
  const other = others.find((each) => alike(each) === alike(path));
  return other === undefined ? undefined : `is the same name as ${other} on some machines: rename it`;
}

function alike(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}
