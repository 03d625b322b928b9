// The one native compiler process, under limits of processor time and memory; it sees a file system made by us and nothing of the machine.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { API } from "typescript/unstable/sync";
import type { FileSystem } from "typescript/unstable/fs";
import { packageFiles, type PackageFiles } from "./package-files.ts";

/** All paths that the compiler knows begin with this; there is no such directory on the machine. */
export const VIRTUAL_ROOT = "/cupel";

export interface CompilerProcess {
  api: API;
  /** Adds the files of one module, or puts others in the place of those that are there. */
  mount(root: string, files: ReadonlyMap<string, string>): void;
  /** What was last put there. */
  mounted(root: string): ReadonlyMap<string, string> | undefined;
  unmount(root: string): void;
  /** Shows installed packages, read-only, at this virtual directory. */
  mountPackages(at: string, directory: string): void;
  close(): void;
}

export function startCompiler(): CompilerProcess {
  const files = new Map<string, string>();
  const directories = new Map<string, number>();
  const packages = new Map<string, PackageFiles>();
  const roots = new Map<string, Map<string, string>>();
  const limited = limitedExecutable();
  const api = new API({
    cwd: VIRTUAL_ROOT,
    fs: virtualFileSystem(files, directories, packages),
    ...(limited === undefined ? {} : { tsserverPath: limited }),
  });
  const count = (path: string, by: number): void => {
    for (let at = dirname(path); at.length > 1; at = dirname(at)) {
      directories.set(at, (directories.get(at) ?? 0) + by);
    }
  };
  return {
    api,
    mounted: (root) => roots.get(root),
    mount: (root, added) => {
      roots.set(root, new Map([...(roots.get(root) ?? []), ...added]));
      for (const [path, text] of added) {
        if (!files.has(`${root}/${path}`)) count(`${root}/${path}`, 1);
        files.set(`${root}/${path}`, text);
      }
    },
    unmount: (root) => {
      roots.delete(root);
      for (const path of files.keys()) {
        if (!path.startsWith(`${root}/`)) continue;
        files.delete(path);
        count(path, -1);
      }
    },
    mountPackages: (at, directory) => {
      if (!packages.has(at)) packages.set(at, packageFiles(at, directory));
    },
    close: () => api.close(),
  };
}

function virtualFileSystem(
  files: ReadonlyMap<string, string>,
  directories: ReadonlyMap<string, number>,
  packages: ReadonlyMap<string, PackageFiles>,
): FileSystem {
  const owner = (path: string): PackageFiles | undefined => {
    for (const [at, found] of packages) if (path === at || path.startsWith(`${at}/`)) return found;
    return undefined;
  };
  return {
    readFile: (path) => (isLibrary(path) ? undefined : (files.get(path) ?? owner(path)?.read(path) ?? null)),
    fileExists: (path) =>
      isLibrary(path) ? undefined : files.has(path) || owner(path)?.kind(path) === "file",
    directoryExists: (path) =>
      isLibrary(path)
        ? undefined
        : (directories.get(path) ?? 0) > 0 || owner(path)?.kind(path) === "directory",
    getAccessibleEntries: (path) => (isLibrary(path) ? undefined : { files: [], directories: [] }),
    realpath: (path) => (isLibrary(path) ? undefined : (owner(path)?.real(path) ?? path)),
  };
}

/** TypeScript's own library files, beside its executable; the only real files it may read by itself. */
function isLibrary(path: string): boolean {
  return dirname(path) === LIBRARY && /^lib\.(?:[a-z0-9]+\.)*d\.ts$/.test(basename(path));
}

/** Types can be written that take for ever or fill the memory: the kernel ends what does. */
function limitedExecutable(): string | undefined {
  if (process.platform === "win32") return undefined;
  const directory = mkdtempSync(join(tmpdir(), "cupel-compiler-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const script = join(directory, "tsc");
  const limits = `ulimit -t ${CPU_SECONDS}; ulimit -v ${MEMORY_KILOBYTES}; ulimit -c 0`;
  writeFileSync(script, `#!/bin/sh\n${limits}\nexec '${join(LIBRARY, "tsc")}' "$@" 2>/dev/null\n`);
  chmodSync(script, 0o700);
  return script;
}

const CPU_SECONDS = 60;
const MEMORY_KILOBYTES = 8 * 1024 * 1024;

function libraryDirectory(): string {
  const main = createRequire(import.meta.url).resolve("typescript/package.json");
  const name = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  return join(dirname(createRequire(main).resolve(name)), "lib");
}

const LIBRARY = libraryDirectory();
