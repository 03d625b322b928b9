// `cupel trial audit`: what the gates say of code that is already there, as the baseline that a trial is compared with.
import { audit, type Audit, type AuditedModule } from "../../factory/audit.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, count, oneLine, printJson, printText } from "../output.ts";

export interface TrialAuditCommand {
  directory: string;
  folder: string;
  rigor: string;
  json: boolean;
  only?: string[];
}

export async function trialAudit({ json, ...request }: TrialAuditCommand): Promise<number> {
  const signal = untilInterrupted();
  const colors = colorsFor(process.stdout);
  const onModule = (module: AuditedModule) => {
    if (!json) printText(moduleLine(module, colors));
  };
  const found = await audit({ ...request, onModule, signal });
  if (signal.aborted) return EXIT.interrupted;
  const { warning, ...document } = found;
  if (warning !== undefined) process.stderr.write(`${colorsFor(process.stderr).yellow("!")} ${warning}\n`);
  if (json) printJson({ folder: request.folder, ...document });
  else printText(auditLines(found, colors).join("\n"));
  return found.passed === found.modules.length ? EXIT.ok : EXIT.gatesFailed;
}

type Colors = ReturnType<typeof colorsFor>;

function moduleLine({ folder, passed, first, advising }: AuditedModule, colors: Colors): string {
  const advice = advising.length === 0 ? "" : `  refused by ${advising.join(", ")}, which only advises here`;
  if (passed) return `${colors.green("✓")} ${oneLine(`${folder}${advice}`)}`;
  const gate = first === null ? "no gate passed" : (first.gate ?? "no module");
  return `${colors.red("✕")} ${oneLine(`${folder}  ${gate}${first === null ? "" : `: ${first.message}`}`)}`;
}

function auditLines({ modules, gates, untested, passed, rigor }: Audit, { bold }: Colors): string[] {
  return [
    "",
    bold(row("gate", "passed", "failed", "not looked at", "not applicable")),
    ...gates.map((each) => row(each.gate, each.passed, each.failed, each.notLookedAt, each.notApplicable)),
    "",
    ...(untested.length === 0 ? [] : [`Code without tests: ${oneLine(untested.join(", "))}`]),
    `${passed} of ${count(modules.length, "module")} passed at ${rigor}.`,
  ];
}

function row(name: string, ...cells: readonly (string | number)[]): string {
  return `${name.padEnd(18)}${cells.map((cell) => String(cell).padStart(15)).join("")}`;
}
