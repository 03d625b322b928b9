// Writes and reads durations such as "1h 30m".

const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "m", ms: 60_000 },
  { name: "s", ms: 1_000 },
  { name: "ms", ms: 1 },
] as const;

/** The largest units first, at most `parts` of them; the rest is dropped. */
export function formatDuration(ms: number, parts = 2): string {
  checkFormat(ms, parts);
  const sign = ms < 0 ? "-" : "";
  let left = Math.floor(Math.abs(ms));
  const words: string[] = [];
  for (const { name, ms: size } of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 && words.length < parts) words.push(`${count}${name}`);
    else if (words.length > 0) break;
  }
  return words.length === 0 ? "0ms" : sign + words.join(" ");
}

function checkFormat(ms: number, parts: number): void {
  if (!Number.isFinite(ms)) throw new RangeError("not a finite duration");
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError("at least one part is needed");
}

/** Milliseconds; units in any order, each at most once. */
export function parseDuration(text: string): number {
  const trimmed = text.trim();
  const negative = trimmed.startsWith("-");
  const body = negative ? trimmed.slice(1) : trimmed;
  const seen = new Set<string>();
  let total = 0;
  for (const word of body.split(/\s+/)) {
    const match = /^(\d+(?:\.\d+)?)(ms|[dhms])$/.exec(word);
    const unit = UNITS.find(({ name }) => name === match?.[2]);
    if (unit === undefined) throw new SyntaxError(`"${word}" is no duration`);
    if (seen.has(unit.name)) throw new SyntaxError(`${unit.name} stands twice`);
    seen.add(unit.name);
    total += Number.parseFloat(word) * unit.ms;
  }
  return negative && total !== 0 ? -total : total;
}

/** "in 5 minutes", "2 hours ago", "now". */
export function relative(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1_000) return "now";
  const [count, word] =
    size < 60_000
      ? [size / 1_000, "second"]
      : size < 3_600_000
        ? [size / 60_000, "minute"]
        : size < 86_400_000
          ? [size / 3_600_000, "hour"]
          : [size / 86_400_000, "day"];
  const whole = Math.floor(count);
  const amount = `${whole} ${word}${whole === 1 ? "" : "s"}`;
  return ms > 0 ? `in ${amount}` : `${amount} ago`;
}
