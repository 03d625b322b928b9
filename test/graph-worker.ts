// A process of its own for the tests: runs or resumes the sample graph, and kills itself at a given point.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { CupelError } from "../src/domain/error.ts";
import { openGraphs } from "../src/graph/graphs.ts";
import { Sql } from "../src/store/sql.ts";
import { appendTo, sampleGraph } from "./graph-samples.ts";
import type { SamplePorts } from "./graph-samples.ts";

const [directory = "", holder = "", killAt = "", ttlMs = "1", waitMs = "0"] = process.argv.slice(2);
let points = 0;

const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
const transact = sql.transact.bind(sql);
/** Before, inside and after every transaction. */
sql.transact = (work) => {
  point("before a transaction");
  const result = transact(() => {
    const done = work();
    point("inside a transaction");
    return done;
  });
  point("after a transaction");
  return result;
};

const graphs = openGraphs({ sql, holder, ttlMs: Number(ttlMs), backOffMs: 1 });
const effect = appendTo(join(directory, "effects"));
const ports: SamplePorts = {
  point,
  acknowledged: (key) => say("acknowledged", { key }),
  async effect(key) {
    say("effect", { key });
    await new Promise((resolve) => setTimeout(resolve, Number(waitMs)));
    return effect(key);
  },
};
try {
  const there = graphs.find("t-1") !== undefined;
  const going = { thread: "t-1", ports };
  const outcome = there ? await graphs.resume(sampleGraph, going) : await graphs.run(sampleGraph, going);
  say("outcome", { ...outcome, points });
} catch (cause) {
  if (!(cause instanceof CupelError)) throw cause;
  say("error", { code: cause.code, message: cause.message, hint: cause.hint });
}
sql.close();

function point(where: string): void {
  points++;
  if (points !== Number(killAt)) return;
  say("killed", { where });
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment to arrive; nothing may happen meanwhile.
  for (;;);
}

/** Synchronously: what was said before a kill has left the process. */
function say(what: string, more: object): void {
  writeSync(1, `${JSON.stringify({ what, ...more })}\n`);
}
