// A process of its own for the tests: makes end-to-end tests of a product, and kills itself at a given step.
import { say } from "./kill-points.ts";
import { tried } from "./e2e-ground.ts";

const [project = "", script = "", killAt = "", hours = "0"] = process.argv.slice(2);
const outcome = await tried(project, [], {
  script,
  hours: Number(hours),
  onStep: (step) => {
    if (step !== killAt) return;
    say("killed", { where: step });
    process.kill(process.pid, "SIGKILL");
    // The signal may take a moment to arrive; nothing may happen meanwhile.
    for (;;);
  },
});
say("outcome", { where: outcome.kind });
process.exit(0);
