// A test suite's record as a person reads it.
import { feedbackLine } from "./revision-feedback.ts";
import type { TestSuiteRecord } from "./test-suite-record.ts";

export function suiteText(record: TestSuiteRecord): string {
  const { module, verdict, expected, attempts, results, failures, weaknesses, graph } = record;
  const told = expected === null ? "" : `; the tester expected ${expected}, which decided nothing`;
  return [
    `# Tests of ${module}`,
    record.shipped === null ? `Not shipped. ${record.halted ?? ""}`.trim() : `Shipped as ${record.shipped}.`,
    `Verdict by rule: ${verdict ?? "none, nothing was tested"}${told}. The builder was asked ${attempts.builder} times, the tester ${attempts.tester} times.`,
    ...resultLines(results),
    ...listed("Tests that fail", failures.map(feedbackLine)),
    ...listed("Why tests went back to their author", weaknesses),
    ...listed(
      "Where the work stands",
      graph.nodes.map(({ type, status }) => `${type} ${status}`),
    ),
    ...listed(
      "What led to what",
      graph.edges.map(({ type, from, to }) => `${from} ${type} ${to}`),
    ),
    "",
  ].join("\n\n");
}

function resultLines(results: TestSuiteRecord["results"]): string[] {
  if (results === null) return [];
  const { layers, coverage } = results;
  const rows = layers.map(({ layer, passed, failed }) => `| ${layer} | ${passed} | ${failed} |`);
  const table = ["| Layer | passed | failed |", "| --- | --- | --- |", ...rows].join("\n");
  if (coverage === null) return [table];
  const { lines, branches, uncovered } = coverage;
  const open = uncovered.map((file) => `${file.file}: ${file.lines.join(", ")}`);
  return [
    table,
    `Lines ${lines.covered} of ${lines.total}, branches ${branches.covered} of ${branches.total}.`,
    ...listed("Lines that no test runs", open),
  ];
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${line}`).join("\n")];
}
