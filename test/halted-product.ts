// A product in which a task has halted, made by the supervisor without any agent.
import { deskIn, projectOf, work } from "./project-samples.ts";
import { id } from "./project-specs.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Task 1 has halted, 2 waits for it, 3 for nobody; nobody works. */
export async function haltedProduct(): Promise<string> {
  const directory = temporaryDirectory();
  const desk = await deskIn(directory);
  await desk.store.project.takeRun(desk.fence, "r-1");
  const project = await projectOf([[], [1], []], desk);
  await work(project, ({ task }) => (task.task_id === id(1) ? "halt" : undefined));
  await desk.store.leases.release(desk.fence);
  return directory;
}
