// A process of its own for the tests: makes one module or one tree by a protocol, and kills itself at the transaction that it is told.
import { syncBuiltinESMExports } from "node:module";
import { ProtocolName } from "../src/domain/evidence/rigor.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import { openEngineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { blindAdvice } from "../src/protocols/blind/advice.ts";
import { Sql } from "../src/store/sql.ts";
import { HARVEST_ORDER, patiently } from "./harvest-run.ts";
import { INVOICE_TASK } from "./invoice-samples.ts";
import { say } from "./kill-points.ts";
import { orderFor } from "../src/simulator/lone-task.ts";

const [name, project = "", script = "", killAt = "0", hours = "0"] = process.argv.slice(2);
const protocol = ProtocolName.parse(name);
let points = 0;
const transact: unknown = Reflect.get(Sql.prototype, "transact");
Reflect.set(Sql.prototype, "transact", function counted(this: unknown, work: () => unknown): unknown {
  points += 1;
  const here = points;
  const inside = () => {
    const result = work();
    // An even point dies inside, so that the transaction is undone; an odd one right after it.
    if (here % 2 === 0) dieAt(here);
    return result;
  };
  const result: unknown =
    typeof transact === "function" ? Reflect.apply(transact, this, [inside]) : undefined;
  if (here % 2 === 1) dieAt(here);
  return result;
});
syncBuiltinESMExports();

function dieAt(point: number): void {
  if (String(point) !== killAt) return;
  say("killed", { point });
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment to arrive; nothing may happen meanwhile.
  for (;;);
}

/** Later than the process before, so that what that one held is free. */
const now = (): number => Date.now() + Number(hours) * 3_600_000;
const works = await openWorks({
  project,
  runId: "r-1",
  replay: script,
  ignoreInput: true,
  jobs: () => blindAdvice,
  env: {},
  now,
});
const engineering = await openEngineering(works, { ownScripts: true });
const outcome =
  protocol === "fractal"
    ? await engineerTask({ ...engineering.ports, ask: patiently(works) }, HARVEST_ORDER)
    : await engineerTask(engineering.ports, orderFor(INVOICE_TASK, { protocol }));
await engineering.close();
await works.close();
say("outcome", { outcome, points });
