// What a package lock must be before anything is installed from it: every package pinned by its content.
import { staysInside } from "../../domain/artifact/context-pack.ts";

/** What is wrong with a lock for a manifest, or undefined. `tarballs` are the files that came with it. */
export function lockProblem(
  manifest: string,
  lock: string,
  tarballs: ReadonlySet<string>,
): string | undefined {
  const wanted = objectOf(parsedJson(manifest));
  if (wanted === undefined) return "package.json is not JSON";
  const locked = objectOf(parsedJson(lock));
  if (locked === undefined) return "package-lock.json is not JSON";
  const packages = objectOf(locked["packages"]);
  if (packages === undefined) {
    return "package-lock.json is older than version 2 of its format and names no packages";
  }
  const root = objectOf(packages[""]) ?? {};
  for (const list of LISTS) {
    if (entriesOf(wanted[list]) !== entriesOf(root[list])) {
      return `package.json and package-lock.json disagree about ${list}`;
    }
  }
  for (const [path, entry] of Object.entries(packages)) {
    if (path === "") continue;
    const problem = packageProblem(path, objectOf(entry) ?? {}, tarballs);
    if (problem !== undefined) return `${JSON.stringify(path)} of package-lock.json ${problem}`;
  }
  return undefined;
}

const LISTS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

function entriesOf(list: unknown): string {
  return JSON.stringify(Object.entries(objectOf(list) ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function packageProblem(
  path: string,
  entry: Readonly<Record<string, unknown>>,
  tarballs: ReadonlySet<string>,
): string | undefined {
  if (!path.startsWith("node_modules/") || !staysInside(path)) return "lies outside node_modules";
  if (entry["link"] === true) return "is a link to a directory, not a package";
  // What comes inside another package is pinned with it.
  if (entry["inBundle"] === true) return undefined;
  const { integrity, resolved } = { integrity: entry["integrity"], resolved: entry["resolved"] };
  if (typeof integrity !== "string" || !/^sha(256|384|512)-[\w+/=]+$/.test(integrity)) {
    return "is not pinned by its content (no integrity of SHA-256 or better)";
  }
  if (resolved === undefined) return unresolvedProblem(path, entry);
  if (typeof resolved !== "string") return "does not say where it comes from";
  if (resolved.startsWith("file:")) {
    return tarballs.has(resolved.slice("file:".length))
      ? undefined
      : `comes from ${resolved}, which was not handed in`;
  }
  return /^https?:\/\//.test(resolved)
    ? undefined
    : `comes from ${resolved}, which is no package of a registry`;
}

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/;
const PACKAGE_NAME = /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

/**
 * npm can write locks without addresses (omit-lockfile-registry-resolved). It then asks the registry at hand for that name
 * in that version, so both must be plain: either could be an address of its own.
 */
function unresolvedProblem(
  path: string,
  { version, name }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof version !== "string" || !EXACT_VERSION.test(version))
    return "does not say where it comes from: neither an address nor an exact version";
  const called = name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  return typeof called === "string" && PACKAGE_NAME.test(called)
    ? undefined
    : `does not say where it comes from: ${JSON.stringify(called)} is no name of a package`;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return { ...value };
}
