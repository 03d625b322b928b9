// Drives projects of two sizes to the end through halts, every kind of resolution, splits and abandons, and compares the
// cost per status change. The peer is the same machine at a tenth of the size.
import { dispatch } from "../src/domain/task/dispatch.ts";
import type { TaskDeclaration, TaskOperation } from "../src/domain/task/project-state.ts";
import { StateMachine } from "../src/domain/task/state-machine.ts";

const AT = "2026-01-01T00:00:00Z";
const SIZES = [10_000, 100_000] as const;
const ROUNDS = 5;
/**
 * So many halts a project, whatever its size. A halt blocks nearly everything behind it, so the share of derived
 * status changes is the same at both sizes and the ratio compares like with like.
 */
const HALTS = 40;

interface Drive {
  transitions: number;
  seconds: number;
}

export function run(): Record<string, unknown> {
  const [small, large] = SIZES;
  drive(small, 0);
  const smalls: Drive[] = [];
  const larges: Drive[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    larges.push(drive(large, round));
    for (let again = 0; again < large / small; again++) smalls.push(drive(small, round));
  }
  const smallCost = leastCost(smalls);
  const largeCost = leastCost(larges);
  return {
    tasks: large,
    transitions: larges[0]?.transitions,
    usPerTransition: round(largeCost),
    ratio100kTo10k: round(largeCost / smallCost),
    smaller: { tasks: small, transitions: smalls[0]?.transitions, usPerTransition: round(smallCost) },
  };
}

/** The same seed makes the same project and the same mishaps. */
function drive(size: number, seed: number): Drive {
  const random = mulberry32(seed);
  const machine = StateMachine.create("bench", "1.0.0", project(size, random), AT);
  let transitions = 0;
  let splits = 0;
  const apply = (operation: TaskOperation) => {
    transitions += machine.apply(operation).length;
  };
  // The garbage of building the project is not the cost of driving it.
  globalThis.gc?.();
  const begin = process.hrtime.bigint();
  for (let [task] = dispatch(machine, 1); task !== undefined; [task] = dispatch(machine, 1)) {
    apply({ kind: "start", at: AT, task });
    if (random() >= HALTS / size) {
      apply({ kind: "ship", at: AT, task, moduleRefs: ["MM-a@1.0.0"] });
      continue;
    }
    apply({ kind: "halt", at: AT, task, reason: "does not converge", escalationRef: "ESC-00000000" });
    for (const operation of resolution(machine, task, random, () => splits++)) apply(operation);
  }
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  if (!machine.finished)
    throw new Error("the project did not run to its end: the figures would mean nothing");
  return { transitions, seconds };
}

function resolution(
  machine: StateMachine,
  task: string,
  random: () => number,
  nextSplit: () => number,
): TaskOperation[] {
  switch (Math.floor(random() * 5)) {
    case 0:
      return [{ kind: "amend", at: AT, task }];
    case 1:
      return [
        { kind: "resume", at: AT, task },
        { kind: "ship", at: AT, task, moduleRefs: ["MM-a@1.0.0"] },
      ];
    case 2:
      return [{ kind: "attest", at: AT, task, moduleRefs: [] }];
    case 3:
      return [
        { kind: "split", at: AT, task, into: parts(task, machine.entry(task).depends_on, nextSplit()) },
      ];
    default:
      return abandoned(machine, task);
  }
}

function parts(task: string, dependsOn: string[], split: number): TaskDeclaration[] {
  const story = `split${split}`;
  const [first, second] = [1, 2].map((n) => `T-p-e-${story}-${String(n).padStart(3, "0")}`);
  if (first === undefined || second === undefined) throw new Error(`cannot name the parts of ${task}`);
  return [declare(first, dependsOn), declare(second, [first])];
}

/** Abandons the task and takes it out of the dependencies of those that wait for it. */
function abandoned(machine: StateMachine, task: string): TaskOperation[] {
  const waiting = machine.dependentsOf(task);
  return [
    { kind: "abandon", at: AT, task },
    ...waiting.map((dependent): TaskOperation => {
      const dependsOn = machine.entry(dependent).depends_on.filter((other) => other !== task);
      return { kind: "amend", at: AT, task: dependent, dependsOn };
    }),
  ];
}

/** Each task depends on at most three of the fifty before it. */
function project(size: number, random: () => number): TaskDeclaration[] {
  return Array.from({ length: size }, (_, n) => {
    const count = Math.min(n, Math.floor(random() * 4));
    const picks = Array.from({ length: count }, () => n - 1 - Math.floor(random() * Math.min(n, 50)));
    return declare(id(n), [...new Set(picks)].map(id));
  });
}

function id(n: number): string {
  return `T-p${Math.floor(n / 999)}-e-s-${String((n % 999) + 1).padStart(3, "0")}`;
}

function declare(task_id: string, depends_on: string[]): TaskDeclaration {
  return { task_id, pillar: "p", epic: "e", story: "s", task: task_id, depends_on };
}

function mulberry32(seed: number): () => number {
  let state = seed + 0x6d2b79f5;
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Microseconds per status change in the least disturbed drive: other work on the machine only ever adds. */
function leastCost(drives: Drive[]): number {
  return Math.min(...drives.map((drive) => (drive.seconds * 1e6) / drive.transitions));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
