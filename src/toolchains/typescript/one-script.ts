// Makes one script of the sources of a module, for programs inside a site that call what it exports.
import { join, posix } from "node:path";
import type { Files } from "../port.ts";
import type { Ground } from "./inner/ground.ts";
import { readRegular } from "./module-files.ts";

export type OneScript = { kind: "script"; code: string } | { kind: "impossible"; why: string };

/** Built packages of other modules. */
export type Builds = NonNullable<Ground["dependencies"]>;

/** Only what is given here can be read while it is made. */
export async function oneScript(entry: string, sources: Files, builds: Builds = []): Promise<OneScript> {
  // Loaded late: most commands of Cupel bundle nothing.
  const { build } = await import("esbuild");
  try {
    const result = await build({
      entryPoints: [`module:${entry}`],
      bundle: true,
      write: false,
      format: "cjs",
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
            bundler.onResolve({ filter: /.*/ }, ({ path, importer, namespace }) =>
              namespace === "built" || path.startsWith("#modules/")
                ? resolvedAmong(builds, path, importer)
                : resolved(path, importer, sources),
            );
            bundler.onLoad({ filter: /.*/, namespace: "built" }, ({ path }) => ({
              contents: readRegular(path) ?? "",
              loader: "js",
            }));
            bundler.onLoad({ filter: /.*/, namespace: "module" }, ({ path }) => ({
              contents: sources[path] ?? "",
              loader: loaderOf(path),
            }));
          },
        },
      ],
    });
    const code = result.outputFiles[0]?.text;
    return code === undefined ? impossible("nothing came of it") : { kind: "script", code };
  } catch (error) {
    return impossible(String(error).slice(0, 600));
  }
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

function loaderOf(path: string): "ts" | "tsx" | "js" | "jsx" {
  if (/\.[cm]?ts$/.test(path)) return "ts";
  if (path.endsWith(".tsx")) return "tsx";
  return path.endsWith(".jsx") ? "jsx" : "js";
}

function impossible(why: string): OneScript {
  return { kind: "impossible", why: `the module cannot be made into one script: ${why}` };
}
