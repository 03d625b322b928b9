// JUnit XML and SARIF, the formats in which other tools read what gates say.
import { cupelVersion } from "../version.ts";

export interface JunitSuite {
  name: string;
  durationMs: number;
  cases: readonly JunitCase[];
}

export interface JunitCase {
  name: string;
  durationMs: number;
  /** Why it did not run. */
  skipped?: string;
  failure?: { message: string; lines: readonly string[] };
}

export function junitText(suites: readonly JunitSuite[]): string {
  const rendered = suites.map(({ name, durationMs, cases }) => {
    const failures = cases.filter(({ failure }) => failure !== undefined).length;
    const skipped = cases.filter((each) => each.skipped !== undefined).length;
    const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
    const body = cases.map(renderCase).join("");
    return `<testsuite name="${escaped(name)}" ${counts} time="${seconds(durationMs)}">${body}</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="cupel">${rendered.join("")}</testsuites>\n`;
}

function renderCase({ name, durationMs, skipped, failure }: JunitCase): string {
  const open = `<testcase classname="cupel" name="${escaped(name)}" time="${seconds(durationMs)}">`;
  const text =
    failure === undefined
      ? ""
      : `<failure message="${escaped(failure.message)}">${escaped(failure.lines.join("\n"))}</failure>`;
  const body = skipped === undefined ? text : `<skipped message="${escaped(skipped)}"/>`;
  return `${open}${body}</testcase>`;
}

export interface SarifResult {
  ruleId: string;
  level: "error" | "warning";
  message: string;
  location?: { uri: string; line: number };
}

export function sarifText(results: readonly SarifResult[]): string {
  const ids = [...new Set(results.map(({ ruleId }) => ruleId))];
  const driver = { name: "cupel", version: cupelVersion(), rules: ids.map((id) => ({ id })) };
  const run = {
    tool: { driver },
    results: results.map(({ ruleId, level, message, location }) => ({
      ruleId,
      level,
      message: { text: message },
      locations: location === undefined ? [] : [placeOf(location)],
    })),
  };
  const schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

function placeOf({ uri, line }: { uri: string; line: number }): object {
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** XML has no way to write most control characters at all. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
