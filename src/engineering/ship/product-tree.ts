// What one ship changes in the product: the module's folder, older versions that are still in use, and the manifest.
import { CupelError } from "../../domain/error.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { toBytePath } from "../../workshop/git/byte-path.ts";
import { objectId } from "../../workshop/git/commits.ts";
import type { FileChange } from "../../workshop/git/fast-import.ts";
import { git } from "../../workshop/git/git.ts";
import { COMPILER_SETTINGS, isManifest, manifestText } from "./manifest.ts";
import type { ShipPorts } from "./port.ts";
import type { Placed, Shelf } from "./shelf.ts";
import { sourcesOf } from "./store-files.ts";

const MANIFEST = "package.json";

/**
 * On top of a commit. Folders of other modules stay as they are, also where a person has changed them, unless what they
 * import has got another name.
 */
export async function productChanges(
  ports: ShipPorts,
  { folder }: ShipRecord,
  shelf: Shelf,
  tip: string,
): Promise<FileChange[]> {
  const there = await lookAt(ports.hub.gitDir, tip);
  const placed = shelf.product();
  const isNew = (name: string) => name.includes("@") && !there.modules.includes(name);
  const touched = placed.filter(
    ({ name, renames }) =>
      name === folder || name.startsWith(`${folder}@`) || renames.has(`#modules/${folder}`) || isNew(name),
  );
  const wanted = new Set(placed.map(({ name }) => name));
  const unused = there.modules.filter((name) => name.includes("@") && !wanted.has(name));
  const changes: FileChange[] = unused.map((name) => removal(`modules/${name}`));
  for (const each of touched) changes.push(...(await folderChanges(ports, each)));
  const manifest = manifestText({
    text: there.manifest,
    names: [...wanted],
    versions: await ports.toolchain.versions(),
    hasLock: there.files.has("package-lock.json"),
  });
  if (manifest !== undefined && !there.links.has(MANIFEST)) changes.push(writing(MANIFEST, manifest));
  if (!there.files.has("tsconfig.json")) changes.push(writing("tsconfig.json", COMPILER_SETTINGS));
  if (!there.files.has(".gitignore")) changes.push(writing(".gitignore", "node_modules/\n"));
  return changes;
}

/** Before anything is sealed: a manifest that nobody can read would leave the product without its import map. */
export async function assertReadableProduct({ hub }: Pick<ShipPorts, "hub">, tip: string): Promise<void> {
  const { manifest } = await lookAt(hub.gitDir, tip);
  if (manifest === undefined || isManifest(manifest)) return;
  throw new CupelError("invalid_input", `${MANIFEST} of the product is not JSON`, {
    expected: "a package manifest, to which the modules can be added",
    hint: `correct ${MANIFEST} on ${hub.branch}, commit it and run the same command again`,
  });
}

async function folderChanges({ store }: ShipPorts, placed: Placed): Promise<FileChange[]> {
  const home = `modules/${placed.name}`;
  const files = await sourcesOf(store, placed);
  return [removal(home), ...Object.entries(files).map(([path, text]) => writing(`${home}/${path}`, text))];
}

interface Tip {
  files: ReadonlySet<string>;
  links: ReadonlySet<string>;
  /** The folders below `modules/`. */
  modules: string[];
  manifest: string | undefined;
}

async function lookAt(gitDir: string, tip: string): Promise<Tip> {
  const names = [MANIFEST, "package-lock.json", "tsconfig.json", ".gitignore", "modules/"];
  const listed = await git(["ls-tree", "-z", "--full-tree", objectId(tip), "--", ...names], { gitDir });
  const entries = listed
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => ({ mode: line.slice(0, 6), path: line.slice(line.indexOf("\t") + 1) }));
  const files = new Set(entries.filter(({ mode }) => mode !== "040000").map(({ path }) => path));
  const links = new Set(entries.filter(({ mode }) => mode === "120000").map(({ path }) => path));
  const modules = entries.flatMap(({ path }) => (path.startsWith("modules/") ? [path.slice(8)] : []));
  const isThere = files.has(MANIFEST) && !links.has(MANIFEST);
  const manifest = isThere ? await git(["cat-file", "blob", `${tip}:${MANIFEST}`], { gitDir }) : undefined;
  return { files, links, modules, manifest };
}

function removal(path: string): FileChange {
  return { kind: "delete", path: toBytePath(path) };
}

function writing(path: string, text: string): FileChange {
  return { kind: "write", path: toBytePath(path), mode: "100644", content: Buffer.from(text) };
}
