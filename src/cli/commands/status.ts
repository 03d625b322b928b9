// `cupel status` and `cupel next`: where the product stands, and the one command to type now.
import { setTimeout as sleep } from "node:timers/promises";
import { type ProjectStatus, projectStatus } from "../../factory/project-status.ts";
import { projectAround } from "../../factory/project.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";
import { countsIn, moneyIn } from "./run-text.ts";

interface StatusCommand {
  directory: string;
  json: boolean;
}

const LOOK_MS = 500;

export async function status({ directory, json }: StatusCommand, watch: boolean): Promise<void> {
  const project = projectAround(directory);
  const print = (state: ProjectStatus): void => (json ? printJson(state) : printText(renderStatus(state)));
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
  const { next: command, waiting } = await projectStatus(projectAround(directory));
  if (json) printJson({ next: command, waiting });
  else printText(oneLine(command));
}

const ICONS = {
  PENDING: "○",
  IN_PROGRESS: "◐",
  SHIPPED: "✓",
  HALTED: "✕",
  BLOCKED: "▪",
  ABANDONED: "–",
} as const;

function renderStatus(state: ProjectStatus): string {
  const colors = colorsFor(process.stdout);
  const { tasks, waiting, runId, worker } = state;
  const head = [`run ${runId ?? "none"}`, worker === null ? "nobody works on it" : `${worker} works on it`];
  const lines = tasks.map(({ id, name, status: now, why }) =>
    oneLine(`  ${ICONS[now]} ${now.padEnd(11)} ${id}  ${name}${why === null ? "" : `  (${why})`}`),
  );
  return [
    oneLine(head.join(" · ")),
    ...lines,
    [...countsIn(state.counts, tasks.length), moneyIn(state)].join(" · "),
    ...(state.answered === 0 ? [] : [`${state.answered} answered and not carried out yet`]),
    ...waiting.map(({ title, command }) => oneLine(`${colors.yellow("Needs you:")} ${command}  ${title}`)),
    oneLine(`Next: ${state.next}`),
  ].join("\n");
}
