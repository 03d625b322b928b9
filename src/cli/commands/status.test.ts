// A product of any size fits on a screen, and nothing that needs a person is left out.
import { expect, test } from "vitest";
import type { TaskStatus } from "../../domain/task/task-status.ts";
import type { ProjectStatus } from "../../factory/project-status.ts";
import { renderStatus } from "./status.ts";

function stateOf(statuses: readonly TaskStatus[]): ProjectStatus {
  const counts = { PENDING: 0, IN_PROGRESS: 0, SHIPPED: 0, HALTED: 0, BLOCKED: 0, ABANDONED: 0 };
  for (const status of statuses) counts[status] += 1;
  const tasks = statuses.map((status, n) => ({
    id: `T-${n}`,
    name: `Task ${n}`,
    status,
    why: null,
    modules: [],
    rigor: null,
    tree: null,
  }));
  const waiting = tasks
    .filter(({ status }) => status === "HALTED")
    .map(({ id }) => ({
      id: `ESC-${id}`,
      kind: "escalation" as const,
      task: id,
      title: `${id} halted`,
      command: `cupel resolve ${id}`,
    }));
  const money = { answered: 0, spentUsd: 0, capUsd: 10, unpriced: 0 };
  return {
    runId: "r-1",
    worker: null,
    counts,
    tasks,
    waiting,
    simulated: null,
    left: [],
    notShown: [],
    ...money,
    next: "cupel run --resume",
  };
}

const many = (count: number, status: TaskStatus): TaskStatus[] => Array.from({ length: count }, () => status);
const THOUSANDS = [
  ...many(4000, "SHIPPED"),
  ...many(12, "HALTED"),
  ...many(2, "IN_PROGRESS"),
  ...many(900, "BLOCKED"),
  ...many(5086, "PENDING"),
];

test("few tasks are all shown", () => {
  const shown = renderStatus(stateOf([...many(38, "SHIPPED"), "HALTED", "BLOCKED"]), false);
  expect(shown.match(/T-\d+ {2}Task/g)).toHaveLength(40);
  expect(shown).not.toContain("--all");
});

test("of thousands the halted, the running and the next are shown, the others counted, and how to see all is said", () => {
  const shown = renderStatus(stateOf(THOUSANDS), false);
  expect(shown.split("\n").length).toBeLessThan(50);
  expect(shown).toContain(
    "10000 tasks: 4000 shipped · 2 in progress · 5086 pending · 900 blocked · 12 halted\n  ✕ HALTED      T-4000",
  );
  expect(shown).toContain("    and 2 more halted\n  ◐ IN_PROGRESS T-4012");
  expect(shown).toContain("    and 5076 more pending\n");
  expect(shown).toContain("22 of 10000 tasks are shown; all of them: cupel status --all");
  expect(shown).toContain("Needs you: cupel resolve T-4000");
  expect(shown).toContain("and 2 more wait for you: cupel inbox\nNext: cupel run --resume");
});

test("a task that shipped says what", () => {
  const state = stateOf(["SHIPPED"]);
  state.tasks[0]?.modules.push("MM-a@1.0.0");
  expect(renderStatus(state, false)).toContain("T-0  Task 0  (MM-a@1.0.0)");
});

test("--all leaves nothing out", () => {
  const shown = renderStatus(stateOf(THOUSANDS), true);
  expect(shown.match(/T-\d+ {2}Task/g)).toHaveLength(10_000);
  expect(shown.match(/Needs you/g)).toHaveLength(12);
});

test("a tree is drawn below a task that is at work, and of one that has shipped only when everything is asked for", () => {
  const state = stateOf(["IN_PROGRESS", "SHIPPED"]);
  const row = { place: "is made", merges: 0, rebases: 2, wakes: 1 };
  const tree = [
    { ...row, node: "shop", last: [] },
    { ...row, node: "cart", last: [true] },
  ];
  const tasks = state.tasks.map((task) => ({ ...task, tree }));
  const drawn = "      shop  is made, 2 rebases, 1 woke somebody\n      └─ cart";
  const few = renderStatus({ ...state, tasks }, false);
  expect(few.split(drawn)).toHaveLength(2);
  expect(few).toContain("2 nodes, 4 rebases, 2 of them woke somebody");
  expect(renderStatus({ ...state, tasks }, true).split(drawn)).toHaveLength(3);
});
