// Installed packages as a compiler may see them: links are followed only as long as they stay inside.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";

export interface PackageFiles {
  read(path: string): string | undefined;
  kind(path: string): "file" | "directory" | undefined;
  real(path: string): string | undefined;
}

/** Paths are virtual, below `at`. */
export function packageFiles(at: string, directory: string): PackageFiles {
  const home = realpathSync(directory);
  const known = new Map<string, { real: string; kind: "file" | "directory" } | undefined>();
  const look = (path: string): { real: string; kind: "file" | "directory" } | undefined => {
    if (!known.has(path)) known.set(path, find(home, path.slice(at.length + 1)));
    return known.get(path);
  };
  return {
    read: (path) => {
      const found = look(path);
      return found?.kind === "file" ? readFileSync(join(home, found.real), "utf8") : undefined;
    },
    kind: (path) => look(path)?.kind,
    real: (path) => {
      const found = look(path);
      return found === undefined ? undefined : join(at, found.real);
    },
  };
}

function find(home: string, path: string): { real: string; kind: "file" | "directory" } | undefined {
  try {
    const real = realpathSync(join(home, path));
    if (real !== home && !real.startsWith(home + sep)) return undefined;
    const stats = statSync(real);
    if (!stats.isFile() && !stats.isDirectory()) return undefined;
    return { real: real.slice(home.length + 1), kind: stats.isFile() ? "file" : "directory" };
  } catch {
    return undefined;
  }
}
