// The dependencies of a module as built packages for one run in the harness's own sandbox: the same packages under the same
// names as at the door, with a canary in each, so that a copy of one is known wherever it turns up.
import { join } from "node:path";
import type { ModuleRef } from "../../domain/refs.ts";
import { writeFiles } from "../../evidence/neighbours.ts";
import { makeCanary } from "../../workshop/blindness/canary.ts";
import type { Provision } from "../provisions.ts";

export interface BuiltPackage {
  ref: ModuleRef;
  /** What it is imported as. */
  name: string;
  directory: string;
  canary: string;
  /** The code in it, and nothing that its contract opens. */
  texts: string[];
}

/** Below `directory`, which is new. */
export async function builtPackages(
  provisions: readonly Provision[],
  directory: string,
): Promise<BuiltPackage[]> {
  return Promise.all(
    provisions.map(async ({ ref, whole }) => {
      const { name, files } = await whole();
      const { token } = makeCanary();
      const texts: string[] = [];
      const marked = Object.entries(files).map(([path, text]) => {
        if (!path.endsWith(".js")) return [path, text] as const;
        texts.push(text);
        return [path, `${text}\n/* ${token} */\n`] as const;
      });
      return {
        ref,
        name,
        directory: writeFiles(join(directory, name), Object.fromEntries(marked)),
        canary: token,
        texts,
      };
    }),
  );
}
