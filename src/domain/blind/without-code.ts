// What somebody who read the code says to those who must not: words about it, and no line of it.

type Files = Readonly<Record<string, string>>;

/** Every line of the code that is quoted, but for those that everybody was given, is told as what it is. */
export function withoutCode(text: string, code: Files, given: Files): string {
  const known = new Set(linesOf(given).map(dense));
  const secret = linesOf(code).filter((line) => isTelling(line) && !known.has(dense(line)));
  const longestFirst = [...new Set(secret)].toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((told, line) => told.replaceAll(quoting(line), QUOTED), text);
}

const QUOTED = "(a line of the code)";

function linesOf(files: Files): string[] {
  return Object.values(files).flatMap((text) => text.split("\n").map((line) => line.trim()));
}

/** Shorter, or without a sign of its own, it could stand in any sentence. */
function isTelling(line: string): boolean {
  return dense(line).length >= SHORTEST && /[(){}[\]=<>;]/.test(line);
}

const SHORTEST = 12;

function dense(line: string): string {
  return line.replaceAll(/\s+/g, "");
}

/** However it is spaced, and whether it ends in a semicolon. */
function quoting(line: string): RegExp {
  const signs = Array.from(dense(line).replace(/;$/, ""), (sign) =>
    sign.replace(/[$()*+.?[\\\]^{|}/-]/, String.raw`\$&`),
  );
  return new RegExp(`${signs.join(String.raw`\s*`)};?`, "g");
}
