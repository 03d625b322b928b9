// What a trial was registered with: workers, arms and their rigor; and the runs that somebody should look at.
import { RIGOR } from "../domain/evidence/rigor.ts";
import { escaped, falselyRejected } from "../domain/trial/outcomes.ts";
import { type TrialProtocol, WorkerParameters } from "../domain/trial/trial-protocol.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";
import { html, type Markup } from "./html.ts";
import { table } from "./page.ts";
import { amount } from "./trial-amounts.ts";
import { armName } from "./trial-figures.ts";
import type { TrialReport } from "./trial-report-data.ts";
import { id, text } from "./words.ts";

export function registeredOf({ protocol, hash, rowsFile }: TrialReport): Markup {
  const { corpus, tasks, seeds, control, primary, stop } = protocol;
  const stops = Object.entries(stop).map(([name, value]) => `${name} ${value}`);
  const rows = [
    ["SHA-256 of the protocol", hash],
    ["Corpus", corpus],
    ["Tasks", `${tasks.length}: ${tasks.join(", ")}`],
    ["Seeds", seeds.join(", ")],
    ["Control", control],
    ["Primary outcome", primary],
    ["Stops early at", stops.length === 0 ? "nothing" : stops.join(", ")],
    ["Rows, as JSON lines", rowsFile],
  ].map(([name = "", value = ""]) => [html`<b class="fixed">${name}</b>`, id(value)]);
  return html`<p>Written down before the first run; whatever differs is another trial.</p>
    ${table([{ name: "What" }, { name: "Is" }], rows, "Nothing was registered.")}`;
}

export function workersOf({ workers }: TrialProtocol): Markup {
  if (workers.kind === "runtime")
    return html`<p>
      Real workers: runtime ${id(workers.runtime)}, model
      ${workers.model === undefined ? "as the runtime chooses" : id(workers.model)}.
    </p>`;
  const rows = Object.entries(workers.parameters).map(([name, value]) => [
    id(name),
    text(`${amount(value * 100)} %`),
    text(meaningOf(name)),
  ]);
  return html`<p>
      Simulated; what each worker draws depends on task and seed alone and is the same in every arm.
    </p>
    ${table([{ name: "Parameter" }, { name: "Is", number: true }, { name: "Meaning" }], rows, "There are none.")}`;
}

function meaningOf(name: string): string {
  const shape: Record<string, { description?: string | undefined }> = WorkerParameters.shape;
  return shape[name]?.description ?? "";
}

export function armsOf({ arms, control }: TrialProtocol): Markup {
  const rows = arms.map(({ name, protocol, rigor, gates }) => {
    const { minCoverage, mutation, maxFixAttempts, contractRound, layers, gates: effects } = RIGOR[rigor];
    const advising = Object.entries(effects).filter(([, effect]) => effect === "advise");
    const kills = `${amount(mutation.minKilled * 100)} % of mutants${mutation.blocking ? "" : ", advising"}`;
    return [
      html`${armName(name)}${name === control ? html`<br /><span class="soft">control</span>` : html``}`,
      html`<span class="fixed">${protocol}</span><br /><span class="soft">${rigor}</span>`,
      gates === "on" ? text("on") : html`<span class="wait">off: they advise only</span>`,
      text(
        `${amount(minCoverage.lines * 100)} % of lines, ${amount(minCoverage.branches * 100)} % of branches`,
      ),
      text(kills),
      text(`${maxFixAttempts} repairs, ${contractRound ? "contract debated" : "no contract round"}`),
      text(layers.join(", ")),
      text(advising.length === 0 ? "none" : advising.map(([gate]) => gate).join(", ")),
    ];
  });
  const heads = ["Arm", "Protocol", "Gates", "Coverage", "Mutation", "Rounds", "Layers", "Advise only"];
  return table(
    heads.map((name) => ({ name })),
    rows,
    "No arm was registered.",
  );
}

const MOST_RUNS = 40;

export function runsOf({ rows }: TrialReport): Markup {
  const kinds: readonly [string, (row: TrialRow) => boolean][] = [
    ["Failed by themselves", ({ ended }) => ended === "crashed"],
    ["Escaped: shipped, and wrong by the oracle", escaped],
    ["Right code that was refused", falselyRejected],
  ];
  return html`${kinds.map(([title, belongs]) => runList(title, rows.filter(belongs)))}`;
}

function runList(title: string, rows: readonly TrialRow[]): Markup {
  const shown = rows
    .slice(0, MOST_RUNS)
    .map(({ task, seed, arm, oracle, caughtBy, why }) => [
      id(task),
      text(String(seed)),
      text(arm),
      text(oracle === null ? "not asked" : `${oracle.failed} of ${oracle.passed + oracle.failed} failed`),
      text(caughtBy ?? "–"),
      html`<span class="soft">${why}</span>`,
    ]);
  const heads = ["Task", "Seed", "Arm", "Oracle", "Caught first by", "Why"].map((name) => ({ name }));
  const more = rows.length - shown.length;
  return html`<details>
    <summary><b>${title}</b> <span class="soft"> · ${rows.length}</span></summary>
    <div>
      ${table(heads, shown, "None.")}${more > 0 ? html`<p class="soft">And ${more} more among the rows.</p>` : html``}
    </div>
  </details> `;
}
