// A script: lines of JSON, one for each role call, found by key; what does not fit is said with what would.
import { type CallKey, keyText } from "../../domain/agent/call-key.ts";
import { ScriptLine } from "../../domain/agent/script-line.ts";
import { canonicalJson, sha256Hex } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { editDistance } from "../../domain/nearest.ts";
import { parse, renderProblems } from "../../domain/parse.ts";
import type { RuntimeRequest } from "../port.ts";

/** `name` is how errors call it: the file it came from. */
export function parseScript(text: string, name: string): ScriptLine[] {
  const lines = text.split("\n").flatMap((line, index): ScriptLine[] => {
    if (line.trim() === "") return [];
    const parsed = parse(ScriptLine, jsonOf(line, `${name}:${index + 1}`));
    if (parsed.kind === "ok") return [parsed.value];
    const problems = renderProblems(parsed.problems);
    throw new CupelError("invalid_input", `${name}:${index + 1} is no line of a script:\n${problems}`);
  });
  const keys = lines.map(({ key }) => keyText(key));
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) {
    throw new CupelError("invalid_input", `${name} has two lines for: ${twice}`, {
      expected: "one line for each call",
      hint: "give one of them another attempt or turn",
    });
  }
  return lines;
}

/** Over all that the agent is told; the same words for the same call give the same hash on every machine. */
export function inputHashOf({ system, prompt, outputSchema }: RuntimeRequest): string {
  // Plain JSON for the texts: whatever a person or an agent wrote has a form in it.
  return sha256Hex(JSON.stringify([system, prompt, canonicalJson(outputSchema)]));
}

export function missingLine(key: CallKey, lines: readonly ScriptLine[]): string {
  const wanted = keyText(key);
  const near = lines
    .map((line) => keyText(line.key))
    .toSorted((a, b) => editDistance(wanted, a) - editDistance(wanted, b))
    .slice(0, 3);
  const has = near.length === 0 ? "it has no lines at all" : `the nearest it has: ${near.join("; ")}`;
  return `the script has no line for: ${wanted}; ${has}`;
}

function jsonOf(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new CupelError("invalid_input", `${place} is no JSON: ${String(cause)}`, {
      expected: "one JSON object on each line",
      cause,
    });
  }
}
