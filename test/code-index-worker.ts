// A process of its own for the tests: appends entries or reindexes, says what was acknowledged, and may kill itself.
import { LocalCodeIndex } from "../src/code-index/local-code-index.ts";
import { LocalLeases } from "../src/store/local/leases.ts";
import { indexEntry, wordEmbedder } from "./code-index-samples.ts";
import { openWithPoints, say } from "./kill-points.ts";

const [directory = "", work = "", name = "", first = "0", count = "0", killAt = "0"] = process.argv.slice(2);
let points = 0;
const { sql } = openWithPoints(directory, () => ++points === Number(killAt));
const lease = await new LocalLeases(sql, Date.now).acquire(`run:${name}-${process.pid}`, name, 60_000);
if (lease.kind !== "acquired") throw new Error("the lease is held");

if (work === "append") {
  const index = new LocalCodeIndex({ sql, embedder: wordEmbedder("test:old") });
  for (let n = Number(first); n < Number(first) + Number(count); n++) {
    const { appended } = await index.append(lease.fence, [indexEntry(`${name}_${n}`)]);
    say("appended", { ref: appended[0] });
  }
} else {
  const index = new LocalCodeIndex({ sql, embedder: wordEmbedder("test:new", 300) });
  await index.reindex(lease.fence);
}
say("done", { points });
sql.close();
