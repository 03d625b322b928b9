// Where the parts of a shipped module lie in the state store, and how they become packages, sources and product again.
import type { Built } from "../../evidence/neighbours.ts";
import type { StateStore } from "../../store/state-store.ts";
import type { Files } from "../../toolchains/port.ts";
import { CONTRACT, EXAMPLES, SHIP } from "./module-files.ts";
import { renamed } from "./shelf.ts";
import type { Placed } from "./shelf.ts";

/** The code that a toolchain compiled; its declarations are `types/` of the module, which is open. */
export const WHOLE = "package/whole/";
/** The same with functions that throw. */
export const BROKEN = "package/broken/";
export const PROOF = "proof/bundle.json";
export const LOG = "tests/execution_log.json";
const TYPES = "types/";

/** As the store shows a module; `src` and `test` have longer names there. */
export function storedPaths(files: Files): Files {
  return movedPaths(files, (path) => path.replace(/^src\//, "implementation/").replace(/^test\//, "tests/"));
}

export async function sourcesOf({ modules }: StateStore, { record, renames }: Placed): Promise<Files> {
  const stored = await textsOf(modules, record.module);
  const wanted = Object.entries(stored).filter(
    ([path]) => path !== LOG && (/^(?:implementation|tests)\//.test(path) || SURFACES.includes(path)),
  );
  const files = movedPaths(Object.fromEntries(wanted), (path) =>
    path.replace(/^implementation\//, "src/").replace(/^tests\//, "test/"),
  );
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      SURFACES.includes(path) ? text : renamed(text, renames),
    ]),
  );
}

const SURFACES: readonly string[] = [CONTRACT, EXAMPLES, SHIP];

/** The package of a version as a site sees it. */
export async function packageOf(
  { modules }: StateStore,
  placed: Placed,
  variant: typeof WHOLE | typeof BROKEN,
): Promise<Built> {
  return packageIn(await textsOf(modules, placed.record.module), placed, variant);
}

/** The same out of files that lie in the places of the store. */
export function packageIn(
  stored: Files,
  { name, renames }: Pick<Placed, "name" | "renames">,
  variant: typeof WHOLE | typeof BROKEN,
): Built {
  const parts = Object.entries(stored).flatMap(([path, text]) => {
    if (isTypes(path)) return [[path, renamed(text, renames)] as const];
    if (!path.startsWith(variant)) return [];
    return [[path.slice(variant.length), renamed(text, renames)] as const];
  });
  return { name, files: Object.fromEntries(parts) };
}

/** What was compiled, in the places of the store. */
export function packagePaths(whole: Files, broken: Files): Files {
  const entries = Object.entries(whole);
  return {
    ...Object.fromEntries(entries.filter(([path]) => isTypes(path))),
    ...movedPaths(codeOf(whole), (path) => `${WHOLE}${path}`),
    ...movedPaths(codeOf(broken), (path) => `${BROKEN}${path}`),
  };
}

function codeOf(files: Files): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !isTypes(path)));
}

function isTypes(path: string): boolean {
  return path.startsWith(TYPES);
}

async function textsOf(modules: StateStore["modules"], ref: string): Promise<Files> {
  const contents = await modules.contents(ref);
  return Object.fromEntries(Object.entries(contents).map(([path, bytes]) => [path, bytes.toString("utf8")]));
}

function movedPaths(files: Files, move: (path: string) => string): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [move(path), text]));
}
