// Pictures of a trial's figures, drawn by hand: they follow the colours of the page and say in words what they show.
import type { Estimate } from "../domain/trial/estimates.ts";
import { html, type Markup } from "./html.ts";
import {
  endLabels,
  type Format,
  inWords,
  labelsHeight,
  picture,
  SERIES,
  TOP,
  WIDTH,
  xAxis,
  yAxis,
} from "./plot-parts.ts";
import { clipped, type Scale, scaleOf } from "./plot-scale.ts";

const ROW = 24;
const LEFT = 140;
const BOTTOM = 24;

export interface DotPlot {
  title: string;
  points: readonly { label: string; estimate: Estimate }[];
  format: Format;
  /** A line to hold the dots against. */
  mark?: { value: number; label: string };
}

/** One dot with its interval for each arm, the figure in words beside it. */
export function dotPlot({ title, points, format, mark }: DotPlot): Markup {
  const right = WIDTH - 180;
  const known = points.flatMap(({ estimate: { value, interval } }) => [
    ...(value === null ? [] : [value]),
    ...(interval === null ? [] : [interval.low, interval.high]),
  ]);
  const scale = scaleOf([...known, ...(mark === undefined ? [] : [mark.value])], LEFT, right);
  const height = TOP + points.length * ROW + BOTTOM;
  const rows = points.map(({ label, estimate }, index) => {
    const y = TOP + index * ROW + ROW / 2;
    return html`<text x="0" y="${y + 4}">${clipped(label)}</text>
      ${dot(estimate, scale, y)}
      <text x="${right + 12}" y="${y + 4}" class="${estimate.value === null ? "soft" : ""}">
        ${inWords(estimate, format)}
      </text> `;
  });
  const words = points.map(({ label, estimate }) => `${label}: ${inWords(estimate, format)}`);
  const content = html`${xAxis(scale, TOP, height - BOTTOM, format)}
  ${mark === undefined ? html`` : markAt(scale.at(mark.value), mark.label, height - BOTTOM, right)} ${rows}`;
  return picture(title, words.join("; "), height, content);
}

function dot({ value, interval }: Estimate, scale: Scale, y: number): Markup {
  if (value === null) return html``;
  const line =
    interval === null
      ? html``
      : html`<line
          class="reach"
          x1="${scale.at(interval.low)}"
          x2="${scale.at(interval.high)}"
          y1="${y}"
          y2="${y}"
        /> `;
  return html`${line}<circle class="accent" cx="${scale.at(value)}" cy="${y}" r="4.5" /> `;
}

function markAt(x: number, label: string, bottom: number, right: number): Markup {
  const anchor = x > (LEFT + right) / 2 ? "end" : "start";
  return html`<line class="mark" x1="${x}" x2="${x}" y1="${TOP - 10}" y2="${bottom}" />
    <text class="soft" x="${x + (anchor === "end" ? -4 : 4)}" y="${TOP - 3}" text-anchor="${anchor}"
      >${label}</text
    > `;
}

export interface Scatter {
  title: string;
  across: { name: string; format: Format };
  up: { name: string; format: Format };
  points: readonly { label: string; x: Estimate; y: Estimate }[];
}

/** Cost across, escapes up; each point is led to its label at the right edge, where labels have a line each. */
export function scatterPlot({ title, across, up, points }: Scatter): Markup {
  const [left, right, top, bottom] = [48, WIDTH - 150, TOP + 8, 280];
  const shown = points.filter(({ x, y }) => x.value !== null && y.value !== null);
  const [xs, ys] = [
    scaleOf(reaches(shown.map(({ x }) => x)), left, right),
    scaleOf(reaches(shown.map(({ y }) => y)), bottom, top),
  ];
  const places = shown.map(({ x, y }) => ({ x: xs.at(x.value ?? 0), y: ys.at(y.value ?? 0) }));
  const labels = endLabels(
    places.map((place, index) => ({ label: shown[index]?.label ?? "", series: index, ...place })),
    right,
    top,
    bottom,
  );
  const dots = shown.map(({ x, y }, index) => {
    const { x: cx, y: cy } = places[index] ?? { x: 0, y: 0 };
    return html`${x.interval === null ? html`` : html`<line class="reach thin s${index % SERIES}" x1="${xs.at(x.interval.low)}" x2="${xs.at(x.interval.high)}" y1="${cy}" y2="${cy}" />`}
      ${y.interval === null ? html`` : html`<line class="reach thin s${index % SERIES}" x1="${cx}" x2="${cx}" y1="${ys.at(y.interval.low)}" y2="${ys.at(y.interval.high)}" />`}
      <circle class="s${index % SERIES}" cx="${cx}" cy="${cy}" r="5" /> `;
  });
  const words = points.map(
    ({ label, x, y }) =>
      `${label}: ${inWords(y, up.format)} ${up.name}, ${inWords(x, across.format)} ${across.name}`,
  );
  const content = html`${xAxis(xs, top, bottom, across.format)} ${yAxis(ys, left, right, up.format)}
    <text class="soft small" x="0" y="${top - 12}">${up.name}</text>
    <text class="soft small" x="${right}" y="${bottom + 32}" text-anchor="end">${across.name}</text>
    ${labels} ${dots}`;
  return picture(title, words.join("; "), labelsHeight(shown.length, top, bottom) + 40, content);
}

