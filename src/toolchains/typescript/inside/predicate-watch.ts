// A vite plugin by which everybody but the module itself gets the module's entry through a wrapper that watches calls.
//
// The harness puts `const CUPEL_WATCH = {...};` before this program. What it serves lies in memory, so that tests cannot
// put another program in its place, and holds no secret: the watch itself was started before by the runner.
import { WATCH_ENTRIES, WRAPPER, type WatchPlan } from "../watch/predicate-plan.ts";

declare const CUPEL_WATCH: { plan: WatchPlan };

const { plan } = CUPEL_WATCH;

/** Where the module lies is known when vite is configured. */
let root = "";
const wrapperId = () => `${root}/.cupel-tools/${WRAPPER}`;
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
    if (importer === undefined || isNobody(by) || by === wrapperId() || isSource(by)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (resolved === null || plain(resolved.id) !== entryId() || /[?&](?:raw|url)\b/.test(resolved.id))
      return null;
    return wrapperId();
  },
  load: (id) => (id === wrapperId() ? wrapper() : null),
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
  const watched = plan.entries.map((entry) => entry.split(".")[0] ?? "");
  const roots = [...new Set([...watched, ...plan.recorded])];
  const lines = roots.map(
    (name, index) => `const w${index} = watched[${JSON.stringify(name)}] ?? real[${JSON.stringify(name)}];`,
  );
  const names = roots.map((name, index) => `w${index} as ${name}`);
  if (plan.hasDefault && !roots.includes("default")) {
    lines.push("const rest = real.default;");
    names.push("rest as default");
  }
  return [
    `import * as real from ${JSON.stringify(entryId())};`,
    `export * from ${JSON.stringify(entryId())};`,
    `const watched = globalThis[Symbol.for(${JSON.stringify(WATCH_ENTRIES)})](real);`,
    ...lines,
    `export { ${names.join(", ")} };`,
  ].join("\n");
}
