// The report on a trial: which protocol helps, by how much, at what cost; and first, why it may not be believed.
import type { Doubt } from "../domain/trial/doubts.ts";
import {
  type ArmSuccess,
  type SuccessLine,
  type SuccessName,
  SUCCESS_LINES,
  successTable,
} from "../domain/trial/success-table.ts";
import type { ArmComparisons } from "../domain/trial/summary.ts";
import { OUTCOMES } from "../domain/trial/outcomes.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { html, type Markup } from "./html.ts";
import { renderPage, table } from "./page.ts";
import { inWords } from "./plot-parts.ts";
import { amount, percent, points, times } from "./trial-amounts.ts";
import {
  armName,
  costsOf,
  differencesOf,
  outcomesOf,
  sweepsOf,
  upper,
  waterfallsOf,
} from "./trial-figures.ts";
import type { TrialReport } from "./trial-report-data.ts";
import { armsOf, registeredOf, runsOf, workersOf } from "./trial-setup.ts";
import { text, tile, time } from "./words.ts";

/** One self-contained document. */
export function renderTrialReport(report: TrialReport): string {
  const { protocol, summary, doubts, sweeps = [] } = report;
  return renderPage({
    title: `${protocol.name} · Cupel`,
    header: headerOf(report),
    sections: [
      { id: "short", title: "In short", content: shortOf(report) },
      { id: "success", title: "Success table", content: successOf(successTable(protocol, summary), doubts) },
      { id: "outcomes", title: "Outcomes by arm", content: outcomesOf(summary) },
      { id: "differences", title: "Against the control", content: differencesOf(protocol, summary) },
      { id: "costs", title: "Cost against escapes", content: costsOf(summary) },
      { id: "caught", title: "What caught the defects", content: waterfallsOf(protocol, summary) },
      ...(sweeps.length === 0 ? [] : [{ id: "sweeps", title: "Other workers", content: sweepsOf(sweeps) }]),
      { id: "registered", title: "What was registered", content: registeredOf(report) },
      { id: "workers", title: "Workers", content: workersOf(protocol) },
      { id: "arms", title: "Arms and their rigor", content: armsOf(protocol) },
      { id: "runs", title: "Runs to look at", content: runsOf(report) },
    ],
    footer: html`Written by Cupel ${report.cupelVersion} at ${time(report.generatedAt)} UTC. Every figure here
      is made of the rows in <code>${report.rowsFile}</code>, one JSON object for each run. Intervals are of
      95 %: Wilson's for shares, widened where runs of one task resemble each other; for all else, and for
      differences, tasks are drawn again 1,000 times. One outcome was registered as primary; all others only
      explain it.`,
  });
}

function headerOf({ protocol, summary, doubts }: TrialReport): Markup {
  const { rows, planned } = summary.counted;
  const failed = rows.filter(({ ended }) => ended === "crashed").length;
  const escapes = Object.values(summary.arms).reduce((sum, { escaped }) => sum + escaped, 0);
  return html`<h1>${protocol.name}</h1>
    <p class="lead">
      ${protocol.tasks.length} tasks of ${protocol.corpus}, ${protocol.seeds.length} seeds,
      ${protocol.arms.length} arms; control: ${protocol.control}
    </p>
    ${doubtsBox(doubts)}
    <div class="tiles">
      ${tile(`${rows.length} of ${planned}`, "registered runs done")}${tile(String(failed), "runs that failed by themselves", failed === 0 ? "" : "bad")}${tile(
        String(escapes),
        "defects that escaped, in all arms",
      )}${tile(String(doubts.length), "doubts", doubts.length === 0 ? "good" : "bad")}
    </div>`;
}

function doubtsBox(doubts: readonly Doubt[]): Markup {
  if (doubts.length === 0)
    return html`<div class="verdict good">
      <b>No reason was found to doubt this trial.</b> All registered runs are there and paired, the oracles
      tell right from wrong, arms differ, and what must show no effect shows none.
    </div>`;
  return html`<div class="verdict bad" role="alert">
    <p><b class="bad">✕ This trial is not to be believed</b></p>
    <ul>
      ${doubts.map(({ kind, words }) => html`<li><b>${kind}</b>: ${words}</li> `)}
    </ul>
    Nothing below is called a success until these are gone.
  </div>`;
}

