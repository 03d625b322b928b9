// Lets simulated agents make one module in a real run of the factory.
import { onTestFinished } from "vitest";
import { type ProtocolName, resolveRigor } from "../src/domain/evidence/rigor.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import type { TaskOutcome } from "../src/engineering/port.ts";
import { openEngineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { blindAdvice } from "../src/protocols/blind/advice.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import type { SimulatedCase } from "../src/simulator/port.ts";
import { sampleProject } from "./git-samples.ts";

/** What became of the module, and what the gates said against it; nobody gets a second try. */
export async function madeBy(agents: string, about: SimulatedCase, protocol: ProtocolName = "solo") {
  const project = sampleProject({ "README.md": "# Kitchen\n" });
  const works = await openWorks({
    project,
    cast: { runtime: "simulator", simulated: agents },
    simulation: { silenceMs: 100, cases: [about] },
    jobs: () => blindAdvice,
  });
  const engineering = await openEngineering(works);
  onTestFinished(async () => {
    await engineering.close();
    await works.close();
  });
  const rigor = resolveRigor({ base: "standard", maxFixAttempts: 0 });
  const outcome = await engineerTask(engineering.ports, orderFor(about.task, { protocol, rigor }));
  const events = await works.store.journal.read(0, 5000);
  const gates = events.flatMap((event) =>
    event.kind === "gate_verdict_recorded" && event.blocks ? [event.verdict.gate] : [],
  );
  return { outcome: outcome.kind, gates: gates.join(" "), why: whyOf(outcome), first: events[0] };
}

function whyOf(outcome: TaskOutcome): string {
  if (outcome.kind === "stopped") return outcome.why;
  if (outcome.kind === "shipped") return "";
  return outcome.escalation.failed_invariants.map(({ evidence }) => evidence).join("\n");
}
