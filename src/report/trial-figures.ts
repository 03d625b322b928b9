// The pictures and tables of a trial: outcomes, differences, costs, what caught the defects, other workers.
import type { Estimate } from "../domain/trial/estimates.ts";
import { OUTCOMES, type OutcomeName } from "../domain/trial/outcomes.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import type { TrialSummary } from "../domain/trial/summary.ts";
import { CATCHERS, type Waterfall } from "../domain/trial/waterfall.ts";
import { html, type Markup } from "./html.ts";
import { type Head, table } from "./page.ts";
import { type Format, inWords } from "./plot-parts.ts";
import { type Bars, barPlot, dotPlot, linePlot, scatterPlot } from "./plots.ts";
import { amount, percent, points, times } from "./trial-amounts.ts";
import type { Sweep } from "./trial-report-data.ts";
import { text } from "./words.ts";

const SHOWN: readonly [OutcomeName, Format, DotMark?][] = [
  ["escaped", percent],
  ["falseRejections", percent],
  ["correctness", percent, { value: 0.95, label: "target: above 95 %" }],
  ["crashRate", percent, { value: 0.05, label: "target: below 5 %" }],
  ["coverage", percent, { value: 0.8, label: "target: above 80 %" }],
  ["staticPass", percent, { value: 1, label: "target: 100 %" }],
  ["yield", percent],
  ["failedRuns", percent],
  ["calls", amount],
  ["tokens", amount],
  ["costUsd", amount],
  ["seconds", amount],
];

interface DotMark {
  value: number;
  label: string;
}

export function outcomesOf({ estimates }: TrialSummary): Markup {
  // Simulated workers are never paid.
  const isFree = estimates.every(({ outcomes }) => outcomes.costUsd.value === 0);
  const shown = SHOWN.filter(([name]) => name !== "costUsd" || !isFree);
  const plots = shown.map(([name, format, mark]) =>
    dotPlot({
      title: upper(OUTCOMES[name].title),
      points: estimates.map(({ arm, outcomes }) => ({ label: arm, estimate: outcomes[name] })),
      format,
      ...(mark === undefined ? {} : { mark }),
    }),
  );
  return html`<div class="plots">${plots}</div>`;
}

const DIFFERENCES: readonly OutcomeName[] = ["escaped", "falseRejections", "correctness", "yield"];
const RATIOS: readonly OutcomeName[] = ["calls", "tokens"];

export function differencesOf({ control }: TrialProtocol, { comparisons }: TrialSummary): Markup {
  if (comparisons.length === 0) return html`<p class="soft">There is no arm besides the control.</p>`;
  const differences = DIFFERENCES.map((name) =>
    dotPlot({
      title: `${upper(OUTCOMES[name].title)}: difference`,
      points: comparisons.map(({ arm, outcomes }) => ({ label: arm, estimate: outcomes[name].difference })),
      format: points,
      mark: { value: 0, label: `as ${control}` },
    }),
  );
  const ratios = RATIOS.map((name) =>
    dotPlot({
      title: `${upper(OUTCOMES[name].title)}: multiple`,
      points: comparisons.map(({ arm, outcomes }) => ({ label: arm, estimate: outcomes[name].ratio })),
      format: times,
      mark: { value: 1, label: `as ${control}` },
    }),
  );
  const pairs = comparisons.map(({ arm, pairs: count }) => `${arm} ${count}`).join(", ");
  return html`<p>
      Only over tasks and seeds that both arms have run, and with tasks drawn again as a whole. Pairs:
      ${pairs}.
    </p>
    <div class="plots">${differences}${ratios}</div>`;
}

export function costsOf({ effectiveness }: TrialSummary): Markup {
  const up = { name: "escaped defects per 1,000 tasks", format: amount };
  const plots = (["tokensPerTask", "callsPerTask"] as const).map((cost) => {
    const name = cost === "tokensPerTask" ? "tokens per task" : "calls per task";
    return scatterPlot({
      title: `Escaped defects against ${name}`,
      across: { name, format: amount },
      up,
      points: effectiveness.map((own) => ({ label: own.arm, x: own[cost], y: own.escapedPerThousand })),
    });
  });
  const rows = effectiveness.map((own) => [
    armName(own.arm),
    text(inWords(own.escapedPerThousand, amount)),
    text(inWords(own.callsPerTask, amount)),
    text(inWords(own.tokensPerTask, amount)),
    text(inWords(own.tokensPerRight, amount)),
    text(own.extraTokensPerEscapeAvoided === null ? "–" : amount(own.extraTokensPerEscapeAvoided)),
  ]);
  const heads: Head[] = [
    { name: "Arm" },
    { name: "Escaped per 1,000 tasks", number: true },
    { name: "Calls per task", number: true },
    { name: "Tokens per task", number: true },
    { name: "Tokens per right module", number: true },
    { name: "More tokens per escape avoided", number: true },
  ];
  return html`<div class="plots">${plots}</div>
    ${table(heads, rows, "No arm was registered.")}`;
}

