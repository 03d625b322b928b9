// Names of tests as others may see them: one short line each, no two alike.
import { sha256Hex } from "../../domain/canonical.ts";
import type { TestResult } from "../../domain/evidence/test-result.ts";

const LONGEST = 300;

/** In the order of the results. */
export function publicNames(results: readonly Pick<TestResult, "name" | "file">[]): string[] {
  const taken = new Set<string>();
  return results.map(({ name }) => {
    const line = oneLine(name);
    let unique = line;
    for (let count = 2; taken.has(unique); count++) unique = `${cut(line, LONGEST - 8)} (${count})`;
    taken.add(unique);
    return unique;
  });
}

function oneLine(name: string): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line === "") return "a test without a name";
  return line.length <= LONGEST ? line : `${cut(line, LONGEST - 10)} ${sha256Hex(name).slice(0, 8)}`;
}

function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd();
}
