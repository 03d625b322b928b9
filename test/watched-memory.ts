// A memory of verdicts that tells which gates looked: their verdicts are written down, those that are taken over are not.
import type { GateName } from "../src/domain/evidence/gate.ts";
import { type VerdictMemory, verdictMemory } from "../src/evidence/verdict-memory.ts";

export function watchedMemory(): VerdictMemory & { looked: GateName[] } {
  const memory = verdictMemory();
  const looked: GateName[] = [];
  return {
    ...memory,
    write: (key, found) => {
      looked.push(found.verdict.gate);
      memory.write(key, found);
    },
    looked,
  };
}