/** Whether less of it is better. */
const LESS = { escaped: true, falseRejections: true, crashRate: true, correctness: false };

function shortOf({ protocol, summary, doubts }: TrialReport): Markup {
  const { primary } = protocol;
  const rows = summary.estimates.map(({ arm, outcomes }) => {
    const comparison = summary.comparisons.find((each) => each.arm === arm);
    return [
      armName(arm),
      effectOf(comparison, primary, doubts, arm === protocol.control),
      text(inWords(outcomes[primary], percent)),
      text(comparison === undefined ? "–" : inWords(comparison.outcomes[primary].difference, points)),
      text(comparison === undefined ? "–" : inWords(comparison.outcomes.tokens.ratio, times)),
      text(inWords(outcomes.yield, percent)),
    ];
  });
  const heads = ["Arm", "It", upper(OUTCOMES[primary].title), "Against the control", "Tokens", "Shipped"];
  return html`${table(
      heads.map((name) => ({ name })),
      rows,
      "No arm was registered.",
    )}
    <p class="soft">
      An arm helps where the whole interval of its difference to the control in the primary outcome,
      ${OUTCOMES[primary].title}, lies on the better side of 0.
    </p>`;
}

function effectOf(
  comparison: ArmComparisons | undefined,
  primary: TrialProtocol["primary"],
  doubts: readonly Doubt[],
  control: boolean,
): Markup {
  if (control) return html`<span class="fixed soft">is the control</span>`;
  const interval = comparison?.outcomes[primary].difference.interval ?? null;
  if (interval === null || (interval.low <= 0 && interval.high >= 0))
    return html`<span class="fixed soft">? cannot be told apart</span>`;
  if (doubts.length > 0) return html`<span class="fixed wait">? is in doubt</span>`;
  return interval.high < 0 === LESS[primary]
    ? html`<span class="fixed good">✓ helps</span>`
    : html`<span class="fixed bad">✕ harms</span>`;
}

const SUCCESS_HEADS: Readonly<Record<SuccessName, string>> = {
  escaped: "Escaped",
  crashRate: "Crashing",
  correctness: "Right",
  coverage: "Coverage",
  staticPass: "Statically clean",
  tokens: "Tokens",
};

function successOf(arms: readonly ArmSuccess[], doubts: readonly Doubt[]): Markup {
  const heads = ["Arm", ...SUCCESS_LINES.map((name) => SUCCESS_HEADS[name])].map((name) => ({ name }));
  const targets = arms[0]?.lines.map(({ target }) => html`<span class="soft">${target}</span>`) ?? [];
  const rows = arms.map(({ arm, lines }) => [
    armName(arm),
    ...lines.map((line) => successCell(line, doubts.length > 0)),
  ]);
  return html`${table(heads, rows.length === 0 ? [] : [[html`<span class="fixed soft">target</span>`, ...targets], ...rows], "No arm was registered.")}
    <p class="soft">
      ≈ stands where the interval reaches past the target: more tasks could turn the verdict. Without an
      interval, and where only 100 % will do, no sample settles it.
    </p>`;
}

function successCell(line: SuccessLine, inDoubt: boolean): Markup {
  if (line.verdict === "nothing to tell by")
    return html`<span class="soft">– nothing to tell by<br />${line.why}</span>`;
  const reached = line.verdict === "reached";
  const word = reached && inDoubt ? "? in doubt" : `${reached ? "✓" : "✕"} ${line.verdict}`;
  const tone = !reached ? "bad" : inDoubt ? "wait" : "good";
  const format = line.unit === "share" ? percent : times;
  const around =
    line.interval === null ? "no interval" : `${format(line.interval.low)} to ${format(line.interval.high)}`;
  return html`<span class="fixed ${tone}">${word}${line.settled === false ? " ≈" : ""}</span><br /><b
      >${format(line.measured ?? Number.NaN)}</b
    ><br /><span class="soft">${around}<br />of ${amount(line.of)}</span>`;
}
