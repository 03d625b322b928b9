// Every pair of statuses: the legal ones happen, every other one is refused.
import { describe, expect, test } from "vitest";
import { StatusBoard } from "./status-board.ts";
import { TaskGraph } from "./task-graph.ts";
import { isLegalTransition, TASK_STATUSES } from "./task-status.ts";

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

describe("status transitions", () => {
  test("there are 36 pairs and 11 legal ones", () => {
    expect(PAIRS).toHaveLength(36);
    expect(PAIRS.filter(([from, to]) => isLegalTransition(from, to))).toHaveLength(LEGAL.size);
  });

  test.each(PAIRS)("%s → %s is decided by the table alone", (from, to) => {
    const graph = new TaskGraph();
    const board = new StatusBoard(graph);
    const task = graph.add("T-p-e-s-001");
    board.add(task, from);
    if (LEGAL.has(`${from} → ${to}`)) {
      expect(() => board.assertLegal(task, to)).not.toThrow();
      // BLOCKED is derived: without a cause it does not last.
      if (to !== "BLOCKED") {
        board.move(task, to);
        expect(board.status(task)).toBe(to);
      }
    } else {
      expect(() => board.move(task, to)).toThrow(`T-p-e-s-001 cannot go from ${from} to ${to}`);
      expect(board.status(task)).toBe(from);
    }
  });
});
