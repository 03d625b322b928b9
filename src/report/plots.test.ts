import fc from "fast-check";
import { expect, test } from "vitest";
import type { Estimate } from "../domain/trial/estimates.ts";
import { inWords } from "./plot-parts.ts";
import { clipped, scaleOf, spread } from "./plot-scale.ts";
import { barPlot, dotPlot, linePlot, scatterPlot } from "./plots.ts";
import { amount, percent, points, times } from "./trial-amounts.ts";

const NOTHING: Estimate = { value: null, interval: null, of: 0 };
const known = (value: number): Estimate => ({
  value,
  interval: { low: value - 0.1, high: value + 0.1 },
  of: 9,
});
const HOSTILE = `</text></svg><script>a()</script>"'&`;

test("labels keep their distance and their order, whatever they wish for", () => {
  const wishes = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { maxLength: 15 });
  fc.assert(
    fc.property(wishes, (all) => {
      const places = spread(all, 16, 40, 280);
      const sorted = places.toSorted((a, b) => a - b);
      sorted.slice(1).forEach((place, index) => {
        expect(place - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(16 - 1e-9);
      });
      if (all.length > 0) expect(sorted[0]).toBeGreaterThanOrEqual(40 - 1e-9);
      if (all.length <= 15) expect(sorted.at(-1) ?? 0).toBeLessThanOrEqual(280 + 1e-9);
      all.forEach((wish, index) => {
        all.forEach((other, at) => {
          if (wish < other) expect(places[index]).toBeLessThan(places[at] ?? 0);
        });
      });
    }),
  );
});

test("a scale holds every value and a handful of round ticks", () => {
  const values = fc.array(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).filter((v) => Math.abs(v) > 1e-6 || v === 0),
  );
  fc.assert(
    fc.property(values, (all) => {
      const { at, ticks } = scaleOf(all, 100, 300);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(8);
      for (const value of all) {
        expect(at(value)).toBeGreaterThanOrEqual(100);
        expect(at(value)).toBeLessThanOrEqual(300);
      }
    }),
  );
  expect(scaleOf([0.43, 0.05], 0, 100).ticks.map((tick) => Number(tick.toFixed(3)))).toEqual([
    0, 0.1, 0.2, 0.3, 0.4, 0.5,
  ]);
});

test("figures are written as people read them", () => {
  expect([percent(0.4267), points(-0.34), points(0.047), points(-0.0001), times(2.3)]).toEqual([
    "42.7 %",
    "−34.0 pp",
    "+4.7 pp",
    "0.0 pp",
    "2.30×",
  ]);
  expect([amount(1258.3), amount(-1258), amount(86.66), amount(0.0123), amount(0)]).toEqual([
    "1\u202F258",
    "−1\u202F258",
    "86.7",
    "0.012",
    "0",
  ]);
  expect(inWords(known(0.5), percent)).toBe("50.0 % (40.0 to 60.0)");
  expect(inWords({ ...known(0.5), interval: null }, percent)).toBe("50.0 %");
  expect(inWords(NOTHING, percent)).toBe("nothing to tell by");
});

const pictures = (label: string, estimate: Estimate) => [
  dotPlot({ title: label, points: [{ label, estimate }], format: percent, mark: { value: 0.2, label } }),
  scatterPlot({
    title: label,
    across: { name: label, format: amount },
    up: { name: label, format: amount },
    points: [{ label, x: estimate, y: estimate }],
  }),
  linePlot({ title: label, format: percent, across: [label], series: [{ label, values: [estimate.value] }] }),
  barPlot({ title: label, bars: [{ label, from: 0, to: 0, tone: "bad" }] }),
];

test.each([
  ["of a figure", known(0.5)],
  ["of nothing", NOTHING],
  ["without an interval", { ...known(0), interval: null }],
])("a picture %s says in words what it shows, and has no hole in it", (_, estimate) => {
  for (const { markup } of pictures("debate", estimate)) {
    expect(markup).toMatch(
      /<svg\s+class="plot"\s+role="img"\s+viewBox="0 0 560 \d+"\s+aria-label="debate\. debate: /,
    );
    expect(markup).toContain("<title>debate</title>");
    expect(markup).not.toMatch(/NaN|Infinity|undefined|null/);
  }
});

test("nobody's words become markup, and long names keep beginning and end", () => {
  for (const { markup } of pictures(HOSTILE, known(0.5))) {
    expect(markup).not.toContain("<script");
    expect(markup.match(/<\/svg>/g)).toHaveLength(1);
  }
  expect(clipped("solo-without-gates")).toBe("solo-without-gates");
  expect(clipped("a-protocol-with-a-long-name-2")).toBe("a-protocol-…g-name-2");
});

test("without any point there is still a picture", () => {
  const axis = { name: "tokens", format: amount };
  for (const { markup } of [
    dotPlot({ title: "empty", points: [], format: percent }),
    scatterPlot({ title: "empty", across: axis, up: axis, points: [] }),
    linePlot({ title: "empty", format: percent, across: [], series: [] }),
    barPlot({ title: "empty", bars: [] }),
  ])
    expect(markup).not.toMatch(/NaN|Infinity|undefined/);
});

test("a label is led to its line in the line's own colour, also where another line has no point", () => {
  const series = [
    { label: "empty", values: [null] },
    { label: "full", values: [0.5] },
  ];
  const { markup } = linePlot({ title: "two", format: percent, across: ["1"], series });
  expect(markup).toContain('class="lead s1"');
  expect(markup).not.toContain('class="lead s0"');
});
