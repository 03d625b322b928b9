// What a command prints: data on stdout, everything else on stderr, colours only where a person sees them.
import { createColors } from "picocolors";
import { CupelError } from "../domain/error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function colorsFor(
  stream: { isTTY?: boolean },
  env: Environment = process.env,
): ReturnType<typeof createColors> {
  const wanted = isSet(env["FORCE_COLOR"]) || (stream.isTTY === true && env["TERM"] !== "dumb");
  return createColors(wanted && !isSet(env["NO_COLOR"]));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0";
}

/** The one document that `--json` promises. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

export function printText(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** One line that cannot steer the terminal or pretend to be two: what agents and specs wrote is not trusted. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    JSON.stringify(character)
      .slice(1, -1)
      .replace(/^[^\\]$/u, escaped),
  );
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** What happened, what would have been right, what to do next. */
export function printError(error: unknown, json: boolean): void {
  if (json) printJson({ error: describe(error) });
  const { message, expected, hint } = describe(error);
  const colors = colorsFor(process.stderr);
  const lines = [`${colors.red("cupel:")} ${message}`];
  if (expected !== undefined) lines.push(`  expected: ${expected}`);
  if (hint !== undefined) lines.push(`  next: ${hint}`);
  process.stderr.write(`${lines.join("\n")}\n`);
}

interface ErrorDocument {
  code: string;
  message: string;
  expected?: string;
  hint?: string;
}

function describe(error: unknown): ErrorDocument {
  if (error instanceof CupelError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.expected === undefined ? {} : { expected: error.expected }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "internal", message, hint: "this is a bug in Cupel; please report it with the lines above" };
}
