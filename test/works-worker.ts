// A process of its own for the tests: opens the run of a project and asks its proposer, which takes its time.
import { writeSync } from "node:fs";
import { proposer } from "../src/agents/roles/proposer.ts";
import { openWorks } from "../src/factory/works.ts";
import { proposerInput } from "./agent-samples.ts";
import { KEY } from "./works-samples.ts";

const [project = "", replay = "", runId = "", ttlMs = ""] = process.argv.slice(2);
const works = await openWorks({ project, replay, runId, pace: 1, ttlMs: Number(ttlMs), env: {} });
writeSync(1, `${process.pid}\n`);
await works.ask(proposer, {
  input: proposerInput(),
  key: KEY,
  tools: [],
  signal: new AbortController().signal,
});
await works.close();
