// A process of its own for the tests: releases a product and kills itself at a given step.
import { release } from "../src/release/release.ts";
import { say } from "./kill-points.ts";
import { openReleaseWorld } from "./release-samples.ts";

const [project = "", runId = "", killAt = ""] = process.argv.slice(2);
const ports = await openReleaseWorld(project, {
  runId,
  onStep: (step) => {
    if (step !== killAt) return;
    say("killed", { where: step });
    process.kill(process.pid, "SIGKILL");
    // The signal may take a moment to arrive; nothing may happen meanwhile.
    for (;;);
  },
});
const outcome = await release(ports, { scope: "full", signal: new AbortController().signal });
say("outcome", outcome);
process.exit(0);
