// Shows that a gate can say no: plants its defect in a copy of this module and lets the same gate look at it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlantedDefect } from "../domain/evidence/gate-verdict.ts";
import type { Facts } from "./facts.ts";
import { keepFile } from "./kept-file.ts";
import type { GateDefinition } from "./port.ts";

/** Remembers refusals by everything that decided them: code, tests, configuration, policy, tools. */
export interface LivenessCache {
  read(key: string): string | undefined;
  write(key: string, planted: string): void;
}

export async function proveLiveness(
  gate: GateDefinition,
  facts: Facts,
  cache: LivenessCache,
): Promise<PlantedDefect> {
  const cacheKey = await facts.key(gate.name);
  const known = cache.read(cacheKey);
  if (known !== undefined) return { planted: known, refused: true, how: "cached", cacheKey };
  const plant = await gate.plant(facts);
  if (plant.kind === "impossible") return { planted: plant.why, refused: false, how: "this-run" };
  const look = await gate.look(plant.facts);
  const { refusedBy = [() => true] } = plant;
  const refused =
    look.kind === "looked" &&
    look.looked > 0 &&
    refusedBy.every((isRefusal) => look.findings.some(isRefusal));
  if (refused) cache.write(cacheKey, plant.what);
  return { planted: plant.what, refused, how: "this-run" };
}

/** In files that anybody may delete. */
export function fileCache(directory: string): LivenessCache {
  const place = (key: string) => join(directory, key.slice(0, 2), key.slice(2));
  return {
    read: (key) => {
      try {
        // What is empty says nothing that was ever planted.
        return readFileSync(place(key), "utf8").trim() || undefined;
      } catch {
        return undefined;
      }
    },
    write: (key, planted) => keepFile(place(key), planted),
  };
}

export function noCache(): LivenessCache {
  return { read: () => undefined, write: () => undefined };
}
