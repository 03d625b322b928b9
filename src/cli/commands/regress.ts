// `cupel regress`: whether the newest version of a module, or work in a folder, still passes what versions before it were shipped with.
import { type RegressReport, regressModule } from "../../factory/regress.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";

interface RegressCommand {
  directory: string;
  module: string;
  json: boolean;
  against?: string;
}

export async function regress({ json, ...command }: RegressCommand): Promise<number> {
  const signal = untilInterrupted();
  const report = await regressModule({ ...command, signal });
  if (signal.aborted) return EXIT.interrupted;
  const { warning, ...document } = report;
  if (warning !== undefined) process.stderr.write(`${colorsFor(process.stderr).yellow("!")} ${warning}\n`);
  const passed = report.reported.verdict.verdict === "PASS";
  if (json) printJson({ ...document, against: command.against ?? null, passed });
  else printText(renderRegress(report, command.against));
  return passed ? EXIT.ok : EXIT.gatesFailed;
}

const MOST_SHOWN = 12;

function renderRegress({ module, versions, reported }: RegressReport, against: string | undefined): string {
  const colors = colorsFor(process.stdout);
  const { verdict } = reported;
  const lines = versions.flatMap(({ of, tests, passed, findings }) => {
    const rest = findings.length - MOST_SHOWN;
    return [
      oneLine(
        `  ${findings.length === 0 ? colors.green("✓") : colors.red("✕")} ${of}  ${passed} of ${tests} tests pass`,
      ),
      ...findings.slice(0, MOST_SHOWN).map(({ message }) => oneLine(`      ${message}`)),
      ...(rest > 0 ? [`      and ${rest} more`] : []),
    ];
  });
  return [
    oneLine(against === undefined ? module : `${against}, beside ${module}`),
    ...lines,
    verdict.verdict === "PASS"
      ? `${colors.green("Passed")}: and refused ${oneLine(verdict.liveness.planted)}.`
      : `${colors.red("Refused")}: ${oneLine(verdict.verdict === "ERROR" ? verdict.message : reported.summary)}`,
    ...(verdict.verdict === "FAIL" ? [BREAK] : []),
  ].join("\n");
}

const BREAK =
  "Mend the code; or, if callers are meant to feel it, the contract has to change: the task raises an interface change exception, you decide with `cupel ice`, and the next major version answers to none of these tests.";
