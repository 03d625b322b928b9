// The product's package manifest: whatever a person wrote stays, and modules find each other by name.
import { z } from "zod";

/** The pinned tools without which the tests of modules cannot run. */
const TOOLS = ["vitest", "fast-check"] as const;

export interface ManifestRequest {
  /** As it is now; undefined where there is none. */
  text: string | undefined;
  /** Names in imports, as folders below `modules/`. */
  names: readonly string[];
  versions: Readonly<Record<string, string>>;
  /** A lock file is the list of what exists, so nothing is added beside it. */
  hasLock: boolean;
}

const Entries = z.record(z.string(), z.unknown());

/** Undefined where what is there is not a manifest; it is then left as it is. */
export function manifestText({ text, names, versions, hasLock }: ManifestRequest): string | undefined {
  const manifest = text === undefined ? { private: true, type: "module" } : parsed(text);
  if (manifest === undefined) return undefined;
  const before = Entries.parse(manifest);
  const others = Object.entries(entriesIn(before["imports"])).filter(([name]) => !name.startsWith(MODULES));
  const own = names.toSorted().map((name) => [`${MODULES}${name}`, `./modules/${name}/src/index.ts`]);
  const scripts = entriesIn(before["scripts"]);
  const development = entriesIn(before["devDependencies"]);
  const installed = { ...development, ...entriesIn(before["dependencies"]) };
  const missing = hasLock ? [] : TOOLS.filter((name) => installed[name] === undefined);
  const added = missing.flatMap((name) => (versions[name] === undefined ? [] : [[name, versions[name]]]));
  const after = {
    ...before,
    imports: Object.fromEntries([...others, ...own]),
    scripts: "test" in scripts ? scripts : { ...scripts, test: TEST },
    ...(added.length === 0 ? {} : { devDependencies: { ...development, ...Object.fromEntries(added) } }),
  };
  return `${JSON.stringify(after, null, 2)}\n`;
}

const MODULES = "#modules/";
/** The factory's own folder holds copies of tests that are not the product's. */
const TEST = "vitest run --exclude=.cupel/**";

/** Where a product has none: modules import each other by the manifest and with their endings. */
export const COMPILER_SETTINGS = `${JSON.stringify(
  {
    compilerOptions: {
      target: "ES2022",
      module: "ESNext",
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
    },
    include: ["modules"],
  },
  null,
  2,
)}\n`;

export function isManifest(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const result = Entries.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

function entriesIn(value: unknown): Record<string, unknown> {
  const result = Entries.safeParse(value);
  return result.success ? result.data : {};
}
