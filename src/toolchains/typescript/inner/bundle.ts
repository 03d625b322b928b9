// Bundles a module with its tests into one text for the inner runner. Runs outside of the sandbox, so whatever lies
// outside of the site and of what is mounted there is refused.
import { realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, join, posix, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Loader, type OnResolveArgs, type Plugin, type PluginBuild, transform } from "esbuild";
import type { Files, Site } from "../../port.ts";
import { readRegular } from "../module-files.ts";
import { compilerSettings } from "./configuration.ts";
import type { Ground } from "./ground.ts";

export interface ModuleBundle {
  kind: "bundle";
  code: string;
  /** fast-check, evaluated once: it is large and keeps no state that is not reset. */
  packages: string;
  /** For each loaded file the files of the site and of packages that it needs, itself included. */
  inputs: ReadonlyMap<string, readonly string[]>;
}

export type Bundling = ModuleBundle | { kind: "unsupported"; why: string };

export interface BundleRequest {
  site: Site;
  ground: Ground;
  /** What can be loaded by its path; tests, and the entry where it is called directly. */
  files: readonly string[];
  /** Instrumented sources, instead of those of the site. */
  replaced?: Files;
}

export async function bundleModule(request: BundleRequest): Promise<Bundling> {
  const { site, files } = request;
  const refusals: string[] = [];
  const lines = files.map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`);
  try {
    const result = await build({
      stdin: {
        contents: `exports.files = {\n${lines.join(",\n")}\n};`,
        resolveDir: site.directory,
        loader: "js",
      },
      bundle: true,
      write: false,
      metafile: true,
      format: "cjs",
      platform: "node",
      target: "node20",
      // Otherwise the module's own tsconfig.json would be read, and whatever it extends.
      tsconfigRaw: "{}",
      absWorkingDir: site.directory,
      plugins: [withinSite(request, refusals)],
      logLevel: "silent",
    });
    const warning = result.warnings.find(({ id }) => id === "empty-import-meta");
    if (warning !== undefined) refusals.push(`import.meta in ${warning.location?.file ?? "a package"}`);
    if (refusals.length > 0) return { kind: "unsupported", why: refusals.join("; ") };
    const code = result.outputFiles[0]?.text ?? "";
    const inputs = new Map(files.map((path) => [path, reachable(result.metafile.inputs, path)]));
    return { kind: "bundle", code, packages: await sharedPackages(request), inputs };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const why = [...text.matchAll(/^.*ERROR: (?!\[plugin)(.*)$/gm)].at(-1)?.[0] ?? text;
    return { kind: "unsupported", why: refusals[0] ?? `it cannot be bundled: ${why}` };
  }
}

function withinSite(request: BundleRequest, refusals: string[]): Plugin {
  const { site, ground, replaced = {} } = request;
  const own = site.files();
  const settings = compilerSettings(own);
  const root = realpathSync(site.directory);
  const builds = (ground.dependencies ?? []).map(({ directory }) => realpathSync(directory));
  const roots = [root, realpathSync(ground.packages), ...builds];
  const refuse = (why: string) => {
    refusals.push(why);
    return { errors: [{ text: why }] };
  };
  return {
    name: "within-site",
    setup(building) {
      building.onResolve({ filter: /.*/ }, async (args) => {
        if (args.pluginData === OURS || args.kind === "entry-point") return undefined;
        if (isBuiltin(args.path)) return { path: args.path, external: true };
        if (args.path === "vitest" || args.path === "fast-check") return { path: args.path, external: true };
        const inSite = isWithin(root, args.resolveDir);
        if (inSite && /^@?vitest\//.test(args.path)) return refuse(`the import of ${args.path}`);
        const isOurs = inSite || builds.some((place) => isWithin(place, args.resolveDir));
        const found = await resolveOne(building, args, isOurs, ground);
        if (found.errors.length > 0) return { errors: found.errors };
        if (!roots.some((place) => found.path.startsWith(place + sep)))
          return refuse(`${args.path} in ${relative(root, args.importer)} leads out of the module`);
        return { path: plainPath(found.path, root), sideEffects: found.sideEffects };
      });
      building.onLoad({ filter: /.*/ }, async (args) => {
        const path = realPath(args.path);
        if (!path.startsWith(root + sep)) return undefined;
        const name = relative(root, path);
        const text = replaced[name] ?? own[name] ?? readRegular(path)?.toString("utf8");
        const loader = LOADERS[extname(path)];
        if (text === undefined || loader === undefined)
          return refuse(`${name} is no code that can be bundled`);
        if (loader === "json") return { contents: text, loader };
        // Each file in a scope of its own, so that no function gets another name than it has under vitest.
        const { code, warnings } = await transform(text, {
          define: metaOf(`${site.inside}/${name}`),
          loader,
          format: "cjs",
          target: "node20",
          sourcefile: name,
          tsconfigRaw: settings,
        });
        if (warnings.some(({ id }) => id === "empty-import-meta")) return refuse(`import.meta in ${name}`);
        return { contents: code, loader: "js", resolveDir: dirname(path) };
      });
    },
  };
}

function isWithin(place: string, path: string): boolean {
  return path === place || path.startsWith(place + sep);
}

/** By the endings of these files esbuild decides what may stand in them, although they are rewritten by then. */
const MODULE_ENDING = /\.m[jt]s$/;

function plainPath(path: string, root: string): string {
  return path.startsWith(root + sep) && MODULE_ENDING.test(path) ? `${path}.js` : path;
}

function realPath(path: string): string {
  return path.replace(/(\.m[jt]s)\.js$/, "$1");
}

/** What a file knows about itself; everything else of `import.meta` only vitest can give. */
function metaOf(inside: string): Record<string, string> {
  const known = { url: pathToFileURL(inside).href, filename: inside, dirname: posix.dirname(inside) };
  return Object.fromEntries(
    Object.entries(known).map(([key, value]) => [`import.meta.${key}`, JSON.stringify(value)]),
  );
}

const OURS = Symbol("resolved by us");

const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
  ".jsx": "jsx",
  ".json": "json",
};

/**
 * node_modules of the site is an empty directory out here; what commands see there lies in `packages`. What the module is
 * built upon sees the same as the module itself.
 */
async function resolveOne(building: PluginBuild, args: OnResolveArgs, isOurs: boolean, ground: Ground) {
  const { kind, importer } = args;
  const options = { kind, importer, pluginData: OURS };
  const dependency = /^#modules\/([\w.@-]+)$/.exec(args.path)?.[1];
  const built = ground.dependencies?.find(({ name }) => name === dependency);
  if (isOurs && built !== undefined)
    return building.resolve(".", { ...options, resolveDir: built.directory });
  const isBare = !/^[./#]/.test(args.path);
  const resolveDir = isOurs && isBare ? dirname(ground.packages) : args.resolveDir;
  return building.resolve(args.path, { ...options, resolveDir });
}

const shared = new Map<string, Promise<string>>();

function sharedPackages({ ground }: BundleRequest): Promise<string> {
  const known = shared.get(ground.packages);
  if (known !== undefined) return known;
  const made = bundleFastCheck(ground.packages);
  shared.set(ground.packages, made);
  return made;
}

async function bundleFastCheck(packages: string): Promise<string> {
  try {
    const result = await build({
      stdin: {
        contents: 'exports["fast-check"] = require("fast-check");',
        resolveDir: dirname(packages),
        loader: "js",
      },
      bundle: true,
      write: false,
      format: "cjs",
      platform: "node",
      target: "node20",
      minifySyntax: true,
      minifyWhitespace: true,
      tsconfigRaw: "{}",
      logLevel: "silent",
    });
    return result.outputFiles[0]?.text ?? "";
  } catch {
    // Not installed: a module that imports it cannot be run by anybody.
    return "";
  }
}

type Inputs = Readonly<Record<string, { imports: { path: string; external?: boolean }[] }>>;

function reachable(inputs: Inputs, from: string): string[] {
  const seen = new Set([from]);
  for (const path of seen) {
    const { imports = [] } = inputs[path] ?? inputs[`${path}.js`] ?? {};
    for (const next of imports) if (next.external !== true) seen.add(realPath(next.path));
  }
  return [...seen].toSorted();
}

/** The path of a file on this machine that a bundle took in. */
export function inputPath(site: Site, input: string): string {
  return join(site.directory, input);
}
