// Only the whole line that was signed with the right key is a report.
import { expect, test } from "vitest";
import { reportIn, reportLine } from "./report-line.ts";
import type { WireReport } from "./wire-report.ts";

const REPORT: WireReport = { vitest: "4", files: [], stray: [], ended: "finished", durationMs: 1 };
const GREENER: WireReport = { ...REPORT, vitest: "forged" };
const right = reportLine(REPORT, "key");
const forged = reportLine(GREENER, "a guess");

test.for([
  ["the right line", right],
  ["a forged line before it", forged + right],
  ["a forged line after it", right + forged],
  ["noise around it", `noise${right}noise`],
  ["the right line twice", right + right],
] as const)("%s gives the report", ([, stdout]) => {
  expect(reportIn(stdout, "key")).toEqual(REPORT);
});

test.for([
  ["nothing", ""],
  ["a forged line", forged],
  ["half of the line", right.slice(0, right.length / 2)],
  ["a line with another body", right.replace(/ \S+\n$/, ` ${forged.trim().split(" ")[2] ?? ""}\n`)],
  ["a line inside of another", `x${right.trim()}`],
  ["a line that is cut in two", right.replace(/(.{100})/, "$1\n")],
  ["a line without a signature", right.replace(/ [0-9a-f]{64} /, " ")],
] as const)("%s gives none", ([, stdout]) => {
  expect(reportIn(stdout, "key")).toBeUndefined();
});
