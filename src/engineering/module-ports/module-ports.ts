// The ports of a protocol for one module: asking, writing, locking and recording here, the door beside them.
import type { ProtocolPorts } from "../../protocols/port.ts";
import type { Making, TaskOrder, TaskPorts } from "../port.ts";
import { ask } from "./ask.ts";
import { changed } from "./changed.ts";
import type { Desk } from "./desk.ts";
import { history } from "./history.ts";
import { inspect } from "./inspect.ts";
import { lettersOf } from "./letters.ts";
import { lock } from "./lock.ts";
import { merge } from "./merge.ts";
import { readModule } from "./read-module.ts";
import { recordsOf } from "./records.ts";
import { scaffold } from "./scaffold.ts";
import { write } from "./write.ts";

export function modulePorts(ports: TaskPorts, order: TaskOrder, making: Making): ProtocolPorts {
  const { assignment, protocol } = making;
  const { module, version, dependencies } = assignment;
  const desk: Desk = {
    engineering: ports,
    making,
    subject: {
      task: assignment.task,
      attempt: order.attempt,
      module: `${module.module_id}@${version}`,
      dependencies: dependencies.map(({ ref }) => ref),
      protocol: protocol.name,
    },
  };
  const door = ports.openDoor(making);
  return {
    assignment,
    ask: (context, request) => ask(desk, context, request),
    write: (context, request) => write(desk, context, request),
    lock: (context, contract) => lock(desk, context, contract),
    inspect: (_context, contract) => inspect(ports, contract),
    scaffold: (context, contract, beside) => scaffold(desk, context, contract, beside),
    merge: (context, work) => merge(desk, context, work),
    changed: (_context, work) => changed(ports.hub, work, assignment.folder),
    test: (context, work) => door.test(context, work),
    examine: (context, candidate, look) => door.examine(context, candidate, look),
    symbols: (context, work) => door.symbols(context, work),
    differ: (context, work) => door.differ(context, work),
    certify: (context) => door.certify(context),
    read: (_context, commit) => readModule(ports.hub, commit, assignment.folder),
    contents: (context, work) => door.contents(context, work),
    ship: (context, candidate) => door.ship(context, candidate),
    history: (context) => history(desk, context),
    letters: lettersOf(desk),
    records: recordsOf(desk),
  };
}
