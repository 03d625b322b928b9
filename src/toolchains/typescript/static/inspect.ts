// Reads a module without running it: what it imports, what it hides, how complex it is, and whether its tests are tests.
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import type { Place, Site, StaticReport, StaticRules } from "../../port.ts";
import { ambientFindings } from "./ambient.ts";
import { suppressionFindings } from "./comments.ts";
import { complexityOf } from "./complexity.ts";
import { disguiseFindings, spelledOut } from "./disguise.ts";
import { dynamicCodeFindings } from "./dynamic-code.ts";
import { importFindings, unjudgedImports } from "./imports.ts";
import { injectionFindings } from "./injection.ts";
import { patternFindings } from "./patterns.ts";
import { selfKnowledge } from "./self-knowledge.ts";
import { sourceReading } from "./source-reading.ts";
import { parseCode } from "./syntax.ts";
import { testAwareness } from "./test-awareness.ts";
import { testFindings } from "./test-rules.ts";
import { uncheckedTypes } from "./unchecked-types.ts";
import { writtenTests } from "./written-tests.ts";

/** `unseen` is where the compiler, which knows more about types than their words, knows nothing of a value. */
export function inspect(
  site: Pick<Site, "layout" | "files">,
  rules: StaticRules,
  unseen: () => readonly Place[] = () => [],
): Promise<StaticReport> {
  const { sources, tests, configuration } = site.layout;
  const texts = site.files();
  const code = parseCode(texts, sources);
  // Files beside the tests hold what they share, so that assertions can be found there.
  const testCode = parseCode(texts, tests);
  const beside = parseCode(texts, configuration.filter(isCode));
  const hasContract = rules.allowedPackages !== undefined;
  const findings = [
    ...[...code.problems, ...testCode.problems].map(unparsed),
    ...code.files.flatMap((file) => [
      ...importFindings(file, code, rules),
      ...unjudgedImports(file, code, [...tests, ...configuration]),
      ...dynamicCodeFindings(file, code),
      ...injectionFindings(file, code),
      ...suppressionFindings(file),
      ...disguiseFindings(file),
      ...spelledOut(file),
      ...testAwareness(file),
      ...selfKnowledge(file, code, hasContract),
      ...uncheckedTypes(file, code, hasContract),
      ...patternFindings(file, rules.forbiddenPatterns),
    ]),
    ...[...testCode.files, ...beside.files].flatMap((file) => ambientFindings(file, beside, hasContract)),
    ...testFindings(testCode, beside),
    ...[...testCode.files, ...beside.files].flatMap(disguiseFindings),
    ...testCode.files.flatMap((file) => sourceReading(file, testCode, sources)),
    ...beside.files.flatMap((file) => sourceReading(file, beside, sources)),
  ];
  if (code.files.length === 0) findings.push(nothing(site.layout.entry));
  else findings.push(...unseenTypes(unseen(), findings, hasContract));
  const unreadable = new Set([...code.problems, ...testCode.problems].map((problem) => problem.file));
  return Promise.resolve({
    files: [...code.files, ...testCode.files].filter((file) => !unreadable.has(file.path)).length,
    findings: findings.toSorted(byPlace),
    complexity: code.files.flatMap(complexityOf),
    written: writtenTests(testCode),
  });
}

/** One finding for a line is enough. */
function unseenTypes(
  places: readonly Place[],
  findings: readonly StaticFinding[],
  hasContract: boolean,
): StaticFinding[] {
  const rule = "unchecked-types";
  const told = new Set(findings.flatMap((each) => (each.rule === rule ? [`${each.file}:${each.line}`] : [])));
  return places.flatMap(({ file, line, message }) => {
    if (told.has(`${file}:${line}`)) return [];
    told.add(`${file}:${line}`);
    return [{ rule, file, line, message, severity: hasContract ? "error" : "warning" }];
  });
}

function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

function unparsed({ file, line, message }: Place): StaticFinding {
  return { rule: "unparsed", file, line, message: `cannot be read as code: ${message}`, severity: "error" };
}

function nothing(entry: string): StaticFinding {
  const message = "there is no source that could be looked at";
  return { rule: "unparsed", file: entry, line: 1, message, severity: "error" };
}

function byPlace(one: StaticFinding, other: StaticFinding): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line;
}
