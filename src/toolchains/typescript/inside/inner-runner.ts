// The program that the harness starts inside a site for everything that is repeated: it takes one job and answers in
// frames that only it can write, because it read their mark before any foreign code was loaded.
import workerThreads from "node:worker_threads";
import { compareSurvivors } from "./inner-differential.ts";
import { speaker } from "./inner-frames.ts";
import type { InnerJob } from "./inner-job.ts";
import { loadModule, Switch } from "./inner-module.ts";
import { judgeMutants } from "./inner-mutants.ts";
import { runSuite } from "./inner-suite.ts";
import { quietWorld, removeTemporary, stayAlive, takeStrays } from "./inner-world.ts";
import { sealProcess } from "./sealed-process.ts";
import { unsupported, unsupportedSoFar } from "./unsupported.ts";
import { vitestExports } from "./vitest-shim.ts";

/** `process.exit` runs handlers of foreign code first. */
const reallyExit: unknown = Reflect.get(process, "reallyExit");
const { apply } = Reflect;
const immediately = setImmediate;

/** `marks` are known to nobody else; see inner-frames.ts. */
export async function main(job: InnerJob, marks: Uint8Array): Promise<void> {
  const say = speaker(marks);
  // Another thread could open the debugger of this one.
  sealProcess(unsupported, [["worker_threads", workerThreads, ["Worker"]]]);
  quietWorld();
  stayAlive();
  if (job.globals) Object.assign(globalThis, vitestExports);
  const module = loadModule(job);
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
  removeTemporary();
  say({ kind: "end" });
  if (typeof reallyExit === "function") apply(reallyExit, process, [0]);

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
