// Makes a project of an approved specification: everything is checked first, then one transaction holds all of it.
import { CupelError } from "../domain/error.ts";
import { canonicalJson, dropUndefined } from "../domain/canonical.ts";
import { completeSpec, planProject } from "./plan-project.ts";
import { Project, type ProjectDesk } from "./project.ts";

export type Initialised = { kind: "begun"; tasks: number } | { kind: "there"; tasks: number };

/** The same specification again is the project that is there; another one is refused, because work rests on the first. */
export async function initProject(desk: ProjectDesk, given: unknown): Promise<Initialised> {
  const { store, fence, runId } = desk;
  const at = desk.now().toISOString();
  const head = await store.project.head();
  const spec = completeSpec(given);
  const specRef = await store.payloads.put(canonicalJson(dropUndefined(spec)));
  if (head !== undefined) {
    if (head.specRef !== specRef) throw anotherSpec(head.specVersion);
    return { kind: "there", tasks: (await Project.open(desk)).machine.size };
  }
  const { projectId, specVersion, tasks } = planProject(spec, at);
  const current = await store.project.takeRun(fence, runId);
  if (current !== runId) throw anotherRun(current);
  await store.project.begin(
    fence,
    { projectId, specVersion, specRef, updatedAt: at },
    tasks,
    `the specification ${specVersion} was approved`,
  );
  return { kind: "begun", tasks: tasks.length };
}

function anotherSpec(version: string): CupelError {
  return new CupelError("already_exists", `the project is made of another specification (${version})`, {
    expected: "the specification that it began with",
    hint: "cupel run --resume (goes on with it); for another product, begin in another directory",
  });
}

export function anotherRun(runId: string): CupelError {
  return new CupelError("run_held", `the product is worked on under the run ${runId}`, {
    expected: "one run for each product",
    hint: "cupel run --resume",
  });
}
