// A process of its own for the tests: runs or resumes the sample graph, and kills itself at a given point.
import { join } from "node:path";
import { CupelError } from "../src/domain/error.ts";
import { openGraphs } from "../src/graph/graphs.ts";
import { appendTo, sampleGraph } from "./graph-samples.ts";
import type { SamplePorts } from "./graph-samples.ts";
import { openWithPoints, say } from "./kill-points.ts";

const [directory = "", holder = "", killAt = "", ttlMs = "1", waitMs = "0"] = process.argv.slice(2);
let points = 0;

const { sql, point } = openWithPoints(directory, () => ++points === Number(killAt));

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
