// A process of its own for the tests: runs or resumes the reader and the sender at once, and kills itself at a given point.
import { join } from "node:path";
import { LocalAdvisories } from "../src/graph/advisory.ts";
import { openGraphs } from "../src/graph/graphs.ts";
import { LocalMailbox } from "../src/graph/mailbox.ts";
import type { Graph, StateShape } from "../src/graph/port.ts";
import { mutantsJob, READER, readerGraph, SENDER, senderGraph } from "./graph-mail-samples.ts";
import type { MailPorts } from "./graph-mail-samples.ts";
import { appendTo } from "./graph-samples.ts";
import { openWithPoints, say } from "./kill-points.ts";

const [directory = "", holder = "", killAt = "", which = "both"] = process.argv.slice(2);
/** A number of points, or so many after one with a name, such as `3 read ends`. */
const [, place, label] = /^(\d+)(?: (.+))?$/.exec(killAt) ?? [];
let points = 0;
let since = Number.NEGATIVE_INFINITY;

const { sql, point } = openWithPoints(directory, isLast);

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

function isLast(where: string): boolean {
  points++;
  if (where === label) since = 0;
  else since++;
  return (label === undefined ? points : since) === Number(place);
}
