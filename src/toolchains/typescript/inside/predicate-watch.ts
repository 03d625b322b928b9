// A vite plugin by which everybody but the module itself gets the module's entry through a wrapper that watches calls.
//
// The harness puts `const CUPEL_WATCH = {...};` before this program. The file is gone once it is loaded, and what it
// serves lies in memory: tests can read neither the key of the run nor put another program in its place.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { WatchPlan } from "../watch/predicate-plan.ts";

declare const CUPEL_WATCH: { plan: WatchPlan; runtime: string; key: string };

const { plan, runtime, key } = CUPEL_WATCH;
forgetFile();

/** Where the module lies is known when vite is configured. */
let root = "";
const wrapperId = () => `${root}/.cupel-tools/watched-entry.js`;
const runtimeId = () => `${root}/.cupel-tools/watched-calls.js`;
const entryId = () => `${root}/${plan.entry}`;

/** As much of vite's plugins as is used here. */
interface Plugin {
  name: string;
  enforce: "pre";
  configResolved(config: { root: string }): void;
  resolveId(
    this: { resolve(source: string, importer: string, options: object): Promise<{ id: string } | null> },
    source: string,
    importer: string | undefined,
    options: object,
  ): Promise<string | null>;
  load(id: string): string | null;
}

export const plugin: Plugin = {
  name: "cupel:predicates",
  enforce: "pre",
  configResolved: (config) => {
    root = config.root.replace(/\/+$/, "");
  },
  async resolveId(source, importer, options) {
    if (source === wrapperId()) return source;
    const by = plain(importer ?? "");
    if (source === runtimeId() && by === wrapperId()) return source;
    if (importer === undefined || isNobody(by) || by === wrapperId() || isSource(by)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (resolved === null || plain(resolved.id) !== entryId() || /[?&](?:raw|url)\b/.test(resolved.id))
      return null;
    return wrapperId();
  },
  load: (id) => {
    if (id === wrapperId()) return wrapper();
    return id === runtimeId() ? runtime : null;
  },
};

/** Whom vite names when nobody imports: coverage then asks for the code of the module itself. */
function isNobody(path: string): boolean {
  return path === `${root}/index.html`;
}

function isSource(path: string): boolean {
  return plan.sources.some((source) => `${root}/${source}` === path);
}

function plain(id: string): string {
  return id.replace(/^file:\/\//, "").replace(/[?#].*$/, "");
}

/** Names that are not watched come straight from the module, also when they change later. */
function wrapper(): string {
  const roots = [...new Set(plan.predicates.map(({ entry }) => entry.split(".")[0] ?? ""))];
  const lines = roots.map((name, index) => `const w${index} = watched[${JSON.stringify(name)}];`);
  const names = roots.map((name, index) => `w${index} as ${name}`);
  if (plan.hasDefault && !roots.includes("default")) {
    lines.push("const rest = real.default;");
    names.push("rest as default");
  }
  return [
    `import * as real from ${JSON.stringify(entryId())};`,
    `export * from ${JSON.stringify(entryId())};`,
    `import { watchEntries } from ${JSON.stringify(runtimeId())};`,
    `const watched = watchEntries(real, ${JSON.stringify(plan)}, ${JSON.stringify(key)});`,
    ...lines,
    `export { ${names.join(", ")} };`,
  ].join("\n");
}

/** Where the site cannot be written, the file stays. */
function forgetFile(): void {
  try {
    rmSync(fileURLToPath(import.meta.url), { force: true });
  } catch {
    // Then a test that reads it could sign reports of its own.
  }
}
