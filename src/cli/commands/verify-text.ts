// The result of `cupel verify` for people: a line for each gate, then what to mend first.
import type { ProofBundle } from "../../domain/evidence/proof-bundle.ts";
import type { ModuleReport } from "../../evidence/module-report.ts";
import type { Replay } from "../../evidence/replay.ts";
import type { Reported } from "../../evidence/verify.ts";
import type { colorsFor } from "../output.ts";
import { count, oneLine } from "../output.ts";

type Colors = ReturnType<typeof colorsFor>;

export function renderGate({ verdict, summary, blocks }: Reported, colors: Colors): string {
  const seconds = `${(verdict.durationMs / 1000).toFixed(1)} s`;
  const name = verdict.gate.padEnd(18);
  const line = `${name} ${oneLine(summary)}`;
  switch (verdict.verdict) {
    case "PASS": {
      const shown = colors.dim(`  refused ${oneLine(verdict.liveness.planted)}`);
      return `  ${colors.green("✓")} ${line}${shown}  ${colors.dim(seconds)}`;
    }
    case "FAIL":
      return `  ${blocks ? colors.red("✕") : colors.yellow("!")} ${line}${blocks ? "" : " (does not block)"}  ${colors.dim(seconds)}`;
    case "ERROR":
      return `  ${colors.red("✕")} ${name} could not decide: ${oneLine(verdict.message)}`;
    case "NOT_RUN":
      return colors.dim(`  – ${name} not run: ${oneLine(verdict.missing.map(inWords).join(", "))}`);
    case "NOT_APPLICABLE":
      return colors.dim(`  – ${name} not applicable: ${oneLine(verdict.derivedFrom)}`);
  }
}

/** What is missing, with how to hand it over. */
function inWords(missing: string): string {
  return NEEDS[missing] ?? missing;
}

const NEEDS: Readonly<Record<string, string>> = {
  contract: "needs a contract (--contract)",
  claims: "needs claims (--claims)",
  base: "needs the tests as they were (--base)",
  examples: "needs examples.md in the folder of the module",
  earlier: "needs versions that shipped before",
  run: "needs a run of the factory",
};

export function renderEnd({ passed, first, gates, durationMs }: ModuleReport, colors: Colors): string {
  const decided = gates.filter(({ verdict }) => verdict.verdict === "PASS").length;
  const took = `${(durationMs / 1000).toFixed(1)} s`;
  if (passed) return `${colors.green("Passed")}: ${decided} of ${gates.length} gates, ${took}.`;
  const line = first?.line === undefined ? "" : `:${first.line}`;
  const place = first?.file === undefined ? "" : `${oneLine(first.file)}${line}  `;
  const what = first === undefined ? "no gate passed" : `${place}${oneLine(first.message)} (${first.gate})`;
  return `${colors.red("Fix first")}: ${what}`;
}

export function renderReplay(
  { reported, differences, otherVersions, passed }: Replay,
  { rigor, verdicts, madeAt }: ProofBundle,
  colors: Colors,
): string {
  const decided = verdicts.filter(({ verdict }) => verdict !== "NOT_RUN").length;
  const but = rigor.overridden.length === 0 ? "" : ` but for ${rigor.overridden.join(", ")}`;
  const ending =
    differences.length > 0
      ? colors.red("Not reached again.")
      : passed
        ? colors.green("Reached again.")
        : `Reached again, and ${colors.red("it does not pass")}.`;
  return [
    ...reported.map((one) => renderGate(one, colors)),
    ...otherVersions.map((line) => colors.yellow(`  ! other version: ${oneLine(line)}`)),
    ...differences.map(
      ({ gate, recorded, now }) => `  ${colors.red("✕")} ${gate}: recorded ${recorded}, now ${now}`,
    ),
    oneLine(`Recorded ${madeAt}: ${count(decided, "verdict")}, rigor ${rigor.base}${but}.`),
    ending,
  ].join("\n");
}
