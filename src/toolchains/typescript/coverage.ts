// The coverage of a module: every source counts, also one that the runner could not count.
import { type CodeCoverage, codeCoverage, type FileCoverage } from "../../domain/evidence/coverage.ts";
import type { Files, ModuleLayout } from "../port.ts";
import type { WireCoverage } from "./wire-report.ts";

export function coverageOf(
  layout: ModuleLayout,
  files: Files,
  counted: readonly WireCoverage[],
): CodeCoverage {
  const byFile = new Map(counted.map((entry) => [entry.file, entry]));
  return codeCoverage(layout.sources.map((file) => byFile.get(file) ?? uncounted(file, files[file] ?? "")));
}

/** A file that vanished from the count, for example because it cannot be parsed, must not raise the share. */
function uncounted(file: string, text: string): FileCoverage {
  const lines = text.split("\n").filter((line) => line.trim() !== "").length;
  return {
    file,
    lines: { covered: 0, total: lines },
    branches: { covered: 0, total: 0 },
    uncoveredFunctions: lines === 0 ? [] : ["the whole file"],
  };
}
