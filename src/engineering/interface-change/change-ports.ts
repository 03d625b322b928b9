// What the debate about a changed contract works with: the ports of a protocol whose module is the one that is to change.
import { applyDelta } from "../../domain/contract/apply-delta.ts";
import { CupelError } from "../../domain/error.ts";
import type { Rigor } from "../../domain/evidence/rigor.ts";
import type { InterfaceChangeException } from "../../domain/people/interface-change.ts";
import { moduleIdOf, type ModuleRef, type TaskId, versionOf } from "../../domain/refs.ts";
import { refSatisfies } from "../../domain/semver.ts";
import { renderTaskFile } from "../../domain/task/task-file.ts";
import type { Protocol } from "../../protocols/port.ts";
import { dependencyView } from "../dependency-view.ts";
import { modulePorts } from "../module-ports/module-ports.ts";
import type { TaskOrder, TaskPorts } from "../port.ts";
import { consumerRecords } from "../ship/bench.ts";
import { type Shelf, shelfOf } from "../ship/shelf.ts";
import { pillarOf } from "../subject.ts";
import { changePlan, changeTask } from "./change-task.ts";
import type { ChangePorts } from "./nodes.ts";

export interface Debating {
  exception: InterfaceChangeException;
  /** Of the task that halted. */
  order: TaskOrder;
  /** Of the task that would make the new version; the debate is the first part of its work. */
  taskId: TaskId;
  thread: string;
  /** Which decision about the request began it: scripts and recordings tell debates apart by it. */
  number: number;
}

/** Throws where the module has not shipped. */
export async function changePorts(ports: TaskPorts, debating: Debating): Promise<ChangePorts> {
  const { exception, order, taskId, thread, number } = debating;
  const { store } = ports;
  const target = exception.target_module;
  const shelf = await shelfOf(ports);
  const record = shelf.get(target);
  const { contract: current } = await dependencyView(store, target);
  const wanted = applyDelta(current, exception.proposed_contract_delta);
  const contract = wanted.kind === "candidate" ? wanted.contract : current;
  const dependencies = await Promise.all(record.dependencies.map((ref) => dependencyView(store, ref)));
  const changed = { from: target, why: exception.reason, contract, dependencies };
  const task = changeTask(taskId, order.task, changed);
  const making = {
    assignment: {
      task,
      taskText: renderTaskFile(task),
      module: changePlan(changed),
      version: contract.module_version,
      folder: record.folder,
      dependencies,
      rigor: debated(order.rigor),
    },
    protocol: debateOf(ports),
    thread,
    pillar: pillarOf(task),
  };
  return {
    ...modulePorts(ports, { ...order, attempt: number }, making),
    exception,
    // The version follows from what is agreed in the end.
    inspect: (_context, draft) => ports.toolchain.checkContract(draft),
    shippedContract: async (module) => {
      const sealed = await store.modules.isSealed(moduleIdOf(module), versionOf(module));
      return sealed ? (await dependencyView(store, module)).contract : undefined;
    },
    newestOf: async (module) =>
      (await shelfOf(ports)).versionsOf(moduleIdOf(module)).at(-1)?.module ?? module,
    usersOf: async (module) => usersOf(await shelfOf(ports), module),
    mayGet: async (user, module) =>
      (await shelfOf(ports)).get(user).entry.dependencies.some((range) => refSatisfies(module, range)),
  };
}

function usersOf(shelf: Shelf, module: ModuleRef): ModuleRef[] {
  const asked = { module_id: moduleIdOf(module), module_version: versionOf(module) };
  return consumerRecords(asked, shelf).map((record) => record.module);
}

/** A contract that others use already is never changed without a debate, whatever the project asks for otherwise. */
function debated(rigor: Rigor): Rigor {
  if (rigor.contractRound) return rigor;
  return { ...rigor, contractRound: true, overridden: [...rigor.overridden, "contractRound"] };
}

function debateOf({ protocols }: TaskPorts): Protocol {
  const protocol = protocols.get("debate");
  if (protocol?.scope === "module") return protocol;
  throw new CupelError("usage", "there is nobody here to debate a contract with", {
    expected: "the protocol debate beside whichever makes the modules",
  });
}
