// Bundles the code of a module from the given files; nothing else can be read through its imports.
import { posix } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Files, Place } from "../../port.ts";
import { moduleOptions } from "./compiler-options.ts";

export type Bundled = { kind: "compiled"; files: Files } | { kind: "broken"; errors: Place[] };

export async function bundled(entry: string, texts: ReadonlyMap<string, string>): Promise<Bundled> {
  const { jsx, jsxImportSource, experimentalDecorators, useDefineForClassFields, target } = moduleOptions(
    texts,
    false,
  ).compilerOptions;
  const language = { jsx, jsxImportSource, experimentalDecorators, useDefineForClassFields, target };
  try {
    const { outputFiles } = await build({
      entryPoints: { index: entry },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      outdir: "/out",
      write: false,
      legalComments: "none",
      sourcemap: false,
      logLevel: "silent",
      tsconfigRaw: JSON.stringify({ compilerOptions: language }),
      plugins: [onlyThese(texts)],
    });
    const files = outputFiles.map(({ path, text }) => [posix.relative("/out", path), withoutPaths(text)]);
    return { kind: "compiled", files: Object.fromEntries(files) };
  } catch (error) {
    return { kind: "broken", errors: problemsOf(error, entry) };
  }
}

/** The names of source files, which the bundler writes over their code. */
function withoutPaths(text: string): string {
  return text.replaceAll(/^\/\/ module:.*\n/gm, "");
}

const LOADERS = {
  ts: "ts",
  mts: "ts",
  cts: "ts",
  tsx: "tsx",
  js: "js",
  mjs: "js",
  cjs: "js",
  jsx: "jsx",
  json: "json",
} as const;

/** Relative imports are answered from the given files; packages and other modules stay imports. */
function onlyThese(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: "only-these",
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (kind === "entry-point") return { path, namespace: "module" };
        if (!path.startsWith("./") && !path.startsWith("../")) {
          if (path.startsWith("/")) return { errors: [{ text: `${path} is no file of the module` }] };
          return { path, external: true };
        }
        const found = candidates(posix.join(posix.dirname(importer), path)).find((each) => texts.has(each));
        if (found === undefined) return { errors: [{ text: `${path} is no file of the module` }] };
        return { path: found, namespace: "module" };
      });
      build.onLoad({ filter: /.*/, namespace: "module" }, ({ path }) => {
        const ending = Object.entries(LOADERS).find(([name]) => path.endsWith(`.${name}`));
        const contents = texts.get(path);
        return contents === undefined || ending === undefined ? null : { contents, loader: ending[1] };
      });
    },
  };
}

/** As the compiler resolves: `.js` may stand for `.ts`, and endings and `index` may be left out. */
function candidates(path: string): string[] {
  const bare = path.replace(/\.([cm]?)jsx?$/, "");
  return [
    path,
    ...["ts", "tsx", "mts", "cts"].map((each) => `${bare}.${each}`),
    ...["ts", "tsx", "js"].map((each) => `${path}/index.${each}`),
  ];
}

function problemsOf(error: unknown, entry: string): Place[] {
  const listed =
    typeof error === "object" && error !== null && "errors" in error && Array.isArray(error.errors)
      ? error.errors
      : [];
  const places = listed.map(
    (each: { text?: unknown; location?: { file?: unknown; line?: unknown } | null }) => ({
      file: typeof each.location?.file === "string" ? each.location.file.replace(/^module:/, "") : entry,
      line: typeof each.location?.line === "number" ? each.location.line : 1,
      message: String(each.text),
    }),
  );
  return places.length > 0 ? places : [{ file: entry, line: 1, message: String(error) }];
}
