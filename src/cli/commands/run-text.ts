// What a run says while it works and when it ends: one line for what matters, and the command that goes on.
import type { GateVerdict } from "../../domain/evidence/gate-verdict.ts";
import type { RunEvent } from "../../domain/run/run-event.ts";
import type { RunEstimate } from "../../factory/run-estimate.ts";
import type { ProjectStatus } from "../../factory/project-status.ts";
import type { ProductRun } from "../../factory/product-run.ts";
import { count } from "../output.ts";

const MARKS = { SHIPPED: "✓", HALTED: "✕", ABANDONED: "–" } as const;

/** Undefined for what a person need not see; `cupel log` has everything. */
export function progressLine(event: RunEvent): string | undefined {
  const line = sentence(event);
  return line === undefined ? undefined : `${event.at.slice(11, 19)} ${line}`;
}

function sentence(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "task_transitioned": {
      const { task, to, why } = event;
      if (to === "IN_PROGRESS") return `◐ STARTED   ${task}`;
      if (to !== "SHIPPED" && to !== "HALTED" && to !== "ABANDONED") return undefined;
      return `${MARKS[to]} ${to.padEnd(9)} ${task}  ${why}`;
    }
    case "spec_drafted":
      return `  drafted   ${event.spec}`;
    case "spec_approved":
      return `  approved  ${event.spec}`;
    case "module_shipped":
      return `  shipped   ${event.module}`;
    case "budget_warning":
    case "budget_exhausted":
      return `! BUDGET    ${event.spent} of ${event.cap} ${event.unit} of the ${event.subject ?? event.scope}`;
    default:
      return moduleSentence(event);
  }
}

/** What happens to a module before it has shipped. */
function moduleSentence(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "plan_refused":
      return `  refused   a plan of ${event.task}: ${event.findings[0] ?? ""}`;
    case "module_planned":
      return event.reused === null ? `  planned   ${event.module}` : `  reused    ${event.reused}`;
    case "gate_verdict_recorded":
      return event.blocks ? `  sent back ${event.module}: ${blockedBy(event.verdict)}` : undefined;
    case "work_challenged":
      if (event.verdict === "PASS") return undefined;
      return `  failed    ${event.module ?? event.task}: ${event.failures[0] ?? ""}`;
    case "module_refused":
      return `  refused   ${event.module}: ${event.findings[0] ?? ""}`;
    default:
      return productSentence(event);
  }
}

/** What happens to the whole. */
function productSentence(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "e2e_suite_refused":
      return `  sent back end-to-end tests: ${event.findings[0] ?? ""}`;
    case "e2e_suite_accepted": {
      const { tests, criteria, notShown } = event;
      return `  tried     ${count(tests, "end-to-end test")} show ${criteria - notShown.length} of ${criteria} criteria`;
    }
    default:
      return undefined;
  }
}

function blockedBy({ gate, findings, ...verdict }: GateVerdict): string {
  const why = findings[0]?.message ?? ("message" in verdict ? verdict.message : verdict.verdict);
  return `the gate ${gate} says: ${why}`;
}

/** One line that stays at the bottom of a terminal. */
export function footerLine({ counts, tasks, ...money }: ProjectStatus): string {
  const working = tasks.filter(({ status }) => status === "IN_PROGRESS").map(({ id }) => id);
  return [...countsIn(counts, tasks.length), moneyIn(money), ...working.slice(0, 3)].join(" · ");
}

export function countsIn(counts: ProjectStatus["counts"], all: number): string[] {
  const others = (["HALTED", "BLOCKED", "ABANDONED"] as const).filter((status) => counts[status] > 0);
  return [
    all === 0 ? "no tasks yet" : `${counts.SHIPPED}/${all} shipped`,
    ...others.map((status) => `${counts[status]} ${status.toLowerCase()}`),
  ];
}

/** What is unknown is said, never counted as nothing. */
export function moneyIn({
  spentUsd,
  capUsd,
  unpriced,
}: Pick<ProjectStatus, "spentUsd" | "capUsd" | "unpriced">): string {
  const spent = `$${(spentUsd ?? 0).toFixed(2)}${capUsd === null ? "" : ` of $${capUsd.toFixed(2)}`}`;
  return unpriced === 0 ? spent : `${spent} and ${count(unpriced, "call")} of unknown cost`;
}

/** What it came to, and what to type next. */
export function endLines({ end, delivery }: ProductRun, status: ProjectStatus): string[] {
  const summary = [...countsIn(status.counts, status.tasks.length), moneyIn(status)].join(" · ");
  const delivered =
    delivery?.kind === "left"
      ? [`The results are not in your checkout: ${delivery.why}.`, `  ${delivery.command}`]
      : [];
  switch (end.kind) {
    case "released":
      return [summary, ...delivered, `Released: ${end.what}`, "Next: cupel report --out report.html"];
    case "halted":
      return [
        summary,
        ...delivered,
        ...status.waiting.map(({ title, command }) => `Needs you: ${command}\n  ${title}`),
        "Then: cupel run --resume",
      ];
    case "waiting":
      return [
        summary,
        ...delivered,
        `Needs you: ${end.why}`,
        `  ${end.command}`,
        ...(end.command.startsWith("cupel run") ? [] : ["Then: cupel run --resume"]),
      ];
    case "over-budget":
      return [
        summary,
        ...delivered,
        `Stopped: ${end.why}`,
        "Next: cupel run --resume --max-cost DOLLARS (more than is spent)",
      ];
    case "failed":
      return [summary, ...delivered, `Failed: ${end.why}`, "Next: cupel run --resume"];
    case "stopped":
      return [summary, ...delivered, `Stopped: ${end.why}`, "Next: cupel run --resume"];
  }
}

const MOST_TASKS = 50;

export function estimateLines(estimate: RunEstimate): string[] {
  const { tasks, calls, usd, capUsd, unknown, protocol, rigor, concurrency } = estimate;
  const cost =
    usd === null
      ? `cost unknown: nobody knows the price of ${unknown.join(", ")}`
      : `about $${usd.toFixed(2)} when everything is right at the first try`;
  return [
    `${count(tasks.length, "task")} · protocol ${protocol} · rigor ${rigor} · ${concurrency} at a time`,
    ...tasks.slice(0, MOST_TASKS).map(({ id, name, dependsOn }) => {
      const after = dependsOn.length === 0 ? "" : `  after ${dependsOn.join(", ")}`;
      return `  ${id}  ${name}${after}`;
    }),
    ...(tasks.length > MOST_TASKS ? [`  and ${tasks.length - MOST_TASKS} more`] : []),
    `At least ${count(calls, "call")} of agents, ${cost}; never more than $${capUsd.toFixed(2)}.`,
  ];
}

/** Whoever reads about such a run must not take it for the work of a model. */
export function simulatedText(agents: string): string {
  return `the agents are simulated (${agents}): no model is asked, nothing is paid`;
}
