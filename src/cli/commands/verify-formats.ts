// The result of `cupel verify` in the formats that other tools read.
import type { ModuleReport } from "../../evidence/module-report.ts";
import type { Reported } from "../../evidence/verify.ts";
import { cupelVersion } from "../../version.ts";

/** One suite per module, one case per gate. */
export function renderJunit(reports: readonly ModuleReport[]): string {
  const suites = reports.map(({ folder, gates, durationMs }) => {
    const failures = gates.filter(({ blocks }) => blocks).length;
    const skipped = gates.filter(({ verdict }) => isSkipped(verdict.verdict)).length;
    const counts = `tests="${gates.length}" failures="${failures}" skipped="${skipped}"`;
    const cases = gates.map(renderCase).join("");
    return `<testsuite name="${escaped(folder)}" ${counts} time="${seconds(durationMs)}">${cases}</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="cupel">${suites.join("")}</testsuites>\n`;
}

function renderCase({ verdict, summary, blocks }: Reported): string {
  const open = `<testcase classname="cupel" name="${verdict.gate}" time="${seconds(verdict.durationMs)}">`;
  const lines = verdict.findings.map(({ file, line, message }) =>
    [file, line, message].filter(Boolean).join(":"),
  );
  const body = isSkipped(verdict.verdict)
    ? `<skipped message="${escaped(summary)}"/>`
    : blocks
      ? `<failure message="${escaped(summary)}">${escaped(lines.join("\n"))}</failure>`
      : "";
  return `${open}${body}</testcase>`;
}

function isSkipped(verdict: string): boolean {
  return verdict === "NOT_RUN" || verdict === "NOT_APPLICABLE";
}

export function renderSarif(reports: readonly ModuleReport[]): string {
  const results = reports.flatMap(({ folder, gates }) =>
    gates.flatMap(({ verdict, blocks }) =>
      verdict.findings.map(({ rule, message, file, line }) => ({
        ruleId: `${verdict.gate}/${rule}`,
        level: blocks ? "error" : "warning",
        message: { text: message },
        locations: file === undefined ? [] : [location(`${folder}/${file}`, line)],
      })),
    ),
  );
  const driver = { name: "cupel", version: cupelVersion(), rules: rulesOf(results) };
  const schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] }, null, 2)}\n`;
}

function location(uri: string, line = 1): object {
  const relative = uri.replace(/^\.\//, "").split("/").map(encodeURIComponent).join("/");
  return { physicalLocation: { artifactLocation: { uri: relative }, region: { startLine: line } } };
}

function rulesOf(results: readonly { ruleId: string }[]): { id: string }[] {
  return [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }));
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** XML has no way to write most control characters at all. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
