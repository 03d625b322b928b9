// How `cupel ask` tells a person who is asked, how it ended, what it cost and what to do next.
import { capText } from "../../agents/budget.ts";
import { chosenText } from "../../agents/default-models.ts";
import type { RoleCallOutcome } from "../../domain/agent/role-call-outcome.ts";
import { renderProblem } from "../../domain/parse.ts";
import type { Spent } from "../../domain/run/run-event.ts";
import type { AboutCall } from "../../factory/ask-once.ts";
import { colorsFor, count, oneLine } from "../output.ts";

export function renderBeginning(about: AboutCall, replay: string | undefined): string {
  const { role, runtime, model, tools, run, project, temporary, chosen } = about;
  const by = replay === undefined ? `${model}, runtime ${runtime}` : `played from ${replay}`;
  const why = temporary ? " (temporary: there is no project of Cupel here or above)" : "";
  return [
    ...(chosen === undefined ? [] : [chosenText(chosen)]),
    oneLine(`asking the ${role}: ${by}; tools: ${tools.length === 0 ? "none" : tools.join(", ")}`),
    oneLine(`run ${run}, kept in ${project}${why}`),
  ].join("\n");
}

export function renderEnding(
  about: AboutCall,
  outcome: RoleCallOutcome,
  { ms, directory }: { ms: number; directory: string },
): string {
  const colors = colorsFor(process.stderr);
  const { what, more = [], next } = explain(about, outcome);
  const mark = outcome.kind === "done" ? colors.green("✓") : colors.red("✕");
  const lines = [
    `${mark} ${oneLine(what)}`,
    ...more.map((line) => `  ${oneLine(line)}`),
    `  ${spentText(outcome)} · asked ${count(outcome.asked, "time")} · ${(ms / 1000).toFixed(1)} s`,
  ];
  if (outcome.transcriptRef !== null) {
    const there = about.project === directory ? "" : `cd ${quoted(about.project)} && `;
    lines.push(`  transcript: ${there}cupel store show ${outcome.transcriptRef}`);
  }
  if (next !== undefined) lines.push(`  next: ${oneLine(next)}`);
  return lines.join("\n");
}

interface Explained {
  what: string;
  more?: string[];
  next?: string;
}

function explain({ role }: AboutCall, outcome: RoleCallOutcome): Explained {
  switch (outcome.kind) {
    case "done":
      return { what: `the ${role} answered` };
    case "blocked": {
      const { why, needs } = outcome.blocker;
      const next = "put what it needs into the input and ask again";
      return { what: `the ${role} is blocked: ${why}`, more: needs.map((need) => `needs: ${need}`), next };
    }
    case "retry":
    case "stuck": {
      const { why, strategy } = outcome.request;
      const what = `the ${role} wants another attempt: ${why}`;
      return { what, more: [`it would: ${strategy}`], next: "ask again" };
    }
    case "invalid":
      return {
        what: `the answer of the ${role} does not fit its schema, also after one repair`,
        more: outcome.problems.map(renderProblem),
        next: "ask again, or ask a stronger model with --model",
      };
    case "timed-out":
      return { what: `the ${role} took too long: ${outcome.why}`, next: "ask again" };
    case "refused":
      return {
        what: `the ${role} was refused by its model: ${outcome.why}`,
        next: "ask another model with --model",
      };
    case "too-long":
      return { what: `too long for the ${role}: ${outcome.why}`, next: "make the input shorter" };
    case "unavailable":
      return { what: `the ${role} could not be asked: ${outcome.why}`, next: "ask again later" };
    case "failed":
      return {
        what: `the ${role} failed: ${outcome.why}`,
        ...(outcome.hint === null ? {} : { next: outcome.hint }),
      };
    case "over-budget":
      return { what: `the ${role} was not asked: ${capText(outcome.cap)}`, next: budgetAdvice(outcome.cap) };
    case "aborted":
      return { what: `the ${role} was stopped` };
  }
}

type Cap = Extract<RoleCallOutcome, { kind: "over-budget" }>["cap"];

function budgetAdvice({ scope, subject, unit, asked }: Cap): string {
  if (asked === "unknown")
    return `name a model with a known price, or set "budget": {"unknownPrices": "allow"} in cupel.config.json`;
  const place =
    scope === "run"
      ? `budget.${unit}`
      : scope === "task"
        ? `budget.task.${unit}`
        : `roles.${subject}.budget.${unit}`;
  return `raise ${place} in cupel.config.json`;
}

/** Unknown is never nothing. */
export function spentText({ usage, costUsd }: Spent): string {
  const tokens =
    usage === "unknown"
      ? "tokens unknown"
      : `${count(usage.inputTokens, "token")} read, ${usage.outputTokens} written`;
  return `${tokens} · ${costUsd === "unknown" ? "cost unknown" : usd(costUsd)}`;
}

/** What costs something is never shown as nothing. */
export function usd(amount: number): string {
  return `$${amount === 0 ? 0 : Math.max(amount, 0.0001).toFixed(4)}`;
}

/** So that the line can be typed as it stands. */
function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${oneLine(path).replaceAll("'", String.raw`'\''`)}'`;
}
