// One stretch of work on a project: its tasks come to be where they are not there yet, then the supervisor works, and at
// the end the files that follow the database say what it says.
import type { ProductSpec } from "../domain/product/product-spec.ts";
import { initProject, type Initialised } from "./init-project.ts";
import { Project, type ProjectDesk } from "./project.ts";
import { supervise, type Supervised, type SupervisorPorts } from "./supervise.ts";

export interface ProjectRun extends SupervisorPorts {
  /** Brings task files to the product. */
  publish: () => Promise<number>;
  onBegun?: (initialised: Initialised) => void;
}

export async function runProject(
  desk: ProjectDesk,
  spec: ProductSpec,
  ports: ProjectRun,
): Promise<Supervised> {
  const initialised = await initProject(desk, spec);
  ports.onBegun?.(initialised);
  const project = await Project.open(desk);
  await rest(project, ports);
  const outcome = await supervise(project, ports);
  await rest(project, ports);
  return outcome;
}

/** Whenever nobody works, files and database are the same. */
async function rest({ desk, machine }: Project, { publish }: ProjectRun): Promise<void> {
  await publish();
  await desk.store.showProject(desk.fence, machine.toState());
}
