/** Thrown when the minutes are no time of a day. */
export class OffTheClock extends Error {}

/** The time of day, such as "09:05", so many minutes after midnight. */
export function clockTime(minutes: number): string {
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > 1440) {
    throw new OffTheClock("not on the clock: " + minutes);
  }
  return twoDigits(Math.floor(minutes / 60)) + ":" + twoDigits(minutes % 60);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
