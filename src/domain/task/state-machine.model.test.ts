// The incremental state machine against the naive one, over arbitrary projects and sequences of operations.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NaiveStateMachine } from "../../../test/models/naive-state-machine.ts";
import {
  amend,
  attest,
  declare,
  halt,
  id,
  join,
  machineOf,
  plain,
  ship,
  split,
  statuses,
} from "../../../test/models/task-operations.ts";
import { CupelError } from "../error.ts";
import { dispatch } from "./dispatch.ts";
import type { ProjectState, TaskOperation } from "./project-state.ts";
import { StateMachine } from "./state-machine.ts";

describe("against the naive model", () => {
  test("any sequence of operations: same refusals, same statuses, same dispatch, and a reload changes nothing", () => {
    fc.assert(
      fc.property(projects, fc.array(steps, { maxLength: 60 }), (dependencies, sequence) => {
        const machine = machineOf(...dependencies);
        const model = new NaiveStateMachine(dependencies);
        for (const step of sequence) {
          const operation = step(model);
          const refused = !model.apply(operation);
          expect(succeeds(() => machine.apply(operation))).toBe(!refused);
          expect(statuses(machine)).toEqual(model.statuses());
          expect(dispatch(machine, 3)).toEqual(model.dispatch(3));
          expect(waiting(machine)).toEqual(model.tasks.map((task) => task.dependencies.map(id).toSorted()));
          expect(machine.finished).toBe(model.statuses().every((s) => s === "SHIPPED" || s === "ABANDONED"));
        }
        const reloaded = StateMachine.load(shuffled(machine.toState()));
        expect(reloaded.toState()).toEqual(machine.toState());
        expect(dispatch(reloaded, 99)).toEqual(dispatch(machine, 99));
      }),
      { numRuns: 400 },
    );
  });

  test("the changes returned, replayed on the statuses before, give the statuses after", () => {
    fc.assert(
      fc.property(projects, fc.array(steps, { maxLength: 40 }), (dependencies, sequence) => {
        const machine = machineOf(...dependencies);
        const model = new NaiveStateMachine(dependencies);
        const replayed = new Map(dependencies.map((_, n) => [id(n), "PENDING"]));
        for (const step of sequence) {
          const operation = step(model);
          if (!model.apply(operation)) continue;
          for (const change of machine.apply(operation)) {
            expect(replayed.get(change.task) ?? null).toBe(change.from);
            replayed.set(change.task, change.to);
          }
          expect([...replayed.values()]).toEqual(statuses(machine));
        }
      }),
    );
  });

  test("dispatch is a function of the state alone", () => {
    const machine = machineOf([], [], [0]);
    expect(dispatch(machine, 1)).toEqual([id(0)]);
    expect(dispatch(machine, 1)).toEqual([id(0)]);
    expect(dispatch(machine, 0)).toEqual([]);
    expect(dispatch(machine, 5)).toEqual([id(0), id(1)]);
  });
});

/** Dependencies point to earlier numbers, except that declaration order is shuffled by rotating them half the time. */
const projects = fc
  .array(fc.array(fc.nat(20), { maxLength: 3 }), { minLength: 1, maxLength: 9 })
  .map((raw) => raw.map((list, n) => [...new Set(list.map((d) => d % Math.max(1, n)))].filter((d) => d < n)))
  .chain((earlier) =>
    fc.boolean().map((reversed) => {
      if (!reversed) return earlier;
      const last = earlier.length - 1;
      return earlier.map((_, n) => (earlier[last - n] ?? []).map((d) => last - d));
    }),
  );

type Step = (model: NaiveStateMachine) => TaskOperation;

/** A step picks its task when it is applied, so that later steps also hit tasks that a split added. */
const steps: fc.Arbitrary<Step> = fc
  .record({
    kind: fc.constantFrom(
      "start",
      "start",
      "ship",
      "halt",
      "lose",
      "amend",
      "rewire",
      "resume",
      "attest",
      "abandon",
      "split",
      "join",
    ),
    pick: fc.nat(1000),
    others: fc.array(fc.nat(1000), { maxLength: 3 }),
  })
  .map(({ kind, pick, others }) => (model) => {
    const size = model.tasks.length;
    const n = pick % size;
    const some = [...new Set(others.map((other) => other % size))];
    switch (kind) {
      case "ship":
        return ship(n);
      case "halt":
        return halt(n);
      case "attest":
        return attest(n);
      case "amend":
        return amend(n);
      case "rewire":
        return amend(n, some);
      case "split":
        return split(n, [declare(size, some), declare(size + 1, pick % 2 === 0 ? [size] : [])]);
      case "join":
        return join(n, [declare(size, some), declare(size + 1, pick % 2 === 0 ? [size] : [])]);
      case "start":
      case "lose":
      case "resume":
      case "abandon":
        return plain(kind, n);
      default:
        throw new Error(`no step ${String(kind)}`);
    }
  });

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (error instanceof CupelError) return false;
    throw error;
  }
}

/** As another program may have written it: the order of keys means nothing. */
function shuffled(state: ProjectState): unknown {
  const tasks = Object.fromEntries(Object.entries(state.tasks).toReversed());
  return JSON.parse(JSON.stringify({ ...state, tasks }));
}

function waiting(machine: StateMachine): string[][] {
  return Object.values(machine.toState().tasks).map((entry) => entry.depends_on.toSorted());
}
