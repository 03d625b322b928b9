// The report on a product: what was built, on which evidence, at what cost, by whose decisions.
import { treeLines, treeSummary } from "../domain/fractal/tree-view.ts";
import { addSpent, NOTHING_SPENT } from "../domain/run/spent.ts";
import { html, type Markup } from "./html.ts";
import { renderPage, table } from "./page.ts";
import type { ProductReport, ReportedTask } from "./report-data.ts";
import { renderCriteria } from "./render-criteria.ts";
import { renderModules, tallyOf } from "./render-modules.ts";
import { renderReleases } from "./render-releases.ts";
import { id, ids, money, statusOf, text, tile, time, tokens } from "./words.ts";

/** One self-contained document. */
export function renderReport(report: ProductReport): string {
  return renderPage({
    title: `${report.title} · Cupel`,
    header: headerOf(report),
    sections: [
      { id: "release", title: "Release", content: renderReleases(report.releases) },
      { id: "tasks", title: "Tasks", content: tasksOf(report) },
      { id: "criteria", title: "Acceptance criteria", content: renderCriteria(report) },
      { id: "modules", title: "Modules and their evidence", content: renderModules(report.modules) },
      { id: "costs", title: "Costs", content: costsOf(report) },
      { id: "decisions", title: "Decisions of people", content: decisionsOf(report) },
      { id: "deprecations", title: "Deprecations", content: deprecationsOf(report) },
    ],
    footer: html`Written by Cupel ${report.cupelVersion} at ${time(report.generatedAt)} UTC from the state
    store alone. Each gate's figure is how many things it looked at; the planted defect is what the same gate
    refused to show that it can say no.`,
  });
}

function headerOf(report: ProductReport): Markup {
  const { tasks, modules, releases } = report;
  const shipped = tasks.filter(({ status }) => status === "SHIPPED").length;
  const last = releases.at(-1);
  const released =
    last === undefined
      ? tile("not yet", "released")
      : last.overall_result === "PASS"
        ? tile(`✓ ${last.version}`, "released", "good")
        : tile(`✕ ${last.version}`, "refused", "bad");
  const { passed, applicable } = tallyOf(modules.flatMap((module) => module.gates));
  return html`<h1>${report.title}</h1>
    <p class="lead">
      ${report.specVersion === null ? "no approved specification" : `specification ${report.specVersion}`}
    </p>
    <div class="tiles">
      ${released}${tile(`${shipped} of ${tasks.length}`, "tasks shipped")}${tile(String(modules.length), "module versions")}${tile(
        `${passed} of ${applicable}`,
        "gate verdicts passed",
      )}${tile(money(totalOf(report).costUsd), "spent")}
    </div>`;
}

function tasksOf({ tasks }: ProductReport): Markup {
  const rows = tasks.map(({ id: task, name, path, status, modules, why }) => [
    statusOf(status),
    html`${name}<br /><span class="id soft">${task}</span>`,
    html`<span class="soft">${path.join(" › ")}</span>`,
    why === null ? ids(modules) : html`${ids(modules)} <span class="soft">${why}</span>`,
  ]);
  const heads = [{ name: "Status" }, { name: "Task" }, { name: "Place" }, { name: "Modules" }];
  return html`${table(heads, rows, "There are no tasks yet: cupel run makes them from the specification.")}
  ${tasks.map(treeOf)}`;
}

function treeOf({ name, tree }: ReportedTask): Markup {
  if (tree === null) return html``;
  return html`<details>
    <summary><b>${name}</b> as a tree <span class="soft"> · ${treeSummary(tree)}</span></summary>
    <div><pre>${treeLines(tree).join("\n")}</pre></div>
  </details> `;
}

function costsOf(report: ProductReport): Markup {
  const rows = report.costs.map(({ role, calls, failed, spent }) => [
    text(role),
    html`${calls}`,
    html`${failed}`,
    text(tokens(spent.usage)),
    text(money(spent.costUsd)),
  ]);
  const total = totalOf(report);
  const calls = report.costs.reduce((sum, cost) => sum + cost.calls, 0);
  const failed = report.costs.reduce((sum, cost) => sum + cost.failed, 0);
  const last = [
    html`<b>all</b>`,
    html`${calls}`,
    html`${failed}`,
    text(tokens(total.usage)),
    html`<b>${money(total.costUsd)}</b>`,
  ];
  const heads = [
    { name: "Role" },
    { name: "Calls", number: true as const },
    { name: "Failed", number: true as const },
    { name: "Tokens", number: true as const },
    { name: "Cost", number: true as const },
  ];
  return table(heads, rows.length === 0 ? [] : [...rows, last], "No model was asked.");
}

function totalOf({ costs }: ProductReport) {
  return costs.reduce((sum, { spent }) => addSpent(sum, spent), NOTHING_SPENT);
}

function decisionsOf({ decisions }: ProductReport): Markup {
  const rows = decisions.map(({ at, subject, what, why }) => [
    html`<span class="fixed soft">${time(at)}</span>`,
    id(subject),
    html`<b>${what}</b>`,
    text(why),
  ]);
  const heads = [{ name: "When" }, { name: "About" }, { name: "Decision" }, { name: "Why" }];
  return table(heads, rows, "Nobody had to decide anything.");
}

function deprecationsOf({ deprecations }: ProductReport): Markup {
  const rows = deprecations.map(({ at, module, reason, replacement, downstream }) => [
    html`<span class="fixed soft">${time(at)}</span>`,
    id(module),
    text(reason),
    replacement === null ? html`<span class="soft">none</span>` : id(replacement),
    downstream.length === 0 ? html`<span class="soft">nothing</span>` : ids(downstream),
  ]);
  const heads = ["When", "Module", "Why", "Use instead", "Builds on it"].map((name) => ({ name }));
  return table(heads, rows, "Nothing is deprecated.");
}
