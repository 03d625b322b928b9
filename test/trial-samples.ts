// A trial with rows in every state, made by chance that repeats; single rows and protocols to spoil.
import { chance } from "../src/domain/chance.ts";
import { type TrialArm, type TrialProtocol, USUAL_WORKERS } from "../src/domain/trial/trial-protocol.ts";
import type { TrialRow } from "../src/domain/trial/trial-row.ts";

export const SOLO: TrialArm = { name: "solo", protocol: "solo", rigor: "lite", gates: "on" };
export const DEBATE: TrialArm = { name: "debate", protocol: "debate", rigor: "standard", gates: "on" };

export function protocolSample(changes: Partial<TrialProtocol> = {}): TrialProtocol {
  return {
    name: "Which protocol helps",
    corpus: "builtin",
    tasks: ["alpha", "beta", "gamma"],
    seeds: [1, 2],
    arms: [SOLO, DEBATE],
    control: "solo",
    workers: { kind: "simulated", parameters: USUAL_WORKERS },
    primary: "escaped",
    stop: {},
    ...changes,
  };
}

/** Shipped and right, after a right first draw. */
export function rowSample(changes: Partial<TrialRow> = {}): TrialRow {
  const ended = changes.ended ?? "shipped";
  const right = changes.right === undefined ? true : changes.right;
  return {
    task: "alpha",
    seed: 1,
    arm: "solo",
    ended,
    right,
    crashes: ended === "shipped" ? false : null,
    oracle: right === null ? null : { passed: right ? 9 : 7, failed: right ? 0 : 2 },
    coverage: ended === "shipped" ? 0.9 : null,
    staticPass: ended === "shipped" ? true : null,
    defective: false,
    caughtBy: null,
    attempts: 1,
    calls: 2,
    tokens: 1000,
    costUsd: 0.01,
    why: ended === "shipped" ? "" : "it gave up",
    seconds: 1.5,
    ...changes,
  };
}

/** One row for every run that is registered; `change` sees what stands there. */
export function everyRow(
  protocol: TrialProtocol,
  change: (row: TrialRow) => Partial<TrialRow> = () => ({}),
): TrialRow[] {
  return protocol.tasks.flatMap((task) =>
    protocol.seeds.flatMap((seed) =>
      protocol.arms.map(({ name: arm }) => {
        const place = { task, seed, arm };
        return rowSample({ ...place, ...change(rowSample(place)) });
      }),
    ),
  );
}

/** A defect that was shipped. */
export const ESCAPE = { defective: true, right: false } as const;

export const SIX_ARMS: TrialArm[] = [
  SOLO,
  { name: "solo-without-gates", protocol: "solo", rigor: "lite", gates: "off" },
  { name: "gatekeeper", protocol: "gatekeeper", rigor: "standard", gates: "on" },
  DEBATE,
  { name: "blind", protocol: "blind", rigor: "strict", gates: "on" },
  { name: "fractal", protocol: "fractal", rigor: "standard", gates: "on" },
];

const CATCHES: Readonly<Record<string, number>> = {
  gatekeeper: 0.8,
  debate: 0.85,
  blind: 0.97,
  fractal: 0.7,
};
const COSTS: Readonly<Record<string, number>> = { gatekeeper: 1.7, debate: 2.3, blind: 3.1, fractal: 2.25 };

/** Thirty tasks, five seeds, six arms. `mark` stands in every text that a corpus or an agent writes. */
export function trialSample(mark = "", defect = 0.4): { protocol: TrialProtocol; rows: TrialRow[] } {
  const tasks = Array.from({ length: 30 }, (_, index) => `task-${index + 1}${mark}`);
  const protocol = protocolSample({
    name: `Which protocol helps${mark}`,
    corpus: `builtin${mark}`,
    tasks,
    seeds: [1, 2, 3, 4, 5],
    arms: SIX_ARMS,
  });
  const rows = everyRow(protocol, ({ task, seed, arm }) => {
    const drawn = chance(seed, `${tasks.indexOf(task)} drawn`);
    const random = chance(seed, `${tasks.indexOf(task)} ${arm}`);
    const defective = drawn() < defect;
    const tokens = Math.round((800 + 900 * drawn()) * (COSTS[arm] ?? 1));
    const shared = {
      defective,
      tokens,
      calls: Math.round(2 * (COSTS[arm] ?? 1)),
      coverage: 0.75 + 0.25 * random(),
    };
    if (random() < 0.004)
      return { ...shared, ended: "crashed", right: null, coverage: null, why: `no space left${mark}` };
    const sure = CATCHES[arm] ?? (arm === "solo" ? 0.15 : 0);
    const caught = defective && random() < sure;
    const caughtBy = caught
      ? ((["green", "mutation", "reviewer"] as const)[Math.floor(random() * 3)] ?? null)
      : null;
    const good = !defective || (caught && random() < 0.9);
    if (caught && !good)
      return { ...shared, caughtBy, ended: "halted", right: false, coverage: null, why: `tests fail${mark}` };
    if (good && !defective && random() < 0.03)
      return { ...shared, ended: "halted", right: true, coverage: null, why: `the reviewer insists${mark}` };
    return { ...shared, caughtBy, right: good, crashes: !good && random() < 0.3 };
  });
  return { protocol, rows };
}