function reaches(all: readonly Estimate[]): number[] {
  return all.flatMap(({ value, interval }) => [value ?? 0, interval?.low ?? 0, interval?.high ?? 0]);
}

export interface Lines {
  title: string;
  format: Format;
  /** Names of the places across, from left to right. */
  across: readonly string[];
  series: readonly { label: string; values: readonly (number | null)[] }[];
}

/** How a figure of each arm moves from one setting to the next. */
export function linePlot({ title, format, across, series }: Lines): Markup {
  const [left, right, top, bottom] = [48, WIDTH - 150, TOP, 220];
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const ys = scaleOf(known, bottom, top);
  const at = (index: number) =>
    left + 12 + (across.length < 2 ? 0 : (index / (across.length - 1)) * (right - left - 24));
  const drawn = series.map(({ values }) =>
    values.flatMap((value, index) => (value === null ? [] : [{ x: at(index), y: ys.at(value) }])),
  );
  const shown = series.flatMap(({ label }, index) => {
    const last = drawn[index]?.at(-1);
    return last === undefined ? [] : [{ label, series: index, ...last }];
  });
  const lines = drawn.map(
    (places, index) =>
      html`<polyline
          class="course s${index % SERIES}"
          points="${places.map(({ x, y }) => `${x.toFixed(1)},${y}`).join(" ")}"
        />
        ${places.map(({ x, y }) => html`<circle class="s${index % SERIES}" cx="${x.toFixed(1)}" cy="${y}" r="3.5" /> `)}`,
  );
  const names = across.map(
    (name, index) =>
      html`<text class="soft small" x="${at(index).toFixed(1)}" y="${bottom + 16}" text-anchor="middle"
        >${name}</text
      > `,
  );
  const labels = endLabels(shown, right, top, bottom);
  const words = series.map(
    ({ label, values }) =>
      `${label}: ${values.map((value) => (value === null ? "none" : format(value))).join(", ")}`,
  );
  const content = html`${yAxis(ys, left, right, format)} ${names} ${labels} ${lines}`;
  return picture(title, words.join("; "), labelsHeight(shown.length, top, bottom) + 24, content);
}

export interface Bars {
  title: string;
  bars: readonly {
    label: string;
    from: number;
    to: number;
    tone: "soft" | "accent" | "good" | "bad" | "wait";
  }[];
}

/** Bars from left to right, each starting where it is told; how long each is stands beside it. */
export function barPlot({ title, bars }: Bars): Markup {
  const right = WIDTH - 60;
  const { at } = scaleOf(
    bars.flatMap(({ from, to }) => [from, to]),
    LEFT,
    right,
  );
  const rows = bars.map(({ label, from, to, tone }, index) => {
    const y = TOP - 8 + index * ROW;
    return html`<text x="0" y="${y + 16}">${clipped(label)}</text>
      <rect
        class="${tone}"
        x="${at(from)}"
        y="${y + 3}"
        width="${Math.max(0, at(to) - at(from)).toFixed(1)}"
        height="${ROW - 7}"
        rx="2"
      />
      <text x="${at(to) + 6}" y="${y + 16}">${to - from}</text> `;
  });
  const words = bars.map(({ label, from, to }) => `${label}: ${to - from}`);
  return picture(title, words.join("; "), TOP + bars.length * ROW, html`${rows}`);
}
