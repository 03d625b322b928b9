// `cupel status` and `cupel next`: where the product stands, and the one command to type now.
import { setTimeout as sleep } from "node:timers/promises";
import { type ProjectStatus, projectStatus, type TaskView } from "../../factory/project-status.ts";
import { projectAround } from "../../factory/project.ts";
import { treeLines, treeSummary } from "../../domain/fractal/tree-view.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";
import { countsIn, moneyIn, simulatedText } from "./run-text.ts";

interface StatusCommand {
  directory: string;
  json: boolean;
  /** Every task, however many there are. */
  all?: boolean;
}

const LOOK_MS = 500;

export async function status({ directory, json, all = false }: StatusCommand, watch: boolean): Promise<void> {
  const project = projectAround(directory);
  const print = (state: ProjectStatus): void =>
    json ? printJson(state) : printText(renderStatus(state, all));
  let state = await projectStatus(project);
  print(state);
  if (!watch) return;
  const signal = untilInterrupted();
  while (!signal.aborted) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    const now = await projectStatus(project);
    if (JSON.stringify(now) !== JSON.stringify(state) && !signal.aborted) print(now);
    state = now;
  }
}

export async function next({ directory, json }: StatusCommand): Promise<void> {
  const { next: command, waiting, left } = await projectStatus(projectAround(directory));
  if (json) printJson({ next: command, waiting, left });
  else printText([oneLine(command), ...leftLines(left)].join("\n"));
}

const MOST_LEFT = 20;

/** Nothing that holds anybody up: what the next version of a module could do better. */
function leftLines(left: ProjectStatus["left"]): string[] {
  if (left.length === 0) return [];
  const shown = left
    .slice(0, MOST_LEFT)
    .map(({ module, kind, about, todo, report }) =>
      oneLine(`  ${module}  ${kind}: ${about}. ${todo} (cupel show ${report})`),
    );
  const rest = left.length - shown.length;
  return ["", "Left for the next version:", ...shown, ...(rest === 0 ? [] : [`  and ${rest} more`])];
}

const ICONS = {
  PENDING: "○",
  IN_PROGRESS: "◐",
  SHIPPED: "✓",
  HALTED: "✕",
  BLOCKED: "▪",
  ABANDONED: "–",
} as const;

/** As many as a person reads; of more only those that matter now. */
const MOST_TASKS = 40;
const MOST_OF_A_KIND = 10;

export function renderStatus(state: ProjectStatus, all: boolean): string {
  const colors = colorsFor(process.stdout);
  const { tasks, waiting, runId, worker, simulated } = state;
  const head = [`run ${runId ?? "none"}`, worker === null ? "nobody works on it" : `${worker} works on it`];
  const lines =
    all || tasks.length <= MOST_TASKS ? tasks.flatMap((task) => taskLines(task, all)) : summaryLines(state);
  return [
    oneLine(head.join(" · ")),
    ...(simulated === null ? [] : [oneLine(simulatedText(simulated))]),
    ...lines,
    [...countsIn(state.counts, tasks.length), moneyIn(state)].join(" · "),
    ...state.notShown.map(({ criterion, why }) => oneLine(`No end-to-end test shows ${criterion}: ${why}`)),
    ...(state.answered === 0 ? [] : [`${state.answered} answered and not carried out yet`]),
    ...waitingLines(all ? waiting : waiting.slice(0, MOST_OF_A_KIND), colors.yellow("Needs you:")),
    ...(all || waiting.length <= MOST_OF_A_KIND
      ? []
      : [`and ${waiting.length - MOST_OF_A_KIND} more wait for you: cupel inbox`]),
    oneLine(`Next: ${state.next}`),
  ].join("\n");
}

const MOST_NODES = 40;

/** Of what has shipped, only somebody who wants everything reads how it grew. */
function taskLines(task: TaskView, all: boolean): string[] {
  const { tree, status: now } = task;
  if (tree === null || (now === "SHIPPED" && !all)) return [taskLine(task)];
  const shown = treeLines(all ? tree : tree.slice(0, MOST_NODES));
  const rest = tree.length - shown.length;
  return [
    taskLine(task),
    ...shown.map((each) => oneLine(`      ${each}`)),
    ...(rest === 0 ? [] : [`      and ${rest} more: cupel status --all`]),
    `      ${treeSummary(tree)}`,
  ];
}

function taskLine({ id, name, status: now, why, modules, rigor }: TaskView): string {
  const under = rigor === null ? [] : [`dispatched under ${rigor}, which stays whatever is configured now`];
  const about = why ?? (now === "SHIPPED" ? modules.join(", ") : "");
  const more = [...(about === "" ? [] : [about]), ...under].join("; ");
  return oneLine(`  ${ICONS[now]} ${now.padEnd(11)} ${id}  ${name}${more === "" ? "" : `  (${more})`}`);
}

/** What stands still, what moves, what comes next; the others are counted. */
const SHOWN = [
  ["HALTED", "halted"],
  ["IN_PROGRESS", "in progress"],
  ["PENDING", "pending"],
] as const;

function summaryLines({ tasks, counts }: ProjectStatus): string[] {
  const kinds = SHOWN.map(([status, word]) => {
    const shown = tasks.filter((task) => task.status === status).slice(0, MOST_OF_A_KIND);
    const more = counts[status] - shown.length;
    return {
      shown: shown.length,
      lines: [
        ...shown.flatMap((task) => taskLines(task, false)),
        ...(more > 0 ? [`    and ${more} more ${word}`] : []),
      ],
    };
  });
  const shown = kinds.reduce((sum, kind) => sum + kind.shown, 0);
  const each = STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${counts[status]} ${status.toLowerCase().replace("_", " ")}`,
  );
  return [
    `  ${tasks.length} tasks: ${each.join(" · ")}`,
    ...kinds.flatMap(({ lines }) => lines),
    `  ${shown} of ${tasks.length} tasks are shown; all of them: cupel status --all`,
  ];
}

const STATUSES = ["SHIPPED", "IN_PROGRESS", "PENDING", "BLOCKED", "HALTED", "ABANDONED"] as const;

function waitingLines(waiting: ProjectStatus["waiting"], label: string): string[] {
  return waiting.map(({ title, command }) => oneLine(`${label} ${command}  ${title}`));
}
