// What a release says, in the formats that other tools read: JUnit, SARIF, and the text of a pull request.
import type { IntegrationVerdict } from "../../domain/people/integration-verdict.ts";
import type { ReleaseManifest } from "../../domain/people/release.ts";
import { count, oneLine } from "../output.ts";
import { junitText, sarifText } from "../report-formats.ts";

/** One suite, one case per gate. */
export function releaseJunit({ version, evidence }: ReleaseManifest): string {
  const cases = evidence.map((verdict) => ({
    name: verdict.gate,
    durationMs: verdict.durationMs,
    ...(verdict.result === "PASS"
      ? {}
      : {
          failure: {
            message: verdict.summary,
            lines: verdict.violations.map(({ explanation }) => explanation),
          },
        }),
  }));
  const durationMs = evidence.reduce((sum, verdict) => sum + verdict.durationMs, 0);
  return junitText([{ name: `release ${version}`, durationMs, cases }]);
}

export function releaseSarif({ evidence }: ReleaseManifest): string {
  return sarifText(
    evidence.flatMap(({ gate, violations }) =>
      violations.map(({ module_ref, references, explanation, next }) => {
        const file = references.find((reference) => /^modules\/.+\/./.test(reference));
        return {
          ruleId: `release/${gate}`,
          level: "error" as const,
          message: `${module_ref ?? "the product"}: ${explanation}. Next: ${next}`,
          ...(file === undefined
            ? {}
            : { location: { uri: file.split("/").map(encodeURIComponent).join("/"), line: 1 } }),
        };
      }),
    ),
  );
}

/** Markdown. What agents, specs and people wrote is shown as it is and can be no markup. */
export function releasePullRequest(manifest: ReleaseManifest): string {
  const { version, scope, release_id, commit, modules, evidence, abandoned_tasks, overrides } = manifest;
  const passed = manifest.overall_result === "PASS";
  const lines = [
    `## ${passed ? "Release" : "Refused release"} ${version}`,
    "",
    `${scope === "full" ? "Full" : "Partial"} release \`${release_id}\` of \`${commit.slice(0, 12)}\`: ${count(modules.length, "module")}, ${count(manifest.tasks.length, "task")}.`,
    "",
    "| Gate | Result | Looked at | Planted and refused |",
    "|---|---|---|---|",
    ...evidence.map(gateRow),
    "",
    "### Modules",
    "",
    ...modules.map(({ module_ref, ship_ref }) => `- \`${module_ref}\` (evidence \`${ship_ref}\`)`),
    ...section(
      "Refused because",
      evidence.flatMap(({ gate, violations }) =>
        violations.map(({ explanation, next }) => `- ${gate}: ${plain(explanation)}. Next: ${plain(next)}`),
      ),
    ),
    ...section(
      "Abandoned tasks",
      abandoned_tasks.map(({ task_id, reason }) => `- \`${task_id}\`: ${plain(reason)}`),
    ),
    ...section(
      "Let out on a person's word",
      overrides.map(({ module_ref, rationale }) => `- \`${module_ref}\`: ${plain(rationale)}`),
    ),
    ...section(
      "Vouched for by a person",
      manifest.attestations.map(({ task_id, rationale }) => `- \`${task_id}\`: ${plain(rationale)}`),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function gateRow(verdict: IntegrationVerdict): string {
  const planted = verdict.result === "PASS" ? plain(verdict.planted) : "";
  const mark = verdict.result === "PASS" ? "✓ PASS" : "✕ FAIL";
  return `| ${verdict.gate} | ${mark} | ${verdict.denominator}: ${plain(verdict.summary)} | ${planted} |`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines];
}

/** On one line, with nothing that Markdown, HTML or a mention would act on. */
function plain(text: string): string {
  return oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|#~!@]/g, (character) => `&#${character.charCodeAt(0)};`);
}
