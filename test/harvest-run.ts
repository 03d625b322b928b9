// The harvest with scripted agents: some of them are asked only when others have come so far, in whichever process.
import { setTimeout as sleep } from "node:timers/promises";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import { DEFAULT_FRACTAL } from "../src/domain/fractal/settings.ts";
import type { Works } from "../src/factory/works.ts";
import { threadName } from "../src/engineering/subject.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import { HARVEST_TASK } from "./harvest-modules.ts";
import { harvestWaits } from "./harvest-samples.ts";

export const HARVEST_ORDER = orderFor(HARVEST_TASK, {
  protocol: "fractal",
  rigor: resolveRigor("lite"),
  fractal: { ...DEFAULT_FRACTAL, concurrency: 8 },
});

const LONGEST_MS = 900_000;
const BEAT_MS = 100;

export function patiently({ ask, store, runId }: Pick<Works, "ask" | "store" | "runId">): Works["ask"] {
  const name = threadName(runId, HARVEST_ORDER, "tree");
  return async (role, asking) => {
    const until = Date.now() + LONGEST_MS;
    while (harvestWaits(asking.key, (await store.trees.read(name)) ?? {})) {
      if (Date.now() > until) throw new Error(`${JSON.stringify(asking.key)} waited for ever`);
      await sleep(BEAT_MS, undefined, { signal: asking.signal });
    }
    return ask(role, asking);
  };
}
