// A product, from its folder: its own test command in clean copies, in which one module can have other files.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Edits, Toolchain } from "../toolchains/port.ts";
import { keyOf } from "./folder-files.ts";
import type { Product } from "./module-under-test.ts";

export interface ProductRequest {
  toolchain: Toolchain;
  /** The top of the product, as it was committed. */
  folder: string;
  /** Where the module under test is in it, for example `modules/clamp`. */
  at: string;
  /** Any file of the product, for example its manifest. */
  manifest: string;
  command: string;
  args: readonly string[];
  /** Where copies are made; whoever gives it removes it. */
  workplace: string;
}

export function productOf(request: ProductRequest): Product {
  const { toolchain, folder, at, manifest, command, args, workplace } = request;
  return {
    command,
    args,
    key: keyOf(folder),
    open: async (module) => {
      // A site of everything: what of it is code and what is not does not matter to a command.
      const layout = { entry: manifest, sources: [manifest], tests: [], configuration: [] };
      const clean = await toolchain.openSite({ folder, layout, directory: join(workplace, randomUUID()) });
      try {
        return await clean.fork(below(at, module));
      } finally {
        await clean.remove();
      }
    },
  };
}

function below(at: string, files: Edits): Edits {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${at}/${path}`, text]));
}
