// The battery as people read it: a line for each play while it runs, and what came of all at the end.
import type { PlayResult } from "../../simulator/battery/port.ts";
import type { BatteryResult } from "../../simulator/battery/result.ts";
import { isPassed } from "../../simulator/battery/result.ts";
import type { colorsFor } from "../output.ts";

export function playLine({ as, name, outcome, by, seconds, finding }: PlayResult, left: number): string {
  const who = by.length === 0 ? "" : ` by ${by.join(", ")}`;
  const isExpected = outcome === "refused" || outcome === "accepted";
  const why = isExpected || finding === "" ? "" : `: ${finding}`;
  return `${`${as}/${name}`.padEnd(44)} ${outcome}${who} · ${seconds.toFixed(1)} s · ${left} left${why}`;
}

export function batteryLines(result: BatteryResult, colors: ReturnType<typeof colorsFor>): string[] {
  const { cheats, refused, twins, accepted, protocol, rigor, seconds, gates } = result;
  const score = `${refused} of ${cheats} cheats refused, ${accepted} of ${twins} twins accepted`;
  const about = `${protocol} at ${rigor}${gates === "off" ? ", gates only advising" : ""}, ${seconds} s; all agents simulated`;
  return [
    `${isPassed(result) ? colors.green("✓") : colors.red("✗")} ${score} (${about})`,
    ...listed("escaped", result.escaped),
    ...listed("refused for another reason than what they are", result.accidents),
    ...listed("honest and refused", result.falseAlarms),
    ...listed("came to nothing", result.notRun),
  ];
}

function listed(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`  ${what}: ${names.join(", ")}`];
}
