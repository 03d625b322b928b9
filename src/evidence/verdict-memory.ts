// Verdicts that were reached before on the very same code, tests, contract, policy and tools, for as long as a process lives:
// whoever asks again in between is given what was found out, with the refusal that it rests on.
import type { GateName } from "../domain/evidence/gate.ts";
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import type { Facts } from "./facts.ts";
import type { Figures } from "./port.ts";

/** A verdict with what it looked at, in words and as it is. */
export interface Found {
  verdict: GateVerdict;
  summary: string;
  figures?: Figures;
  evidence?: unknown;
}

export interface VerdictMemory {
  read(key: string): Found | undefined;
  write(key: string, found: Found): void;
}

const MOST = 2_000;

/** Nothing of it is written down: no file can say that something has passed. */
export function verdictMemory(): VerdictMemory {
  const known = new Map<string, Found>();
  return {
    read: (key) => known.get(key),
    write: (key, found) => {
      known.set(key, found);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** What is known of one module. */
export interface Recall {
  known(gate: GateName): Promise<Found | undefined>;
  keep(gate: GateName, found: Found): Promise<void>;
}

/** The gates in `never` look themselves, whatever is known. */
export function recallOf(facts: Facts, memory: VerdictMemory, never: readonly GateName[] = []): Recall {
  return {
    async known(gate) {
      if (never.includes(gate)) return undefined;
      const key = await facts.key(gate);
      const found = memory.read(key);
      return found === undefined ? undefined : { ...found, verdict: seenEarlier(found.verdict, key) };
    },
    async keep(gate, found) {
      // A no is looked at again: it may have been chance, and nobody waits for a yes that was never reached.
      const { verdict } = found.verdict;
      if (verdict === "PASS" || verdict === "NOT_APPLICABLE") memory.write(await facts.key(gate), found);
    },
  };
}

export const NOTHING_KNOWN: Recall = {
  known: () => Promise.resolve(undefined),
  keep: () => Promise.resolve(),
};

/** Its refusal was not seen in this run, and the verdict says so. */
function seenEarlier(verdict: GateVerdict, cacheKey: string): GateVerdict {
  if (verdict.verdict !== "PASS") return verdict;
  const { planted } = verdict.liveness;
  return { ...verdict, liveness: { planted, refused: true, how: "cached", cacheKey } };
}
