// For a product without a lock file: the very packages that its manifest names, out of those that came with Cupel.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { z } from "zod";
import type { Mount } from "../workshop/sandbox/port.ts";

export interface OwnPackages {
  mounts: Mount[];
  programs: Record<string, string>;
}

const Names = z.record(z.string(), z.string());
const Manifest = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  bin: z.union([z.string(), Names]).optional(),
  dependencies: Names.optional(),
  devDependencies: Names.optional(),
  optionalDependencies: Names.optional(),
  peerDependencies: Names.optional(),
});
type Manifest = z.infer<typeof Manifest>;

/** A string says why not: the manifest names something else than what is there in exactly that version. */
export function ownPackages(productManifest: string, packages: string): OwnPackages | string {
  const product = manifestIn(productManifest);
  if (product === undefined) return "package.json is not a package manifest";
  const wanted = { ...product.optionalDependencies, ...product.devDependencies, ...product.dependencies };
  for (const [name, version] of Object.entries(wanted)) {
    const found = PACKAGE_NAME.test(name) ? installed(packages, name) : undefined;
    if (found?.version !== version) return `it names ${name} ${version}, which did not come with Cupel`;
  }
  const names = closure(Object.keys(wanted), packages);
  return {
    mounts: names.map((name) => ({ from: realpathSync(join(packages, name)), at: `node_modules/${name}` })),
    programs: Object.assign({}, ...Object.keys(wanted).map((name) => programsOf(packages, name))),
  };
}

const PACKAGE_NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;

/** What these need, and what that needs, as far as it is installed: optional packages need not be. */
function closure(names: readonly string[], packages: string): string[] {
  const queue = [...names];
  const found = new Set<string>();
  for (const name of queue) {
    if (found.has(name) || !PACKAGE_NAME.test(name)) continue;
    const manifest = installed(packages, name);
    if (manifest === undefined) continue;
    found.add(name);
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    queue.push(...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
  }
  return [...found];
}

/** A link that leads out of the folder is not a package that came with Cupel. */
function installed(packages: string, name: string): Manifest | undefined {
  const file = join(packages, name, "package.json");
  if (!existsSync(file) || !realpathSync(file).startsWith(realpathSync(packages) + sep)) return undefined;
  return manifestIn(readFileSync(file, "utf8"));
}

function programsOf(packages: string, name: string): Record<string, string> {
  const bin = installed(packages, name)?.bin;
  const programs = typeof bin === "string" ? { [name.split("/").at(-1) ?? name]: bin } : (bin ?? {});
  return Object.fromEntries(
    Object.entries(programs)
      .filter(([program]) => /^[\w.-]+$/.test(program))
      .map(([program, file]) => [program, join(name, file)]),
  );
}

function manifestIn(text: string): Manifest | undefined {
  try {
    const parsed = Manifest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
