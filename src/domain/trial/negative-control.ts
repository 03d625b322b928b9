// An arm whose gates are off must show no effect; what it shows all the same, the trial itself has made.
import { GateName } from "../evidence/gate.ts";
import type { TrialProtocol } from "./trial-protocol.ts";
import type { TrialSummary } from "./summary.ts";

/** In words, for every arm whose gates are off. */
export function effectsWithoutGates(protocol: TrialProtocol, summary: TrialSummary): string[] {
  return protocol.arms
    .filter(({ gates }) => gates === "off")
    .flatMap(({ name }) => [...caughtAnything(name, summary), ...differs(name, protocol.control, summary)]);
}

function caughtAnything(name: string, summary: TrialSummary): string[] {
  const caught = caughtByGates(name, summary);
  return caught === 0 ? [] : [`${name} has its gates off, and they caught ${caught} defects`];
}

/** Only where the control's own gates have caught something is it to be expected that more escapes without any. */
function differs(name: string, control: string, summary: TrialSummary): string[] {
  const escapes = summary.comparisons.find(({ arm }) => arm === name)?.outcomes.escaped.difference;
  if (escapes === undefined || escapes.value === null || escapes.value === 0) return [];
  const { value, interval } = escapes;
  if (interval !== null && interval.low <= 0 && interval.high >= 0) return [];
  if (value > 0 && caughtByGates(control, summary) > 0) return [];
  return [
    `${name} has its gates off, and yet its runs let ${percent(Math.abs(value))} ${value < 0 ? "fewer" : "more"} defects escape than those of the control`,
  ];
}

function caughtByGates(name: string, { waterfalls }: TrialSummary): number {
  const steps = waterfalls.find(({ arm }) => arm === name)?.steps ?? [];
  return steps
    .filter(({ by }) => GateName.safeParse(by).success)
    .reduce((sum, { caught }) => sum + caught, 0);
}

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
