// The packages of a product, as its own manifest and lock file name them; none of their scripts runs.
import { toText } from "../workshop/git/byte-path.ts";
import { readTree, type TreeEntry } from "../workshop/git/objects.ts";
import type { Mount } from "../workshop/sandbox/port.ts";
import { installPackages } from "../workshop/execution/packages.ts";
import { ownPackages } from "./own-packages.ts";
import type { ReleasePorts } from "./port.ts";

export type Installed =
  | { kind: "installed"; mounts: Mount[]; programs: Readonly<Record<string, string>>; how: string }
  | { kind: "refused"; why: string; next: string };

const MANIFEST = "package.json";
const LOCK = "package-lock.json";
const WRITE_LOCK = "npm install --package-lock-only, then commit package-lock.json";

export async function installProduct(
  ports: ReleasePorts,
  commit: string,
  signal: AbortSignal,
): Promise<Installed> {
  const files = await packageFiles(ports.hub.gitDir, commit);
  const manifest = files.get(MANIFEST);
  if (manifest === undefined)
    return { kind: "refused", why: `there is no ${MANIFEST}`, next: `git checkout HEAD -- ${MANIFEST}` };
  const lock = files.get(LOCK);
  if (lock === undefined) {
    const own = ownPackages(String(manifest), ports.ownPackages);
    if (typeof own === "string")
      return { kind: "refused", why: `there is no ${LOCK}, and ${own}`, next: WRITE_LOCK };
    return { kind: "installed", ...own, how: "the packages of package.json as they came with Cupel" };
  }
  const tarballs = [...files].filter(([path]) => path.endsWith(".tgz"));
  const packages = await installPackages({
    manifest: String(manifest),
    lock: String(lock),
    tarballs: Object.fromEntries(tarballs),
    cache: ports.packageCache,
    sandbox: ports.sandbox,
    npm: "npm",
    offline: ports.offline === true,
    signal,
  });
  if (packages.kind === "refused") return { kind: "refused", why: packages.message, next: packages.hint };
  const mounts = [{ from: packages.directory, at: "node_modules" }];
  return { kind: "installed", mounts, programs: {}, how: `npm ci from ${LOCK} without scripts` };
}

/** At the top: manifest, lock, and packages that lie in the product itself. */
async function packageFiles(gitDir: string, commit: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const { path, content } of readTree(gitDir, commit, isPackageFile))
    files.set(toText(path), content);
  return files;
}

function isPackageFile({ path, mode }: TreeEntry): boolean {
  return mode.startsWith("100") && /^(package(-lock)?\.json|vendor\/[^/]+\.tgz)$/.test(path);
}
