// Raises a request for another contract on behalf of the agent that asks: checked, kept once, and then the call is over.
import type { RaiseInterfaceChange } from "../../agents/tools/interface-change-tool.ts";
import type { Role } from "../../domain/artifact/role.ts";
import { parse, renderProblems } from "../../domain/parse.ts";
import { InterfaceChangeException, mayRaise } from "../../domain/people/interface-change.ts";
import { moduleIdOf } from "../../domain/refs.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { CallIds, OpenCall } from "../calls/ask-once.ts";
import type { Desk } from "./desk.ts";

export interface Raiser {
  raise: RaiseInterfaceChange;
  /** The request that this call has raised, if it has. */
  raised: () => string | undefined;
}

/** Every word of it goes into the inbox. */
const LARGEST = 32_000;

export async function raiserFor(
  desk: Desk,
  context: NodeContext,
  { name, role, call }: { name: string; role: Role; call: OpenCall },
): Promise<Raiser> {
  // The same call may have raised it before the process died.
  let raised = await raisedBy(desk, call.ids);
  return {
    raised: () => raised,
    async raise(request) {
      const { module, dependencies } = desk.subject;
      const allowed = mayRaise(role, request.target_module, moduleIdOf(module), dependencies);
      if (allowed.kind === "refused") return { kind: "refused", why: allowed.reason };
      const wanted = parse(InterfaceChangeException, {
        ...request,
        exception_id: call.ids.exception,
        raised_by: { artifact_ref: module, role, run_id: call.runId },
      });
      if (wanted.kind === "invalid") return { kind: "refused", why: renderProblems(wanted.problems) };
      if (JSON.stringify(wanted.value).length > LARGEST)
        return { kind: "refused", why: `it is longer than ${LARGEST} characters; a person has to read it` };
      // What is raised first counts, also when two come at once.
      const exception = await context.once(
        `${name}:exception`,
        InterfaceChangeException,
        async () => wanted.value,
      );
      await keep(desk, exception, role, call);
      raised = exception.exception_id;
      return { kind: "raised", exceptionId: raised };
    },
  };
}

export async function raisedBy({ engineering }: Desk, { exception }: CallIds): Promise<string | undefined> {
  return (await engineering.store.artifacts.has(exception)) ? exception : undefined;
}

async function keep(
  { engineering, making }: Desk,
  exception: InterfaceChangeException,
  role: Role,
  { ids, runId }: OpenCall,
): Promise<void> {
  const { store, fence } = engineering;
  const id = exception.exception_id;
  await store.documents.write(fence, "exceptions", `${id}.json`, exception);
  await store.artifacts.create(fence, {
    id,
    type: "INTERFACE_CHANGE_EXCEPTION",
    pillar: making.pillar,
    createdBy: { role, run_id: runId },
    contextPackRef: ids.pack,
    inputs: [{ ref: exception.target_module, purpose: "the module whose contract should change" }],
    body: { "exception.json": JSON.stringify(exception, null, 2) },
  });
}
