// A process of its own for the tests: opens the run of a project and asks its proposer, again and again if told.
import { writeSync } from "node:fs";
import { proposer } from "../src/agents/roles/proposer.ts";
import { openWorks } from "../src/factory/works.ts";
import { proposerInput } from "./agent-samples.ts";
import { KEY } from "./works-samples.ts";

const [project = "", replay = "", runId = "", ttlMs = "", first = "1", last = "1"] = process.argv.slice(2);
const works = await openWorks({ project, replay, runId, pace: 1, ttlMs: Number(ttlMs), env: {} });
writeSync(1, `${process.pid}\n`);
const { signal } = new AbortController();
for (let attempt = Number(first); attempt <= Number(last); attempt++) {
  const key = { ...KEY, attempt };
  await works.ask(proposer, { input: proposerInput(), key, attempts: Number(last), tools: [], signal });
  writeSync(1, `asked ${attempt}\n`);
}
await works.close();
