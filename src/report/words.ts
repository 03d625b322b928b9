// How a report shows what recurs: a status with its sign, an id, a sum of money, a time.
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import type { Spent, Usage } from "../domain/run/run-event.ts";
import type { TaskStatus } from "../domain/task/task-status.ts";
import { html, type Markup } from "./html.ts";

const STATUSES: Readonly<Record<TaskStatus, readonly [sign: string, word: string, tone: string]>> = {
  PENDING: ["○", "Pending", "soft"],
  IN_PROGRESS: ["◐", "In progress", "busy"],
  SHIPPED: ["✓", "Shipped", "good"],
  HALTED: ["✕", "Halted", "bad"],
  BLOCKED: ["▪", "Blocked", "wait"],
  ABANDONED: ["–", "Abandoned", "gone"],
};

export function statusOf(status: TaskStatus): Markup {
  const [sign, word, tone] = STATUSES[status];
  return html`<span class="fixed ${tone}">${sign} ${word}</span>`;
}

const VERDICTS: Readonly<Record<GateVerdict["verdict"], readonly [sign: string, tone: string]>> = {
  PASS: ["✓", "good"],
  FAIL: ["✕", "bad"],
  ERROR: ["✕", "bad"],
  NOT_APPLICABLE: ["–", "soft"],
  NOT_RUN: ["○", "wait"],
};

export function verdictOf(verdict: GateVerdict["verdict"]): Markup {
  const [sign, tone] = VERDICTS[verdict];
  return html`<span class="fixed ${tone}">${sign} ${verdict.replace("_", " ")}</span>`;
}

export function id(text: string): Markup {
  return html`<span class="id">${text}</span>`;
}

export function ids(list: readonly string[]): Markup {
  return html`${list.map((each, index) => html`${index === 0 ? "" : ", "}${id(each)}`)}`;
}

export function text(words: string): Markup {
  return html`${words}`;
}

/** An unknown price is never nothing. */
export function money(costUsd: Spent["costUsd"]): string {
  if (costUsd === "unknown") return "cost unknown";
  return `$${costUsd.toFixed(costUsd === 0 || costUsd >= 0.01 ? 2 : 4)}`;
}

export function tokens(usage: Usage): string {
  if (usage === "unknown") return "unknown";
  const { inputTokens, outputTokens } = usage;
  return `${grouped(inputTokens)} in, ${grouped(outputTokens)} out`;
}

export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, "\u202F");
}

/** To the minute, as it was written. */
export function time(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}

export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

export function tile(value: string, label: string, tone = ""): Markup {
  return html`<div class="tile ${tone}"><b>${value}</b><span>${label}</span></div> `;
}
