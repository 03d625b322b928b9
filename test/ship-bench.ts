// What tests of the door share: a world that is gone afterwards, and samples that must ship.
import { onTestFinished } from "vitest";
import { ship } from "../src/engineering/ship/ship.ts";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { sampleGit, sampleProject } from "./git-samples.ts";
import type { SampleFiles } from "./git-samples.ts";
import { orderFor, proposed } from "./ship-samples.ts";
import type { Sample } from "./ship-samples.ts";
import { openWorld } from "./ship-world.ts";

export const LONG = { timeout: 180_000 };
/** Enough to ship, and quick. */
export const FEW = { debated: true, gates: ["green"] } as const;

export async function world(files?: SampleFiles): Promise<ShipPorts> {
  const ports = await openWorld(sampleProject(files), { sandbox: bubblewrapWorks ? "bubblewrap" : "none" });
  onTestFinished(() => ports.store.close());
  return ports;
}

/** Ships a sample that must. */
export async function shipped(ports: ShipPorts, sample: Sample): Promise<{ commit: string; shipId: string }> {
  const answer = await ship(ports, orderFor(sample, { protocol: FEW }), await proposed(ports, sample));
  if (answer.kind !== "shipped")
    throw new Error(answer.kind === "barred" ? answer.why : answer.findings.join("\n"));
  return answer.shipped;
}

export function atMain({ hub }: ShipPorts, path: string): string {
  return sampleGit(hub.gitDir, "show", `${hub.branch}:${path}`);
}
