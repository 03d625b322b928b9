// Makes one script of the sources of a module, for programs inside a site that call what it exports.
import { join, posix } from "node:path";
import type { Files } from "../port.ts";
import type { Ground } from "./inner/ground.ts";
import { readRegular } from "./module-files.ts";

export type OneScript = { kind: "script"; code: string } | { kind: "impossible"; why: string };

/** Built packages of other modules. */
export type Builds = NonNullable<Ground["dependencies"]>;

interface ScriptOptions {
  builds?: Builds | undefined;
  /** Whether its exports may be a promise of them, as those of a module that waits while it is loaded must be. */
  mayWait?: boolean;
}

/** Only what is given here can be read while it is made: `sources`, and data that they may import. */
export async function oneScript(
  entry: string,
  sources: Files,
  { builds = [], mayWait = false }: ScriptOptions = {},
): Promise<OneScript> {
  try {
    return { kind: "script", code: await bundled("cjs", entry, sources, builds) };
  } catch (error) {
    const why = String(error);
    if (!mayWait || !why.includes("Top-level await")) return impossible(why.slice(0, 600));
  }
  try {
    return { kind: "script", code: waiting(await bundled("esm", entry, sources, builds)) };
  } catch (error) {
    return impossible(String(error).slice(0, 600));
  }
}

async function bundled(
  format: "cjs" | "esm",
  entry: string,
  sources: Files,
  builds: Builds,
): Promise<string> {
  // Loaded late: most commands of Cupel bundle nothing.
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [`module:${entry}`],
    bundle: true,
    write: false,
    format,
    platform: "node",
    target: "node20",
    logLevel: "silent",
    tsconfigRaw: "{}",
    // Errors are known by the names of their classes.
    keepNames: true,
    plugins: [
      {
        name: "module-in-memory",
        setup: (bundler) => {
          bundler.onResolve({ filter: /.*/ }, ({ path, importer, namespace }) => {
            const found =
              namespace === "built" || path.startsWith("#modules/")
                ? resolvedAmong(builds, path, importer)
                : resolved(path, importer, sources);
            const isOutside = "external" in found && format === "esm";
            return isOutside ? { path, namespace: "outside" } : found;
          });
          bundler.onLoad({ filter: /.*/, namespace: "built" }, ({ path }) => ({
            contents: readRegular(path) ?? "",
            loader: "js",
          }));
          bundler.onLoad({ filter: /.*/, namespace: "module" }, ({ path }) => ({
            contents: sources[path] ?? "",
            loader: loaderOf(path),
          }));
          bundler.onLoad({ filter: /.*/, namespace: "outside" }, ({ path }) => ({
            contents: `module.exports = ${OUTSIDE}(${JSON.stringify(path)});`,
            loader: "js",
          }));
        },
      },
    ],
  });
  const code = result.outputFiles[0]?.text;
  if (code === undefined) throw new Error("nothing came of it");
  return code;
}

const OUTSIDE = "cupelOutside";

/** The one statement of exports, at the end, becomes what is given back. */
function waiting(code: string): string {
  const [, body, list = ""] = /^([^]*)\nexport \{([^{}]*)\};\s*$/.exec(code) ?? [];
  if (body === undefined) throw new Error("it waits while it is loaded, and exports nothing");
  const exported = list
    .split(",")
    .map((each) => each.trim().split(" as "))
    .map(([own = "", name = own]) => `${name}: ${own}`);
  return `"use strict";
const ${OUTSIDE} = require;
module.exports = (async () => {
${body}
return { ${exported.join(", ")} };
})();
`;
}

type Resolved =
  | { path: string; namespace: string }
  | { path: string; external: true }
  | { errors: { text: string }[] };

function resolved(path: string, importer: string, sources: Files): Resolved {
  if (path.startsWith("module:")) return { path: path.slice("module:".length), namespace: "module" };
  if (!path.startsWith(".")) return { path, external: true };
  const target = posix.normalize(posix.join(posix.dirname(importer), path));
  const bare = target.replace(/\.[cm]?js(x?)$/, "");
  const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
  const tries = [
    target,
    ...endings.flatMap((ending) => [bare + ending, target + ending, `${target}/index${ending}`]),
  ];
  const found = tries.find((each) => Object.hasOwn(sources, each));
  if (found === undefined) return { errors: [{ text: `${path} is not a source of the module` }] };
  return { path: found, namespace: "module" };
}

/** A build has an index and what it has split off, all in one folder; it may import other builds. */
function resolvedAmong(builds: Builds, path: string, importer: string): Resolved {
  const other = /^#modules\/([\w.@-]+)$/.exec(path)?.[1];
  if (other === undefined && !path.startsWith(".")) return { path, external: true };
  const build = builds.find(({ name, directory }) =>
    other === undefined ? posix.dirname(importer) === directory : name === other,
  );
  if (build === undefined) return { errors: [{ text: `${path} is not among the built modules` }] };
  const file = other === undefined ? posix.basename(path) : "index.js";
  return { path: join(build.directory, file), namespace: "built" };
}

function loaderOf(path: string): "ts" | "tsx" | "js" | "jsx" | "json" {
  if (path.endsWith(".json")) return "json";
  if (/\.[cm]?ts$/.test(path)) return "ts";
  if (path.endsWith(".tsx")) return "tsx";
  return path.endsWith(".jsx") ? "jsx" : "js";
}

function impossible(why: string): OneScript {
  return { kind: "impossible", why: `the module cannot be made into one script: ${why}` };
}
