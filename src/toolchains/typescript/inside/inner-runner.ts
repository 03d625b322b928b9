// The program that the harness starts inside a site for everything that is repeated: it takes one job and answers in
// frames that only it can write, because it read their mark before any foreign code was loaded.
import { writeSync } from "node:fs";
import { compareSurvivors } from "./inner-differential.ts";
import type { InnerAnswer, InnerJob } from "./inner-job.ts";
import { loadModule, Switch } from "./inner-module.ts";
import { judgeMutants } from "./inner-mutants.ts";
import { runSuite } from "./inner-suite.ts";
import { quietWorld, stayAlive, takeStrays } from "./inner-world.ts";
import { unsupportedSoFar } from "./unsupported.ts";
import { vitestExports } from "./vitest-shim.ts";

const write = writeSync;
const encode = JSON.stringify;
/** `process.exit` runs handlers of foreign code first. */
const reallyExit: unknown = Reflect.get(process, "reallyExit");
const bytesOf = Buffer.from.bind(Buffer);
const immediately = setImmediate;

export async function main(job: InnerJob): Promise<void> {
  const { nonce } = job;
  const say = (answer: InnerAnswer) => put(`\n${nonce} ${encode(answer)}\n`);
  job.nonce = "";
  quietWorld();
  stayAlive();
  if (job.globals) Object.assign(globalThis, vitestExports);
  const module = loadModule(job.code, job.packages);
  switch (job.kind) {
    case "test":
      await testOnce();
      break;
    case "mutate":
      await judgeMutants(job, module, say);
      break;
    case "compare":
      await compareSurvivors(job, module, say);
      break;
  }
  say({ kind: "end" });
  if (typeof reallyExit === "function") Reflect.apply(reallyExit, process, [0]);

  async function testOnce(): Promise<void> {
    const everything = new Switch(-1, 0, Number.POSITIVE_INFINITY);
    const run = await runSuite({
      root: job.root,
      files: job.files.map((path) => ({ path })),
      load: (path) => module.load(path, everything),
      testTimeoutMs: job.testTimeoutMs,
      stopAtFirstFailure: false,
    });
    // Rejections that nobody handles are told one turn later.
    await new Promise((resolve) => immediately(resolve));
    const what = unsupportedSoFar();
    if (what === undefined)
      say({ kind: "ran", run: { ...run, strayErrors: [...run.strayErrors, ...takeStrays()] } });
    else say({ kind: "unsupported", what });
  }
}

/** A pipe takes only so much at once. */
function put(text: string): void {
  const bytes = bytesOf(text, "utf8");
  for (let at = 0; at < bytes.length;) {
    try {
      at += write(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}
