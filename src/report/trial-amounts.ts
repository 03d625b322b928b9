// How a trial's report writes figures: shares, differences of shares, multiples, amounts.
import { grouped } from "./words.ts";

export function percent(share: number): string {
  return `${fixed(share * 100, 1)} %`;
}

/** Of a difference between two shares, with its sign. */
export function points(difference: number): string {
  return `${signed(fixed(difference * 100, 1))} pp`;
}

export function times(ratio: number): string {
  return `${fixed(ratio, 2)}×`;
}

/** Three digits are enough to compare; small amounts keep theirs behind the point. */
export function amount(value: number): string {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) {
    const whole = grouped(Math.abs(Math.round(value)));
    return value <= -0.5 ? `−${whole}` : whole;
  }
  return fixed(value, Math.abs(value) < 1 ? 3 : 1);
}

function signed(figure: string): string {
  return figure.startsWith("−") || Number(figure) === 0 ? figure : `+${figure}`;
}

function fixed(value: number, digits: number): string {
  const figure = Math.abs(value).toFixed(digits);
  return value < 0 && Number(figure) !== 0 ? `−${figure}` : figure;
}
