// What a compiler sees of a module in a commit: for roles that judge types and are not shown how things are done.
import type { Candidate } from "../../protocols/outcome.ts";
import type { SymbolView } from "../../protocols/seen.ts";
import { openBench } from "./bench.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { shelfOf } from "./shelf.ts";

/** Everything that callers can reach; empty where the commit holds nothing that could be a module. */
export async function symbolsOf(
  ports: ShipPorts,
  order: Pick<ShipOrder, "assignment" | "provisions">,
  { contract, commit }: Pick<Candidate, "contract" | "commit">,
): Promise<SymbolView[]> {
  const bench = await openBench(
    ports,
    order,
    { contract, commit, state: "on-its-way" },
    await shelfOf(ports),
  );
  if (bench.kind === "refused") return [];
  try {
    const { entries } = await ports.toolchain.surface(bench.site);
    const { functions } = await ports.toolchain.groundTruth(bench.site);
    const stubs = new Set(functions.flatMap(({ name, isStub }) => (isStub ? [name] : [])));
    return entries.map((entry) => ({ ...entry, isStub: stubs.has(entry.name) }));
  } finally {
    await bench.remove();
  }
}
