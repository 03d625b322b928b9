// Finds code that looks like a pattern in ast-grep's syntax, where `$A` stands for one thing and `$$$` for any number.
import { Lang, parse } from "@ast-grep/napi";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { CupelError } from "../../../domain/error.ts";
import type { CodeFile } from "./syntax.ts";

export function patternFindings(
  { path, text }: Pick<CodeFile, "path" | "text">,
  patterns: readonly string[],
): StaticFinding[] {
  if (patterns.length === 0) return [];
  const lang = /\.[jt]sx$/.test(path) ? Lang.Tsx : Lang.TypeScript;
  const root = parse(lang, text).root();
  return patterns.flatMap((pattern) => {
    checkPattern(lang, pattern);
    return root.findAll(pattern).map((found) => ({
      rule: "forbidden-pattern",
      file: path,
      line: found.range().start.line + 1,
      message: `matches the forbidden pattern ${pattern}`,
      severity: isLoopWithEnd(pattern, found.text()) ? ("warning" as const) : ("error" as const),
    }));
  });
}

/** A pattern for loops without end means those that nothing leaves; of others the tests say whether they end. */
function isLoopWithEnd(pattern: string, code: string): boolean {
  return (
    /^(?:while \((?:true|1)\)|for \(;;\))/.test(pattern) && /\b(?:break|return|throw|yield)\b/.test(code)
  );
}

/** A pattern that is no code matches nothing, so that its rule would hold for everything. */
function checkPattern(lang: Lang, pattern: string): void {
  const root = parse(lang, pattern).root();
  if (pattern.trim() !== "" && root.children().length > 0 && root.find({ rule: { kind: "ERROR" } }) === null)
    return;
  throw new CupelError("invalid_input", `the forbidden pattern ${JSON.stringify(pattern)} is not code`, {
    expected: "whole code with $NAME for one part and $$$ for any number, such as console.log($$$)",
  });
}
