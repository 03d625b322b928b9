// What the pictures of a trial have in common: frame, axes, labels and figures in words.
import type { Estimate } from "../domain/trial/estimates.ts";
import { html, type Markup } from "./html.ts";
import { clipped, type Scale, spread } from "./plot-scale.ts";

export type Format = (value: number) => string;

export const WIDTH = 560;
export const TOP = 40;
/** How many colours there are before they come again. */
export const SERIES = 6;

/** A figure with its interval, or that there is none. */
export function inWords({ value, interval }: Estimate, format: Format): string {
  if (value === null) return "nothing to tell by";
  return interval === null
    ? format(value)
    : `${format(value)} (${bare(format(interval.low))} to ${bare(format(interval.high))})`;
}

/** Without the unit, which stands there already. */
function bare(figure: string): string {
  return figure.replace(/(?: %| pp|×)$/, "");
}

/** Ticks are round. */
function tickOf(figure: string): string {
  return figure.replace(/\.0+(?!\d)/, "");
}

export function xAxis({ at, ticks }: Scale, top: number, bottom: number, format: Format): Markup {
  return html`${ticks.map(
    (tick) =>
      html`<line class="grid" x1="${at(tick)}" x2="${at(tick)}" y1="${top}" y2="${bottom}" />
        <text class="soft small" x="${at(tick)}" y="${bottom + 16}" text-anchor="middle"
          >${tickOf(bare(format(tick)))}</text
        > `,
  )}`;
}

export function yAxis({ at, ticks }: Scale, left: number, right: number, format: Format): Markup {
  return html`${ticks.map(
    (tick) =>
      html`<line class="grid" x1="${left}" x2="${right}" y1="${at(tick)}" y2="${at(tick)}" />
        <text class="soft small" x="${left - 6}" y="${at(tick) + 4}" text-anchor="end"
          >${tickOf(format(tick))}</text
        > `,
  )}`;
}

const LABEL_GAP = 16;

/** Of a plot with so many labels at its right edge. */
export function labelsHeight(count: number, top: number, bottom: number): number {
  return Math.max(bottom, top + count * LABEL_GAP);
}

/** Each on a line of its own at the right edge, and led to its point. */
export function endLabels(
  ends: readonly { label: string; series: number; x: number; y: number }[],
  right: number,
  top: number,
  bottom: number,
): Markup[] {
  const ys = spread(
    ends.map(({ y }) => y),
    LABEL_GAP,
    top,
    bottom,
  );
  return ends.map(({ label, series, x, y }, index) => {
    const at = ys[index] ?? 0;
    return html`<polyline
        class="lead s${series % SERIES}"
        points="${x},${y} ${right + 2},${at} ${right + 10},${at}"
      />
      <text x="${right + 14}" y="${at + 4}">${clipped(label)}</text> `;
  });
}

/** With its title, and in words for whoever does not see it. */
export function picture(title: string, words: string, height: number, content: Markup): Markup {
  return html`<svg
    class="plot"
    role="img"
    viewBox="0 0 ${WIDTH} ${height}"
    aria-label="${`${title}. ${words}`}"
  >
    <title>${title}</title>
    <text class="head" x="0" y="14">${title}</text>
    ${content}
  </svg> `;
}
