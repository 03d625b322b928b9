// Everything in a module that an amendment can name: its files, functions and tests, each with a hash.
import { sha256Hex } from "../../domain/canonical.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { openBench } from "./bench.ts";
import { CONTRACT } from "./module-files.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { shelfOf } from "./shelf.ts";

/** Empty where the commit holds nothing that could be a module. */
export async function contents(
  ports: ShipPorts,
  order: Pick<ShipOrder, "assignment" | "provisions">,
  at: { contract: MicroModuleContract; commit: string },
): Promise<ReadonlyMap<string, string>> {
  const bench = await openBench(ports, order, at, await shelfOf(ports));
  if (bench.kind === "refused") return new Map();
  try {
    const named = new Map(await ports.toolchain.pieces(bench.site));
    for (const [path, text] of Object.entries(bench.files))
      if (path !== CONTRACT) named.set(path, sha256Hex(text));
    return named;
  } finally {
    await bench.remove();
  }
}
