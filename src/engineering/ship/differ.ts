// Whether two commits hold implementations of one contract that a caller could tell apart.
import type { ToCompare } from "../../protocols/port.ts";
import type { Differs } from "../../protocols/seen.ts";
import { type Bench, openBench } from "./bench.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { shelfOf } from "./shelf.ts";

type Open = Bench & { kind: "open" };

export async function differ(
  ports: ShipPorts,
  order: Pick<ShipOrder, "assignment" | "provisions" | "signal">,
  { contract, left, right }: ToCompare,
): Promise<Differs> {
  const shelf = await shelfOf(ports);
  const opened: Open[] = [];
  try {
    for (const commit of [left, right]) {
      const bench = await openBench(ports, order, { contract, commit, state: "on-its-way" }, shelf);
      if (bench.kind === "refused")
        return { kind: "impossible", why: `${commit.slice(0, 12)}: ${bench.problems.join("; ")}` };
      opened.push(bench);
    }
    const [one, other] = opened;
    if (one === undefined || other === undefined) throw new Error("two sites were opened");
    const found = await ports.toolchain.differ(one.site, other.site, contract, order.signal);
    order.signal.throwIfAborted();
    return found;
  } finally {
    for (const bench of opened) await bench.remove();
  }
}
