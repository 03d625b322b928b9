// What the state machine does, what it refuses, and what it says when it refuses.
import { describe, expect, test } from "vitest";
import {
  amend,
  AT,
  attest,
  declare,
  halt,
  id,
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
import type { TaskStatus } from "./task-status.ts";

describe("the state machine", () => {
  test("a halt blocks everything behind it and a resolution frees it again", () => {
    const machine = machineOf([], [0], [1], []);
    machine.apply(plain("start", 0));
    const changes = machine.apply(halt(0));
    expect(Array.from(changes, (change) => `${change.task} ${change.from}→${change.to}`)).toEqual([
      `${id(0)} IN_PROGRESS→HALTED`,
      `${id(1)} PENDING→BLOCKED`,
      `${id(2)} PENDING→BLOCKED`,
    ]);
    expect(machine.entry(id(0))).toMatchObject({
      halted_reason: "two tests fail",
      escalation_ref: "ESC-0000000a",
    });
    expect(machine.stoppedBy(id(2))).toEqual([id(0)]);
    expect(dispatch(machine, 9)).toEqual([]);

    machine.apply(amend(0));
    expect(statuses(machine)).toEqual(["PENDING", "PENDING", "PENDING", "PENDING"]);
    expect(machine.entry(id(0)).halted_reason).toBeNull();
    expect(dispatch(machine, 9)).toEqual([id(0), id(3)]);
  });

  test("a task behind a blocked one stays blocked although no direct dependency is halted", () => {
    const machine = machineOf([], [], [0], [1, 2]);
    for (const n of [0, 1]) machine.apply(plain("start", n));
    for (const n of [0, 1]) machine.apply(halt(n));
    machine.apply(amend(1));
    expect(statuses(machine)).toEqual(["HALTED", "PENDING", "BLOCKED", "BLOCKED"]);
  });

  test("abandoning frees nobody, and the person can re-point or abandon what waits behind", () => {
    const machine = machineOf([], [0], [1]);
    machine.apply(plain("start", 0));
    machine.apply(halt(0));
    machine.apply(plain("abandon", 0));
    expect(statuses(machine)).toEqual(["ABANDONED", "BLOCKED", "BLOCKED"]);
    machine.apply(amend(1, []));
    expect(statuses(machine)).toEqual(["ABANDONED", "PENDING", "PENDING"]);
    expect(machine.finished).toBe(false);
  });

  test("a split hands its dependents over to all of its parts and blocks nobody", () => {
    const machine = machineOf([], [0], [1]);
    machine.apply(plain("start", 0));
    machine.apply(halt(0));
    machine.apply(split(0, [declare(3, [4]), declare(4, [])]));
    expect(statuses(machine)).toEqual(["ABANDONED", "PENDING", "PENDING", "PENDING", "PENDING"]);
    expect(machine.entry(id(0)).superseded_by).toEqual([id(3), id(4)]);
    expect(machine.entry(id(1)).depends_on).toEqual([id(3), id(4)]);
    expect(machine.entry(id(4)).declaration_order).toBe(4);
    expect(dispatch(machine, 9)).toEqual([id(4)]);
  });

  test("one word: a chain of 20,000 tasks halts and recovers without recursion", () => {
    const machine = StateMachine.create(
      "long",
      "1.0.0",
      Array.from({ length: 20_000 }, (_, n) => ({
        ...declare(0, []),
        task_id: longId(n),
        depends_on: n === 0 ? [] : [longId(n - 1)],
      })),
      AT,
    );
    machine.apply({ ...plain("start", 0), task: longId(0) });
    expect(machine.apply({ ...halt(0), task: longId(0) })).toHaveLength(20_000);
    expect(machine.apply({ ...amend(0), task: longId(0) })).toHaveLength(20_000);
  });
});

function longId(n: number): string {
  return `T-p${Math.floor(n / 1000)}-e-s-${String(n % 1000).padStart(3, "0")}`;
}

describe("what a person sees of a task", () => {
  test("who stands in its way, near and far, in declaration order", () => {
    const machine = machineOf([], [], [0], [2, 1]);
    for (const n of [0, 1]) machine.apply(plain("start", n));
    for (const n of [1, 0]) machine.apply(halt(n));
    expect(machine.stoppedBy(id(3))).toEqual([id(0), id(1)]);
    expect(machine.stoppedBy(id(2))).toEqual([id(0)]);
    expect(machine.stoppedBy(id(0))).toEqual([]);
    expect(machine.status(id(3))).toBe("BLOCKED");
    expect(machine.dependentsOf(id(0))).toEqual([id(2)]);
  });

  test("the reason of a halt goes when work goes on, and what shipped says what and when", () => {
    const machine = haltedOne();
    machine.apply(plain("resume", 0));
    expect(machine.entry(id(0))).toMatchObject({ status: "IN_PROGRESS", halted_reason: null });
    machine.apply(ship(0));
    expect(machine.entry(id(0))).toMatchObject({
      status: "SHIPPED",
      module_refs: ["MM-a@1.0.0"],
      shipped_at: AT,
    });
  });

  test("an attested task counts as shipped", () => {
    const machine = haltedOne();
    machine.apply(attest(0));
    expect(machine.entry(id(0))).toMatchObject({
      status: "SHIPPED",
      module_refs: [],
      shipped_at: AT,
      halted_reason: null,
    });
    expect(dispatch(machine, 9)).toEqual([id(1), id(3)]);
  });

  test("a task that cannot start says for whom it waits", () => {
    const machine = started(machineOf([], [], [0, 1]));
    machine.apply(ship(0));
    expect(errorOf(() => machine.apply(plain("start", 2))).expected).toBe(
      `SHIPPED dependencies; not shipped: ${id(1)} (PENDING)`,
    );
  });

  test("a dependency on a task that was split leads to its parts", () => {
    expect(errorOf(() => splitOne().apply(amend(3, [0]))).hint).toBe(`depend on ${id(4)} instead`);
  });

  test("a name that is almost right leads to the right one", () => {
    const machine = machineOf([]);
    expect(errorOf(() => machine.status("T-p-e-s-01")).hint).toBe(`did you mean ${id(0)}?`);
  });
});

describe("refusals name what is wrong and change nothing", () => {
  const cases: [string, () => StateMachine, TaskOperation, string, RegExp][] = [
    ["an unknown task", () => machineOf([]), plain("start", 7), "unknown_task", /no task T-p-e-s-008/],
    [
      "starting before dependencies shipped",
      () => machineOf([], [0]),
      plain("start", 1),
      "illegal_transition",
      /cannot start yet/,
    ],
    [
      "shipping what nobody works on",
      () => machineOf([]),
      ship(0),
      "illegal_transition",
      /PENDING to SHIPPED/,
    ],
    [
      "attesting what is not halted",
      () => started(machineOf([])),
      attest(0),
      "illegal_transition",
      /IN_PROGRESS to SHIPPED/,
    ],
    [
      "shipping what is halted, which needs an attestation",
      () => haltedOne(),
      ship(0),
      "illegal_transition",
      /HALTED to SHIPPED/,
    ],
    [
      "touching what shipped",
      () => shippedOne(),
      plain("start", 0),
      "illegal_transition",
      /SHIPPED to IN_PROGRESS/,
    ],
    [
      "amending a pending task",
      () => machineOf([]),
      amend(0, []),
      "illegal_transition",
      /PENDING to PENDING/,
    ],
    [
      "a dependency on oneself",
      () => haltedOne(),
      amend(0, [0]),
      "dependency_cycle",
      /T-p-e-s-001 → T-p-e-s-001/,
    ],
    [
      "a dependency on one's dependent",
      () => haltedOne(),
      amend(0, [2]),
      "dependency_cycle",
      /001 → T-p-e-s-003 → T-p-e-s-002 → T-p-e-s-001/,
    ],
    ["an unknown dependency", () => haltedOne(), amend(0, [77]), "unknown_task", /no task T-p-e-s-078/],
    [
      "parts with a taken id",
      () => haltedOne(),
      split(0, [declare(1, [])]),
      "id_collision",
      /002 is already taken/,
    ],
    [
      "parts with one id twice",
      () => haltedOne(),
      split(0, [declare(5, []), declare(5, [])]),
      "id_collision",
      /006 is already taken/,
    ],
    [
      "parts in a circle",
      () => haltedOne(),
      split(0, [declare(5, [6]), declare(6, [5])]),
      "dependency_cycle",
      /006 → T-p-e-s-007 → T-p-e-s-006/,
    ],
    [
      "parts that wait for the whole",
      () => haltedOne(),
      split(0, [declare(5, [0])]),
      "dependency_cycle",
      /001/,
    ],
    [
      "parts that wait for a dependent of the whole",
      () => haltedOne(),
      split(0, [declare(5, [2])]),
      "dependency_cycle",
      /003/,
    ],
    [
      "splitting a pending task",
      () => machineOf([]),
      split(0, [declare(5, [])]),
      "illegal_transition",
      /PENDING to ABANDONED/,
    ],
    ["depending on a task that was split", () => splitOne(), amend(3, [0]), "usage", /001 was split/],
  ];

  test.each(cases)("%s", (_name, make, operation, code, message) => {
    const machine = make();
    const before = machine.toState();
    expect(() => machine.apply(operation)).toThrow(message);
    expect(errorOf(() => machine.apply(operation)).code).toBe(code);
    expect(machine.toState()).toEqual(before);
  });

  test("nothing is no result: a ship without modules and a split without parts are refused", () => {
    const machine = started(machineOf([]));
    expect(() => machine.apply({ kind: "ship", at: AT, task: id(0), moduleRefs: [] })).toThrow(
      /into nothing/,
    );
    expect(() => haltedOne().apply(split(0, []))).toThrow(/into nothing/);
    expect(() => machine.apply(JSON.parse(`{"kind":"finish","at":"${AT}","task":"${id(0)}"}`))).toThrow(
      /knows no operation/,
    );
    expect(machine.status(id(0))).toBe("IN_PROGRESS");
  });

  test("a new project with a cycle names it", () => {
    expect(() => machineOf([], [2], [1])).toThrow(/T-p-e-s-002 → T-p-e-s-003 → T-p-e-s-002/);
  });

  test("a new project with an unknown dependency or a repeated id is refused", () => {
    expect(() => machineOf([9])).toThrow(/no task T-p-e-s-010/);
    expect(() => StateMachine.create("d", "1.0.0", [declare(0, []), declare(0, [])], AT)).toThrow(
      /already taken/,
    );
  });

  const corruptions: [string, (state: ProjectState) => void, RegExp][] = [
    [
      "a task BLOCKED by nothing",
      (s) => setStatus(s, 3, "BLOCKED"),
      /is BLOCKED, but its dependencies make it PENDING/,
    ],
    [
      "a task PENDING behind a halt",
      (s) => setStatus(s, 1, "PENDING"),
      /is PENDING, but its dependencies make it BLOCKED/,
    ],
    [
      "a task SHIPPED before its dependency",
      (s) => setStatus(s, 1, "SHIPPED"),
      /SHIPPED, but its dependency T-p-e-s-001 has not shipped/,
    ],
    [
      "a status nobody knows",
      (s) => Object.assign(entryOf(s, 0), { status: "DONE" }),
      /\.status: expected one of "PENDING"/,
    ],
  ];

  test.each(corruptions)("a saved state with %s is not loaded", (_name, corrupt, message) => {
    const state = structuredClone(haltedOne().toState());
    corrupt(state);
    expect(() => StateMachine.load(state)).toThrow(message);
  });
});

function started(machine: StateMachine): StateMachine {
  machine.apply(plain("start", 0));
  return machine;
}

function haltedOne(): StateMachine {
  const machine = started(machineOf([], [0], [1], []));
  machine.apply(halt(0));
  return machine;
}

function shippedOne(): StateMachine {
  const machine = started(machineOf([]));
  machine.apply(ship(0));
  return machine;
}

function splitOne(): StateMachine {
  const machine = haltedOne();
  machine.apply(split(0, [declare(4, [])]));
  machine.apply(plain("start", 3));
  machine.apply(halt(3));
  return machine;
}

function entryOf(state: ProjectState, n: number): object {
  return state.tasks[id(n)] ?? {};
}

function setStatus(state: ProjectState, n: number, status: TaskStatus): void {
  Object.assign(entryOf(state, n), { status });
}

function errorOf(action: () => unknown): CupelError {
  try {
    action();
  } catch (error) {
    if (error instanceof CupelError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
