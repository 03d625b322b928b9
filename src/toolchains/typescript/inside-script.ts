// Bundles one of our programs that run inside a site into a single text, so that it needs nothing of Cupel there.
import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";
import { CupelError } from "../../domain/error.ts";

/** Where the bundled programs lie in a site. */
export const TOOLS = ".cupel-tools";

const cache = new Map<string, Promise<string>>();

/** The JavaScript of `inside/<name>`; packages that the module brings itself stay imports. */
export function insideScript(name: string): Promise<string> {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const bundled = bundle(name);
  cache.set(name, bundled);
  return bundled;
}

const FROM_THE_MODULE = ["vitest", "vitest/*", "vite", "fast-check", "@vitest/*", "@stryker-mutator/*"];

async function bundle(name: string): Promise<string> {
  const entry = [`${name}.ts`, `${name}.js`]
    .map((file) => fileURLToPath(new URL(`inside/${file}`, import.meta.url)))
    .find((path) => existsSync(path));
  if (!/^[\w-]+$/.test(name) || entry === undefined)
    throw new CupelError("not_found", `there is no inside program ${JSON.stringify(name)}`);
  // Loaded late: most commands of Cupel bundle nothing.
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    external: [...FROM_THE_MODULE, ...builtinModules, "node:*"],
    logLevel: "silent",
  });
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new Error(`esbuild gave no text for ${name}`);
  return text;
}
