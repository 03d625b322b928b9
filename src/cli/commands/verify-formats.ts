// The result of `cupel verify` in the formats that other tools read.
import { isAbsolute, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { ModuleReport } from "../../evidence/module-report.ts";
import type { Reported } from "../../evidence/verify.ts";
import { type JunitCase, junitText, sarifText } from "../report-formats.ts";

/** One suite per module, one case per gate. */
export function renderJunit(reports: readonly ModuleReport[]): string {
  return junitText(
    reports.map(({ folder, gates, durationMs }) => ({ name: folder, durationMs, cases: gates.map(caseOf) })),
  );
}

function caseOf({ verdict, summary, blocks }: Reported): JunitCase {
  const { gate, durationMs, findings } = verdict;
  const lines = findings.map(({ file, line, message }) => [file, line, message].filter(Boolean).join(":"));
  if (isSkipped(verdict.verdict)) return { name: gate, durationMs, skipped: summary };
  return { name: gate, durationMs, ...(blocks ? { failure: { message: summary, lines } } : {}) };
}

function isSkipped(verdict: string): boolean {
  return verdict === "NOT_RUN" || verdict === "NOT_APPLICABLE";
}

/** `from` is where relative paths begin. */
export function renderSarif(reports: readonly ModuleReport[], from: string): string {
  return sarifText(
    reports.flatMap(({ folder, gates }) =>
      gates.flatMap((reported) =>
        findingsOf(reported).map(({ rule, message, file, line = 1 }) => ({
          ruleId: `${reported.verdict.gate}/${rule}`,
          level: reported.blocks ? ("error" as const) : ("warning" as const),
          message,
          ...(file === undefined
            ? {}
            : { location: { uri: uriOf(resolve(from, folder, file), from), line } }),
        })),
      ),
    ),
  );
}

/** A gate that blocks without having found anything must not look like one that passed. */
function findingsOf({ verdict, summary, blocks }: Reported): readonly Finding[] {
  if (!blocks || verdict.findings.length > 0) return verdict.findings;
  const message = verdict.verdict === "ERROR" ? verdict.message : summary;
  return [{ rule: verdict.verdict.toLowerCase(), message }];
}

function uriOf(path: string, from: string): string {
  const within = relative(from, path);
  const isBelow = !isAbsolute(within) && within.split(sep)[0] !== "..";
  return isBelow ? within.split(sep).map(encoded).join("/") : pathToFileURL(path).href;
}

/** A lone half of a character, which a name on disk can hold, has no spelling in an address. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}
