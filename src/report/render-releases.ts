// The releases of a product: one clear yes or no for the newest, with its gates, and the list of the others.
import type { IntegrationVerdict } from "../domain/people/integration-verdict.ts";
import type { ReleaseManifest } from "../domain/people/release.ts";
import { html, type Markup } from "./html.ts";
import { table } from "./page.ts";
import { counted, id, ids, text, time, verdictOf } from "./words.ts";

export function renderReleases(releases: readonly ReleaseManifest[]): Markup {
  const last = releases.at(-1);
  if (last === undefined) return html`<p class="soft">Nothing was released yet: cupel release.</p>`;
  return html`${newest(last)} ${earlier(releases.slice(0, -1))}`;
}

function newest(manifest: ReleaseManifest): Markup {
  const passed = manifest.overall_result === "PASS";
  const modules = manifest.modules.map(({ module_ref }) => module_ref);
  const { version } = manifest;
  const answer = passed ? `✓ Yes: version ${version} is released` : `✕ No: version ${version} was refused`;
  return html`<div class="verdict ${passed ? "good" : "bad"}">
      <p>
        <b class="${passed ? "good" : "bad"}">${answer}</b>
        <span class="soft"
          >· ${manifest.scope}, ${time(manifest.created_at)} UTC, ${id(manifest.release_id)}</span
        >
      </p>
      <p>${counted(modules.length, "module")}: ${ids(modules)}</p>
      <p class="soft">commit ${id(manifest.commit.slice(0, 12))}</p>
      ${abandoned(manifest)}
    </div>
    ${table(HEADS, manifest.evidence.map(gateRow), "No gate has looked at it.")}`;
}

const HEADS = [
  { name: "Gate" },
  { name: "Result" },
  { name: "Looked at", number: true as const },
  { name: "What" },
  { name: "Planted and refused, or what stands in the way" },
];

function gateRow(verdict: IntegrationVerdict): Markup[] {
  return [
    html`<span class="fixed">${verdict.gate}</span>`,
    verdictOf(verdict.result),
    html`${verdict.denominator}`,
    text(verdict.summary),
    verdict.result === "PASS"
      ? text(verdict.planted)
      : html`${verdict.violations.map(
          ({ explanation, next }) =>
            html`<p>${explanation}<br /><span class="soft">next:</span> <code>${next}</code></p> `,
        )}`,
  ];
}

function abandoned({ abandoned_tasks, attestations }: ReleaseManifest): Markup {
  const left = abandoned_tasks.map(
    ({ task_id, reason }) => html`<p>Without ${id(task_id)}: <span class="soft">${reason}</span></p> `,
  );
  const vouched = attestations.map(
    ({ task_id, rationale }) =>
      html`<p>${id(task_id)} counts as done on a person's word: <span class="soft">${rationale}</span></p> `,
  );
  return html`${left}${vouched}`;
}

function earlier(releases: readonly ReleaseManifest[]): Markup {
  if (releases.length === 0) return html``;
  const rows = releases
    .toReversed()
    .map(({ created_at, version, scope, overall_result, release_id, modules }) => [
      html`<span class="fixed soft">${time(created_at)}</span>`,
      html`<b>${version}</b>`,
      text(scope),
      verdictOf(overall_result),
      html`${modules.length}`,
      id(release_id),
    ]);
  const heads = [
    { name: "Earlier" },
    { name: "Version" },
    { name: "Scope" },
    { name: "Result" },
    { name: "Modules", number: true as const },
    { name: "Record" },
  ];
  return table(heads, rows, "");
}
