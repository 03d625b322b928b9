// Lets an agent write a module, and kills itself where it is told to: before, inside or after what is done once.
import { appendFileSync } from "node:fs";
import type { Runtime, RuntimeRequest } from "../src/agents/port.ts";
import { scriptedRuntime } from "../src/agents/runtimes/scripted.ts";
import { openGround } from "./engineering-ground.ts";
import { CALLS, HOLDER, WRITING, writePercent } from "./write-samples.ts";
import { shipClamp } from "./module-ground.ts";

const [project = "", dieAt = ""] = process.argv.slice(2);

const played = scriptedRuntime(WRITING);
const runtime: Runtime = {
  ...played,
  run: (request: RuntimeRequest) => {
    appendFileSync(`${project}/${CALLS}`, "called\n");
    return played.run(request);
  },
};
const ground = await openGround(project, { runtime, holder: HOLDER });
await shipClamp(ground);
await writePercent(ground, (where) => {
  if (where !== dieAt) return;
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment to arrive; nothing may happen meanwhile.
  for (;;);
});
throw new Error(`${dieAt} was never reached`);
