// Runs gates on a module on its bench, and keeps what each verdict rests on.
import { join } from "node:path";
import type { GateName } from "../../domain/evidence/gate.ts";
import { fileCache } from "../../evidence/liveness.ts";
import type { ModuleUnderTest } from "../../evidence/module-under-test.ts";
import { fileMemory } from "../../evidence/mutant-memory.ts";
import { verify } from "../../evidence/verify.ts";
import type { Reported } from "../../evidence/verify.ts";
import type { KnownMutants } from "../../toolchains/port.ts";
import type { ShipPorts } from "./port.ts";

export interface Judging {
  module: Omit<ModuleUnderTest, "signal" | "known" | "onMutants">;
  gates: readonly GateName[];
  place: "ship" | "verify";
  /** Go on although a gate blocks. */
  all: boolean;
  /** These look themselves, also where their verdict on the very same is known. */
  afresh?: readonly GateName[];
  signal: AbortSignal;
}

export interface Judged {
  reported: Reported[];
  /** What the verdict of a gate rests on, as the gate gave it. */
  evidenceOf: (gate: GateName) => unknown;
}

export async function judge(ports: ShipPorts, judging: Judging): Promise<Judged> {
  const { module, gates, place, all, afresh = [], signal } = judging;
  const kept = new Map<string, unknown>();
  const memory = fileMemory(join(ports.memory, "mutants"));
  // Other projects may have modules of the same id.
  const name = `${ports.hub.project} ${module.contract?.module_id ?? ""}`;
  // Without a sandbox the tests could have written there, or could have said anything.
  const isKept = module.site.level !== "none";
  const reported = await verify({
    module: isKept
      ? {
          ...module,
          known: memory.read(name),
          onMutants: (keys: KnownMutants) => memory.write(name, keys),
        }
      : module,
    place,
    only: gates,
    all,
    cache: fileCache(join(ports.memory, "liveness")),
    ...(ports.verdicts === undefined ? {} : { known: { memory: ports.verdicts, never: afresh } }),
    keep: async (evidence) => {
      const ref = await ports.store.payloads.put(`${JSON.stringify(evidence)}\n`);
      kept.set(ref, evidence);
      return ref;
    },
    signal,
  });
  const evidenceOf = (gate: GateName) =>
    kept.get(reported.find(({ verdict }) => verdict.gate === gate)?.verdict.evidence[0] ?? "");
  return { reported, evidenceOf };
}
