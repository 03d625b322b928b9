// The result of `cupel verify` in the formats that other tools read.
import { isAbsolute, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
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

/** `from` is where relative paths begin. */
export function renderSarif(reports: readonly ModuleReport[], from: string): string {
  const results = reports.flatMap(({ folder, gates }) =>
    gates.flatMap((reported) =>
      findingsOf(reported).map(({ rule, message, file, line }) => ({
        ruleId: `${reported.verdict.gate}/${rule}`,
        level: reported.blocks ? "error" : "warning",
        message: { text: message },
        locations: file === undefined ? [] : [location(resolve(from, folder, file), from, line)],
      })),
    ),
  );
  const driver = { name: "cupel", version: cupelVersion(), rules: rulesOf(results) };
  const schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] }, null, 2)}\n`;
}

/** A gate that blocks without having found anything must not look like one that passed. */
function findingsOf({ verdict, summary, blocks }: Reported): readonly Finding[] {
  if (!blocks || verdict.findings.length > 0) return verdict.findings;
  const message = verdict.verdict === "ERROR" ? verdict.message : summary;
  return [{ rule: verdict.verdict.toLowerCase(), message }];
}

function location(path: string, from: string, line = 1): object {
  const within = relative(from, path);
  const isBelow = !isAbsolute(within) && within.split(sep)[0] !== "..";
  const uri = isBelow ? within.split(sep).map(encoded).join("/") : pathToFileURL(path).href;
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } };
}

/** A lone half of a character, which a name on disk can hold, has no spelling in an address. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed());
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
