// What a protocol must reach to be called a success, and what each arm of a trial has reached of it.
import type { Estimate } from "./estimates.ts";
import type { OutcomeName } from "./outcomes.ts";
import type { TrialProtocol } from "./trial-protocol.ts";
import type { ArmComparisons, ArmEstimates, TrialSummary } from "./summary.ts";

export const SUCCESS_LINES = [
  "escaped",
  "crashRate",
  "correctness",
  "coverage",
  "staticPass",
  "tokens",
] as const satisfies readonly OutcomeName[];
export type SuccessName = (typeof SUCCESS_LINES)[number];

export interface SuccessLine {
  name: SuccessName;
  target: string;
  /** `share` of what was measured, or `times` what the control has. */
  unit: "share" | "times";
  measured: number | null;
  interval: Estimate["interval"];
  /** Of how many runs or modules. */
  of: number;
  verdict: "reached" | "not reached" | "nothing to tell by";
  /** Whether the whole interval lies on the side of the verdict; null without an interval, or where only all is enough. */
  settled: boolean | null;
  /** Why there is nothing to tell by; otherwise empty. */
  why: string;
}

export interface ArmSuccess {
  arm: string;
  lines: readonly SuccessLine[];
}

interface Target {
  words: string;
  unit: SuccessLine["unit"];
  holds: (measured: number) => boolean;
  /** A target of everything is never settled by a sample. */
  all?: true;
}

/** The published table: shares that an arm must keep by itself, and multiples of what the control has. */
const TARGETS: Readonly<Record<SuccessName, Target>> = {
  escaped: { words: "at most 1/5 of the control's", unit: "times", holds: (times) => times <= 1 / 5 },
  crashRate: { words: "below 5 %", unit: "share", holds: (share) => share < 0.05 },
  correctness: { words: "above 95 %", unit: "share", holds: (share) => share > 0.95 },
  coverage: { words: "above 80 %", unit: "share", holds: (share) => share > 0.8 },
  staticPass: { words: "100 %", unit: "share", holds: (share) => share === 1, all: true },
  tokens: { words: "below 2 times the control's", unit: "times", holds: (times) => times < 2 },
};

export function successTable(protocol: TrialProtocol, summary: TrialSummary): ArmSuccess[] {
  return summary.estimates.map((own) => {
    const comparison = summary.comparisons.find(({ arm }) => arm === own.arm);
    return { arm: own.arm, lines: SUCCESS_LINES.map((name) => lineOf(name, protocol, own, comparison)) };
  });
}

function lineOf(
  name: SuccessName,
  protocol: TrialProtocol,
  own: ArmEstimates,
  comparison: ArmComparisons | undefined,
): SuccessLine {
  const { words, unit, holds, all } = TARGETS[name];
  const estimate = unit === "share" ? own.outcomes[name] : comparison?.outcomes[name].ratio;
  const why =
    unit === "share" ? whyNoShare(name, own) : whyNoTimes(name, own.arm, protocol.control, comparison);
  const shown = { name, target: words, unit };
  if (estimate === undefined || estimate.value === null || why !== "")
    return {
      ...shown,
      measured: null,
      interval: null,
      of: 0,
      verdict: "nothing to tell by",
      settled: null,
      why,
    };
  const { value, interval, of } = estimate;
  const held = (figure: number) => holds(withoutNoise(figure));
  const reached = held(value);
  return {
    ...shown,
    measured: value,
    interval,
    of,
    verdict: reached ? "reached" : "not reached",
    settled:
      interval === null || all === true
        ? null
        : held(interval.low) === reached && held(interval.high) === reached,
    why: "",
  };
}

/** Twenty times 0.8 is not above sixteen, whatever the sum of floating-point numbers says. */
function withoutNoise(figure: number): number {
  return Math.round(figure * 1e9) / 1e9;
}

function whyNoShare(name: SuccessName, { outcomes }: ArmEstimates): string {
  if (outcomes[name].of > 0) return "";
  if (outcomes.yield.of === 0) return "it has no runs";
  return outcomes.yield.value === 0 ? "it shipped nothing" : "it was measured for nothing that shipped";
}

/** An arm that ships nothing lets nothing escape, and tokens that nobody counted are not few. */
function whyNoTimes(
  name: SuccessName,
  arm: string,
  control: string,
  comparison: ArmComparisons | undefined,
): string {
  if (arm === control) return "it is the control";
  if (comparison === undefined || comparison.pairs === 0) return "it has no run that the control has too";
  const { own, control: others } = comparison.outcomes[name];
  if (name === "escaped" && comparison.outcomes.correctness.own === null)
    return "nothing that it shipped was judged";
  if (name === "escaped" && others === 0) return "nothing escaped from the control";
  if (name === "tokens" && (own === 0 || others === 0)) return "tokens were not counted";
  return "";
}
