/** Thrown when the text is no duration. */
export class BadDuration extends Error {}

/** The minutes of a duration such as "1h30m". */
export function parseDuration(text: string): number {
  const parts = /^(?:(\d{1,2})h)?(?:([0-5]?\d)m)?$/.exec(text);
  if (text === "" || parts === null) throw new BadDuration("no duration: " + JSON.stringify(text));
  return Number(parts[1] ?? 0) * 60 + Number(parts[2] ?? 0);
}