export function waterfallsOf({ workers }: TrialProtocol, { waterfalls }: TrialSummary): Markup {
  if (workers.kind !== "simulated")
    return html`<p class="soft">
      The workers are real: nobody knows what was wrong with their first solutions, so there is nothing to
      tell by.
    </p>`;
  const seen = new Set(waterfalls.flatMap(({ steps }) => steps.map(({ by }) => by)));
  const catchers = CATCHERS.filter((by) => seen.has(by));
  return html`<p>
      Of the runs whose first draw had a defect: what sent it back first, what nobody caught, and how they
      ended.
    </p>
    <div class="plots">${waterfalls.map((waterfall) => waterfallPlot(waterfall, catchers))}</div>`;
}

function waterfallPlot(waterfall: Waterfall, catchers: typeof CATCHERS): Markup {
  const { arm, defective, steps, uncaught, ends, escapedFromRightDraw } = waterfall;
  if (defective === 0) return html`<p class="soft"><b>${arm}</b>: no first draw had a defect.</p>`;
  let left = defective;
  const caught = catchers.map((by) => {
    const count = steps.find((step) => step.by === by)?.caught ?? 0;
    left -= count;
    return { label: `by ${by}`, from: left, to: left + count, tone: "accent" as const };
  });
  const rest = [end("failed", ends.failed, "wait"), end("not judged", ends.untold, "wait")];
  const also =
    escapedFromRightDraw === 0 ? "" : `; ${escapedFromRightDraw} more escaped after a right first draw`;
  return barPlot({
    title: `${arm}${also}`,
    bars: [
      end("defective at first", defective, "soft"),
      ...caught,
      end("caught by nothing", uncaught, "soft"),
      end("→ mended", ends.mended, "good"),
      end("→ halted", ends.halted, "wait"),
      end("→ escaped", ends.escaped, "bad"),
      ...rest.filter(({ to }) => to > 0).map((bar) => ({ ...bar, label: `→ ${bar.label}` })),
    ],
  });
}

function end(label: string, count: number, tone: Bars["bars"][number]["tone"]): Bars["bars"][number] {
  return { label, from: 0, to: count, tone };
}

const SWEPT = ["escaped", "correctness", "yield"] as const satisfies readonly OutcomeName[];

export function sweepsOf(sweeps: readonly Sweep[]): Markup {
  const arms = [...new Set(sweeps.flatMap(({ summary }) => summary.estimates.map(({ arm }) => arm)))];
  const plots = SWEPT.map((name) =>
    linePlot({
      title: upper(OUTCOMES[name].title),
      format: percent,
      across: sweeps.map((_, index) => String(index + 1)),
      series: arms.map((arm) => ({
        label: arm,
        values: sweeps.map((sweep) => of(sweep, arm, name)?.value ?? null),
      })),
    }),
  );
  const heads = ["", "Workers", "Parameters", ...arms].map((name) => ({ name }));
  const rows = sweeps.map((sweep, index) => [
    text(String(index + 1)),
    html`<b>${sweep.label}</b>`,
    html`<span class="soft">${parametersOf(sweep)}</span>`,
    ...arms.map((arm) => text(escapesOf(of(sweep, arm, "escaped")))),
  ]);
  return html`<p>The same tasks and seeds with other workers; the table shows escaped defects by arm.</p>
    <div class="plots">${plots}</div>
    ${table(heads, rows, "There are none.")}`;
}

function escapesOf(estimate: Estimate | undefined): string {
  return estimate === undefined ? "not run" : inWords(estimate, percent);
}

function of({ summary }: Sweep, arm: string, name: OutcomeName): Estimate | undefined {
  return summary.estimates.find((each) => each.arm === arm)?.outcomes[name];
}

function parametersOf({ parameters }: Sweep): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

/** Kept on one line, however many columns stand beside it. */
export function armName(arm: string): Markup {
  return html`<b class="fixed">${arm}</b>`;
}

export function upper(title: string): string {
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`;
}
