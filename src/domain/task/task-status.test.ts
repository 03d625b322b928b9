// Every pair of statuses: the legal ones happen, every other one is refused.
import { describe, expect, test } from "vitest";
import { StatusBoard } from "./status-board.ts";
import { TaskGraph } from "./task-graph.ts";
import { TASK_STATUSES } from "./task-status.ts";
import type { TaskStatus } from "./task-status.ts";

const LEGAL = new Set([
  "PENDING → IN_PROGRESS",
  "PENDING → BLOCKED",
  "IN_PROGRESS → SHIPPED",
  "IN_PROGRESS → HALTED",
  "IN_PROGRESS → PENDING",
  "HALTED → PENDING",
  "HALTED → IN_PROGRESS",
  "HALTED → SHIPPED",
  "HALTED → ABANDONED",
  "BLOCKED → PENDING",
  "BLOCKED → ABANDONED",
]);

const PAIRS = TASK_STATUSES.flatMap((from) => TASK_STATUSES.map((to) => [from, to] as const));
const [legal, illegal] = [true, false].map((wanted) =>
  PAIRS.filter(([from, to]) => LEGAL.has(`${from} → ${to}`) === wanted),
);

function boardWith(status: TaskStatus): StatusBoard {
  const graph = new TaskGraph();
  const board = new StatusBoard(graph);
  board.add(graph.add("T-p-e-s-001"), status);
  return board;
}

describe("status transitions", () => {
  test("there are 36 pairs, 11 of them legal", () => {
    expect([legal?.length, illegal?.length]).toEqual([11, 25]);
  });

  test.each(legal ?? [])("%s → %s happens", (from, to) => {
    const board = boardWith(from);
    board.move(0, to);
    // BLOCKED is derived: without a cause it does not last.
    expect(board.status(0)).toBe(to === "BLOCKED" ? "PENDING" : to);
    expect(board.takeChanges()).toContainEqual({ task: "T-p-e-s-001", from, to });
  });

  test.each(illegal ?? [])("%s → %s is refused", (from, to) => {
    const board = boardWith(from);
    expect(() => board.move(0, to)).toThrow(`T-p-e-s-001 cannot go from ${from} to ${to}`);
    expect(board.status(0)).toBe(from);
  });
});
