// Dates without times.

export interface Day {
  year: number;
  month: number;
  day: number;
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysInMonth(year: number, month: number): number {
  const length = LENGTHS[month - 1];
  if (length === undefined) throw new RangeError(`there is no month ${month}`);
  return month === 2 && isLeap(year) ? length + 1 : length;
}

export function isValid({ year, month, day }: Day): boolean {
  if (![year, month, day].every(Number.isInteger)) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Days since 1970-01-01. */
export function toNumber(date: Day): number {
  if (!isValid(date)) throw new RangeError(`${format(date)} is no date`);
  const { year, month, day } = date;
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function fromNumber(count: number): Day {
  const shifted = count + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

export function addDays(date: Day, days: number): Day {
  return fromNumber(toNumber(date) + days);
}

/** The last day of the month where the day does not exist. */
export function addMonths({ year, month, day }: Day, months: number): Day {
  const index = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
}

export function daysBetween(from: Day, to: Day): number {
  return toNumber(to) - toNumber(from);
}

/** 1 is Monday, 7 is Sunday. */
export function weekday(date: Day): number {
  return ((((toNumber(date) + 3) % 7) + 7) % 7) + 1;
}

export function format({ year, month, day }: Day): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

export function parse(text: string): Day {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) throw new SyntaxError(`"${text}" is no date`);
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const date = { year, month, day };
  if (!isValid(date)) throw new RangeError(`${text} is no date`);
  return date;
}
