// Which tasks to start next: a pure function of the state machine, without clock, chance or memory.
import type { StateMachine } from "./state-machine.ts";

/** The first `slots` eligible tasks in declaration order; none while any task is HALTED. */
export function dispatch(machine: StateMachine, slots: number): string[] {
  return machine.haltedCount > 0 ? [] : machine.eligible(slots);
}
