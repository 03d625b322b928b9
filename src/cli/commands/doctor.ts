// `cupel doctor`: what works on this machine, what is missing, and what each absence costs.
import type { Check, Diagnosis } from "../../domain/diagnosis.ts";
import { examine } from "../../factory/machine.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, printJson, printText } from "../output.ts";

export interface DoctorCommand {
  json: boolean;
  directory: string;
  /** Whether one cheap call is made to the model that would be asked here. */
  tryKey: boolean;
  /** In place of that model. */
  model?: string;
}

export async function doctor(options: DoctorCommand): Promise<number> {
  const { directory } = options;
  const interrupted = untilInterrupted();
  const more = options.tryKey ? [await modelCheck(options, interrupted)] : [];
  const diagnosis = await examine({ directory, env: process.env, more });
  if (options.json) printJson(diagnosis);
  else printText(render(diagnosis, colorsFor(process.stdout)));
  if (interrupted.aborted) return EXIT.interrupted;
  return diagnosis.ready ? EXIT.ok : EXIT.badConfiguration;
}

async function modelCheck({ directory, model }: DoctorCommand, signal: AbortSignal): Promise<Check> {
  // Whoever does not ask for it need not wait for it.
  const { checkModel } = await import("./doctor-model.ts");
  const trying = { directory, env: process.env, signal };
  return checkModel({ ...trying, ...(model === undefined ? {} : { model }) }, (line) => {
    process.stderr.write(`${line}\n`);
  });
}

type Colors = ReturnType<typeof colorsFor>;

export function render(diagnosis: Diagnosis, colors: Colors): string {
  const { version, ready, barrier, open, checks } = diagnosis;
  const width = Math.max(...checks.map((check) => check.name.length));
  return [
    `Cupel ${version} on this machine`,
    "",
    ...checks.map((check) => renderCheck(check, width, colors)),
    "",
    `Barrier between agents: ${barrier === "sandbox" ? BARRIERS.sandbox : BARRIERS.repository}`,
    ...renderOpen(open, colors),
    ready
      ? colors.green("Ready.")
      : colors.red("Not ready: mend what is marked ✕ and run cupel doctor again."),
  ].join("\n");
}

const BARRIERS = {
  sandbox: "sandbox (each sees its own workspace and nothing else)",
  repository: "repository (separate repositories, but nothing keeps a process from looking around)",
};

/** Many attacks go through one door; a person wants to know the doors. */
function renderOpen(open: Diagnosis["open"], colors: Colors): string[] {
  if (open.length === 0) return [];
  const doors = new Set(open.map(({ door }) => door));
  return ["Without a sandbox this stays open:", ...[...doors].map((door) => colors.dim(`  · ${door}`))];
}

function renderCheck(check: Check, width: number, colors: Colors): string {
  const indent = " ".repeat(width + 6);
  const [first = "", ...more] = check.found.split("\n");
  const lines = [
    `  ${mark(check, colors)} ${check.name.padEnd(width)}  ${first}`,
    ...more.map((line) => indent + line),
  ];
  if (check.status !== "ok" && check.cost !== undefined)
    lines.push(indent + colors.dim(`without it: ${check.cost}`));
  if (check.status !== "ok" && check.fix !== undefined)
    lines.push(indent + colors.dim(`to get it:  ${check.fix}`));
  return lines.join("\n");
}

function mark(check: Check, colors: Colors): string {
  if (check.status === "ok") return colors.green("✓");
  return check.required ? colors.red("✕") : colors.yellow("–");
}
