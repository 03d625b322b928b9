import { expect, test } from "vitest";
import { reportSample, tags } from "../../test/report-samples.ts";
import { html } from "./html.ts";
import { renderReport } from "./render-report.ts";

const HOSTILE = `</td></style><script>alert(1)</script><img src=x onerror='a()'> " onmouseover="a()" &lt; \u202E\u0000`;

test("everything that anybody wrote is text, wherever it stands", () => {
  const page = renderReport(reportSample(HOSTILE));
  const places = JSON.stringify(reportSample("§")).split("§").length - 1;
  // Notes are not shown, and of two releases the older is one line.
  expect(page.split("&lt;script&gt;alert(1)").length - 1).toBeGreaterThan(places * 0.6);
  expect(tags(page)).toEqual(tags(renderReport(reportSample())));
  expect(page).not.toMatch(/<script|<img|\u202E/);
  expect(page).not.toContain("\u0000");
});

test("it is one page that needs neither network nor script", () => {
  const page = renderReport(reportSample());
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain(`default-src 'none'`);
  expect(page).toContain("prefers-color-scheme: dark");
  expect(page).not.toMatch(/<script|<link|<iframe|src=|url\(|@import|https?:|javascript:/);
  expect(page.match(/href="[^"]*"/g)?.every((href) => href.startsWith('href="#'))).toBe(true);
});

test.each([
  ["a clear yes or no", "✓ Yes: version 1.0.0 is released"],
  ["a refused release with what to type", "version"],
  ["a denominator", `<td class="n">42</td>`],
  ["a planted defect", "a mutant the suite must kill (shown earlier)"],
  ["a criterion with the test that shows it", "a sum of two [T-money-basics-amounts-001.1]"],
  ["why a criterion is not shown", "nobody sees memory from outside"],
  ["a cost", "$0.42"],
  ["a decision", "AMEND_SPEC"],
  ["a deprecation", "MM-round@2.0.0"],
  ["a person's word", "A person let it out: only the style was disputed"],
  ["blindness", "Blindness: unproven, kept by the repository."],
  ["a tree", "└─ cents  asks: which, 2 merges, 3 rebases, 1 woke somebody"],
  ["an abandoned task", "nobody needs it"],
])("it shows %s", (_, words) => {
  expect(renderReport(reportSample())).toContain(words);
});

test("a release that was refused is a no, with the gate, the module and what to type", () => {
  const { releases, ...rest } = reportSample();
  const page = renderReport({ ...rest, releases: releases.slice(0, 1) });
  expect(page).toContain("✕ No: version 1.0.0 was refused");
  expect(page).toContain("<code>look at the script test of package.json</code>");
});

test("an unknown price is never nothing, and an empty product says what to do", () => {
  const unknown = {
    role: "impl",
    calls: 1,
    failed: 0,
    spent: { usage: "unknown", costUsd: "unknown" },
  } as const;
  expect(renderReport({ ...reportSample(), costs: [unknown] })).toContain("<b>cost unknown</b>");
  const nothing = { tasks: [], modules: [], releases: [], costs: [], decisions: [], deprecations: [] };
  const page = renderReport({ ...reportSample(), ...nothing });
  for (const words of ["cupel release", "cupel run", "No module has shipped", "No model was asked"])
    expect(page).toContain(words);
});

test("html escapes whatever is not its own", () => {
  expect(html`<p title="${`"'<>&`}">${[html`<b>${"<i>"}</b>`]}${3}</p>`.markup).toBe(
    `<p title="&quot;&#39;&lt;&gt;&amp;"><b>&lt;i&gt;</b>3</p>`,
  );
});
