// The project phase of a run: the supervisor with real engineering under it.
import type { ProductSpec } from "../domain/product/product-spec.ts";
import { engineerTask } from "../engineering/engineer-task.ts";
import { decideInterfaceChange } from "../engineering/interface-change/decide.ts";
import type { TaskPorts } from "../engineering/port.ts";
import { publishTaskFiles } from "../project/publish-task-files.ts";
import { runProject } from "../project/run-project.ts";
import { contractsIn } from "../project/task-order.ts";
import { watched } from "./over-budget.ts";
import type { RunContext, RunStop } from "./run-phases.ts";

export async function projectPhase(
  { works, engineering, signal }: RunContext,
  spec: ProductSpec,
): Promise<{ kind: "finished" } | RunStop> {
  const { store, fence, runId, config, graphs } = works;
  const { ports: whole } = await engineering();
  const { ask, budget } = watched(whole.ask);
  const ports: TaskPorts = { ...whole, ask };
  const desk = { store, fence, runId, now: ports.now };
  const outcome = await runProject(desk, spec, {
    engineer: (order) => engineerTask(ports, order),
    decide: (order) => decideInterfaceChange(ports, order),
    contracts: contractsIn(store),
    rigor: config.rigor,
    protocol: config.protocol,
    blind: config.blind,
    fractal: config.fractal,
    concurrency: config.concurrency,
    drain: () => graphs.drain(),
    signal: AbortSignal.any([signal, works.lost]),
    publish: () => publishTaskFiles(desk, ports.hub),
  });
  switch (outcome.kind) {
    case "finished":
      return outcome;
    case "halted":
      return { kind: "halted", tasks: await tasksWith(works.store, "HALTED") };
    case "blocked": {
      const why = "all that is left waits for tasks that were abandoned";
      return { kind: "waiting", why, command: "cupel next" };
    }
    case "stopped":
      return budget.over ? { kind: "over-budget", why: outcome.why } : outcome;
  }
}

async function tasksWith(store: RunContext["works"]["store"], status: string): Promise<string[]> {
  const entries = await store.project.entries();
  return entries.flatMap(([id, entry]) => (entry.status === status ? [id] : []));
}
