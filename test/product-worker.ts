// A process of its own for the tests: takes the product loop of a project as far as it goes, and dies where it is told.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { refineProduct } from "../src/factory/product.ts";
import { openWorks } from "../src/factory/works.ts";
import { Sql } from "../src/store/sql.ts";

const [project = "", runId = "", last = "0", hours = "0"] = process.argv.slice(2);
let transactions = 0;
const open = Sql.open.bind(Sql);
/** `16` dies inside of the sixteenth transaction, which is undone by it; `16.5` right after it. */
Sql.open = (path, options) => {
  const sql = open(path, options);
  const transact = sql.transact.bind(sql);
  sql.transact = (work) => {
    transactions += 1;
    const here = transactions;
    const result = transact(() => {
      const done = work();
      if (here === Number(last)) die();
      return done;
    });
    if (here + 0.5 === Number(last)) die();
    return result;
  };
  return sql;
};

function die(): void {
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment to arrive; nothing may happen meanwhile.
  for (;;);
}

/** Later than the process before, so that what that one held is free. */
const now = (): number => Date.now() + Number(hours) * 3_600_000;
const works = await openWorks({ project, replay: join(project, "script.jsonl"), runId, now, env: {} });
const outcome = await refineProduct(works, { env: {} });
await works.close();
writeSync(1, JSON.stringify(outcome));
