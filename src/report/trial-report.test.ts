import { expect, test } from "vitest";
import { tags } from "../../test/report-samples.ts";
import { protocolSample, trialSample } from "../../test/trial-samples.ts";
import { doubtsOf } from "../domain/trial/doubts.ts";
import { summarize } from "../domain/trial/summary.ts";
import { protocolHash, type TrialProtocol, USUAL_WORKERS } from "../domain/trial/trial-protocol.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";
import type { TrialReport } from "./trial-report-data.ts";
import { renderTrialReport } from "./trial-report.ts";

const HOSTILE = `</td></style><script>alert(1)</script><img src=x onerror='a()'> " onmouseover="a()" &lt; \u202E\u0000`;

function reportOn(
  { protocol, rows }: { protocol: TrialProtocol; rows: readonly TrialRow[] },
  brokenOracles: readonly string[] = [],
): TrialReport {
  const summary = summarize(protocol, rows);
  return {
    protocol,
    hash: protocolHash(protocol),
    rows,
    summary,
    doubts: doubtsOf({ protocol, summary, brokenOracles }),
    rowsFile: "rows.jsonl",
    generatedAt: "2026-11-16T15:00:00.000Z",
    cupelVersion: "0.1.0",
  };
}

const sample = trialSample();
const sound = reportOn(sample);
const page = renderTrialReport(sound);

test("everything that anybody wrote is text, wherever it stands", () => {
  const hostile = reportOn(trialSample(HOSTILE), [`task-3${HOSTILE}`]);
  const sweep = (label: string) => ({ label, parameters: USUAL_WORKERS, summary: hostile.summary });
  const spoiled = renderTrialReport({
    ...hostile,
    rowsFile: HOSTILE,
    hash: HOSTILE,
    sweeps: [sweep(HOSTILE)],
  });
  const clean = renderTrialReport({ ...reportOn(sample, ["task-3"]), sweeps: [sweep("other")] });
  expect(tags(spoiled)).toEqual(tags(clean));
  expect(spoiled).toContain("no space left&lt;/td&gt;&lt;/style&gt;&lt;script&gt;alert(1)");
  expect(spoiled).not.toMatch(/<script|<img|\u202E/);
  expect(spoiled).not.toContain("\u0000");
});

test("it is one page that needs neither network nor script", () => {
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain(`default-src 'none'`);
  expect(page).not.toMatch(/<script|<link|<iframe|src=|url\(|@import|https?:|javascript:/);
  expect(page).not.toMatch(/NaN|Infinity|undefined/);
});

test.each([
  ["that nothing speaks against it", "No reason was found to doubt this trial."],
  ["how much was run", "900 of 900"],
  ["who helps", "✓ helps"],
  ["by how much", "−39.3 pp (−48.7 to −30.7)"],
  ["what was reached", "✓ reached"],
  ["what was not", "✕ not reached"],
  ["why something cannot be told", "it is the control"],
  ["what was registered", protocolHash(sample.protocol)],
  ["the workers", "How likely a reviewer lets pass what is right."],
  ["that gates are off", "off: they advise only"],
  ["what caught defects", "by mutation"],
  ["a run that failed", "no space left"],
  ["where the rows lie", "<code>rows.jsonl</code>"],
])("it shows %s", (_, words) => {
  expect(page).toContain(words);
});

test("doubts come first and loud, and nothing is called a success beside them", () => {
  const doubtful = renderTrialReport(reportOn(sample, ["task-3"]));
  expect(doubtful.indexOf("✕ This trial is not to be believed")).toBeLessThan(doubtful.indexOf("<nav>"));
  expect(doubtful).toContain("the oracles of these tasks cannot tell right from wrong: task-3");
  expect(doubtful).toContain("? in doubt");
  expect(doubtful).not.toMatch(/✓|No reason was found/);
});

test("a trial of nothing has a page that says so", () => {
  const empty = renderTrialReport(reportOn({ protocol: protocolSample({ tasks: [] }), rows: [] }));
  expect(empty).toContain("the corpus builtin gave no tasks");
  expect(empty).not.toMatch(/✓|✕ not reached|NaN|Infinity|undefined/);
  expect(empty).toContain("nothing to tell by");
});

test("an arm that lets more escape harms, and real workers are named", () => {
  const workers = { kind: "runtime", runtime: "some-runtime", model: "some-model" } as const;
  const turned = { ...sample, protocol: { ...sample.protocol, control: "blind", workers } };
  const told = renderTrialReport({ ...reportOn(turned), doubts: [] });
  expect(told).toContain("✕ harms");
  expect(told).not.toContain("✓ helps");
  expect(told).toContain("some-model");
  expect(told).toContain("nobody knows what was wrong with their first solutions");
  expect(told).not.toContain("no first draw had a defect");
});

test("with other workers there is a table and a picture of them", () => {
  expect(page).not.toContain("Other workers");
  const { summary } = sound;
  const sweeps = [0.1, 0.8].map((defect) => ({
    label: `defects ${defect}`,
    parameters: { ...USUAL_WORKERS, defect },
    summary,
  }));
  const swept = renderTrialReport({ ...sound, sweeps });
  for (const words of ["Other workers", "defects 0.8", "defect 0.1, coverage 0.7", `class="course s0"`])
    expect(swept).toContain(words);
});
