// A process of its own for the tests: runs or resumes the reader and the sender at once, and kills itself at a given point.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { LocalAdvisories } from "../src/graph/advisory.ts";
import { openGraphs } from "../src/graph/graphs.ts";
import { LocalMailbox } from "../src/graph/mailbox.ts";
import type { Graph, StateShape } from "../src/graph/port.ts";
import { Sql } from "../src/store/sql.ts";
import { mutantsJob, READER, readerGraph, SENDER, senderGraph } from "./graph-mail-samples.ts";
import type { MailPorts } from "./graph-mail-samples.ts";
import { appendTo } from "./graph-samples.ts";

const [directory = "", holder = "", killAt = "", which = "both"] = process.argv.slice(2);
/** A number of points, or so many after one with a name, such as `3 read ends`. */
const [, place, label] = /^(\d+)(?: (.+))?$/.exec(killAt) ?? [];
let points = 0;
let since = Number.NEGATIVE_INFINITY;

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

const jobs = { mutants: mutantsJob(point, () => say("job", {})) };
const mailbox = new LocalMailbox(sql, holder);
const advisories = new LocalAdvisories({ sql, holder, jobs, ttlMs: 1, mostStarts: 1000, pollMs: 5 });
const graphs = openGraphs({ sql, holder, ttlMs: 1, backOffMs: 1, mailbox, advisories });
const ports: MailPorts = { mailbox, point, effect: appendTo(join(directory, "effects")) };

const go = <S extends StateShape>(graph: Graph<S, MailPorts>, thread: string) =>
  graphs.find(thread) === undefined
    ? graphs.run(graph, { thread, ports })
    : graphs.resume(graph, { thread, ports });
const [reader, sender] = await Promise.all([
  which === "sender" ? undefined : go(readerGraph, READER),
  which === "reader" ? undefined : go(senderGraph, SENDER),
]);
say("outcome", { reader, sender, points });
await advisories.close();
sql.close();

function point(where: string): void {
  points++;
  if (where === label) since = 0;
  else since++;
  const reached = label === undefined ? points : since;
  if (reached !== Number(place)) return;
  say("killed", { where });
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment to arrive; nothing may happen meanwhile.
  for (;;);
}

/** Synchronously: what was said before a kill has left the process. */
function say(what: string, more: object): void {
  writeSync(1, `${JSON.stringify({ what, ...more })}\n`);
}
