// Compares what an example gave with what it says it gives; in the harness, where no foreign code runs.
import { isDeepStrictEqual } from "node:util";
import type { ExampleOutput } from "../../../domain/evidence/example-output.ts";
import type { ExampleOutcome } from "../../../domain/evidence/example-run.ts";
import type { SeenExample } from "./seen-example.ts";

export function judged(output: ExampleOutput, seen: SeenExample): ExampleOutcome {
  if (output.form === "error") return judgedError(output, seen);
  if (seen.ending === "threw") return { kind: "threw", error: shownError(seen) };
  const [lines, line] = seen.shown;
  switch (output.form) {
    case "json": {
      if (seen.json === undefined)
        return differs(
          output.text,
          `${line} (${seen.notJson ?? "no JSON"}, which JSON has no word for: use \`\`\`text)`,
        );
      const actual = parsed(seen.json);
      return isDeepStrictEqual(normal(output.value), actual) ? EQUAL : differs(output.text, seen.json);
    }
    case "text": {
      const wanted = trimmed(output.text);
      return wanted === trimmed(lines) || wanted === trimmed(line) ? EQUAL : differs(output.text, lines);
    }
    case "console":
      return trimmed(output.text) === trimmed(seen.printed)
        ? EQUAL
        : differs(output.text, seen.printed === "" ? "nothing printed by the module" : seen.printed);
  }
}

const EQUAL: ExampleOutcome = { kind: "equal" };

function judgedError(output: ExampleOutput & { form: "error" }, seen: SeenExample): ExampleOutcome {
  if (seen.ending === "returned") return differs(output.text, `${seen.shown[1]}, and no error`);
  const { names = [], message = "", fromModule = false } = seen.error ?? {};
  const isSame = names.includes(output.name) && trimmed(message) === trimmed(output.message);
  if (!isSame) return differs(output.text, shownError(seen));
  return fromModule ? EQUAL : differs(output.text, `${shownError(seen)}, which no call of the module threw`);
}

function shownError({ error, shown }: SeenExample): string {
  const [name] = error?.names ?? [];
  return error === undefined || name === undefined ? shown[1] : `${name}: ${error.message}`;
}

function differs(expected: string, actual: string): ExampleOutcome {
  return { kind: "differs", expected: short(expected), actual: short(actual) };
}

const MOST_SHOWN = 500;

function short(text: string): string {
  const clean = text.trim();
  return clean.length > MOST_SHOWN ? `${clean.slice(0, MOST_SHOWN)}…` : clean;
}

/** So that there is one zero. */
function normal(value: unknown): unknown {
  return parsed(JSON.stringify(value));
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch {
    // Too long to be told as a whole.
    return undefined;
  }
}

function trimmed(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}
