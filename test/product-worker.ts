// A process of its own for the tests: takes the product loop of a project as far as it goes, and dies where it is told.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { refineProduct } from "../src/factory/product.ts";
import { openWorks } from "../src/factory/works.ts";
import { Sql } from "../src/store/sql.ts";

const [project = "", runId = "", last = "0"] = process.argv.slice(2);
let transactions = 0;
const open = Sql.open.bind(Sql);
/** Every second time inside of the transaction, so that it is undone, else right after it. */
Sql.open = (path, options) => {
  const sql = open(path, options);
  const transact = sql.transact.bind(sql);
  sql.transact = (work) => {
    transactions += 1;
    const dies = transactions === Number(last);
    const inside = transactions % 2 === 0;
    const result = transact(() => {
      const done = work();
      if (dies && inside) die();
      return done;
    });
    if (dies) die();
    return result;
  };
  return sql;
};

function die(): void {
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment to arrive; nothing may happen meanwhile.
  for (;;);
}

const works = await openWorks({ project, replay: join(project, "script.jsonl"), runId, ttlMs: 1, env: {} });
const outcome = await refineProduct(works, { env: {} });
await works.close();
writeSync(1, JSON.stringify(outcome));
