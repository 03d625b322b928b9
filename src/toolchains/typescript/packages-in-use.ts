// Finds the installed packages that a module sees as node_modules: its own where vitest is among them, else Cupel's.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CupelError } from "../../domain/error.ts";
import type { ToolchainContext } from "./context.ts";

export function packagesInUse(context: Pick<ToolchainContext, "packages">, folder: string): string {
  if (context.packages !== undefined) return mountable(context.packages);
  const own = nearest(folder);
  if (own !== undefined) return mountable(own);
  const cupels = nearest(fileURLToPath(import.meta.url));
  if (cupels !== undefined) return mountable(cupels);
  throw new CupelError("not_found", `no node_modules with vitest was found for ${folder}`, {
    expected: "vitest installed beside the module or with Cupel",
    hint: "npm install --save-dev vitest",
  });
}

function nearest(from: string): string | undefined {
  for (let here = resolve(from); ; here = dirname(here)) {
    const candidate = join(here, "node_modules");
    if (existsSync(join(candidate, "vitest", "package.json"))) return candidate;
    if (dirname(here) === here) return undefined;
  }
}

/** Only what lies inside the directory is there in the sandbox, so a package that is a link out of it would be missing. */
function mountable(directory: string): string {
  const vitest = join(directory, "vitest");
  if (!existsSync(join(vitest, "package.json")))
    throw new CupelError("not_found", `vitest is not installed in ${directory}`, {
      expected: "packages among which is vitest",
      hint: "npm install --save-dev vitest",
    });
  const [real, target] = [realpathSync(directory), realpathSync(vitest)];
  if (target.startsWith(real + sep)) return real;
  throw new CupelError("usage", `vitest in ${directory} is a link to ${target}, outside of it`, {
    expected: "packages that lie in node_modules themselves",
    hint: "npm install (or, with pnpm: pnpm install --config.node-linker=hoisted)",
  });
}
