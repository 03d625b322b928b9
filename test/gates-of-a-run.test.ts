// The gates that need more than a folder refuse what they are for and accept what is good, on real runs.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MicroModuleContract } from "../src/domain/contract/contract.ts";
import type { BlindnessCertificate } from "../src/domain/evidence/blindness-certificate.ts";
import { exponentOf } from "../src/evidence/gates/growth-bound.ts";
import { makeCanary } from "../src/workshop/blindness/canary.ts";
import { certify, type ToCertify } from "../src/workshop/blindness/certify.ts";
import { scan, type ScanTarget } from "../src/workshop/blindness/scan.ts";
import { CLAMP, CLAMP_CONTRACT } from "./module-samples.ts";
import { decided } from "./run-gate-samples.ts";
import type { TriedInRun } from "./run-gate-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const TIMEOUT = { timeout: 120_000 };
const long = process.env["CUPEL_LONG"] === "1";

type Limits = Partial<Pick<MicroModuleContract, "runtime_budgets" | "complexity_constraints">>;

function measured(code: string, limits: Limits, type = "number[]"): TriedInRun {
  const contract = MicroModuleContract.parse({
    ...CLAMP_CONTRACT,
    inputs: [{ name: "values", type, constraints: [] }],
    outputs: [{ name: "result", type: "number", invariants: [] }],
    error_surfaces: [],
    predicates: [],
    entry_points: [
      {
        name: "total",
        signature: `(values: ${type}) => number`,
        inputs: ["values"],
        outputs: ["result"],
        errors: [],
        effects: [],
      },
    ],
    ...limits,
  });
  return { files: { "src/index.ts": code, "test/none.test.ts": "" }, contract };
}

function time(bound: string): Limits {
  return { complexity_constraints: { time: bound } };
}

describe("budget", () => {
  const sum =
    "export function total(values: number[]): number {\n  let sum = 0;\n  for (const value of values) sum += value;\n  return sum;\n}\n";
  const pairs =
    "export function total(values: number[]): number {\n  let sum = 0;\n  for (const one of values) for (const other of values) sum ^= one * other;\n  return sum;\n}\n";

  const DEFECTS: [string, TriedInRun, RegExp][] = [
    [
      "pairs where one pass is promised",
      measured(pairs, time("O(n)")),
      /grows like n\^[12]\.\d, at most O\(n\)/,
    ],
    ["a pass where none is promised", measured(sum, time("O(1)")), /grows like n\^[01]\.\d, at most O\(1\)/],
    [
      "calls that take too long",
      measured(
        "export function total(): number {\n  const end = performance.now() + 4;\n  while (performance.now() < end) {}\n  return 1;\n}\n",
        {
          runtime_budgets: { latency_ms_p95: 2 },
        },
      ),
      /^latency: p95 [\d.]+ ms, at most 2 ms$/,
    ],
    [
      "more memory than allowed",
      measured(
        "const held = Buffer.alloc(40_000_000, 1);\nexport function total(): number {\n  return held.length;\n}\n",
        {
          runtime_budgets: { memory_mb_max: 20 },
        },
      ),
      /^memory: [\d.]+ MB, at most 20 MB$/,
    ],
    [
      "a bound that nobody can measure",
      measured(sum, time("O(2^n)")),
      /the bound O\(2\^n\) cannot be measured/,
    ],
    [
      "calls so slow that growth cannot be seen",
      measured(
        "export function total(values: number[]): number {\n  const end = performance.now() + values.length;\n  while (performance.now() < end) {}\n  return 1;\n}\n",
        time("O(n)"),
      ),
      /growth within O\(n\) could not be measured/,
    ],
  ];

  test.each(long ? DEFECTS : DEFECTS.slice(0, 3))("refuses %s", TIMEOUT, async (_what, tried, why) => {
    const found = await decided("budget", tried);
    expect(found).toEqual({ verdict: "FAIL", why: expect.stringMatching(why) });
  });

  const GOOD: [string, TriedInRun][] = [
    ["one pass in O(n)", measured(sum, time("O(n)"))],
    ["pairs in O(n^2)", measured(pairs, time("O(n^2)"))],
    [
      "sorting in O(n log n)",
      measured(
        "export function total(values: number[]): number {\n  return values.toSorted((a, b) => a - b)[0] ?? 0;\n}\n",
        time("O(n log n)"),
      ),
    ],
    [
      "constant time, generous latency and memory",
      measured("export function total(values: number[]): number {\n  return values.length;\n}\n", {
        ...time("O(1)"),
        runtime_budgets: { latency_ms_p95: 20, memory_mb_max: 64 },
      }),
    ],
    ["latency alone", measured(sum, { runtime_budgets: { latency_ms_p95: 20 } })],
    ["memory alone", measured(sum, { runtime_budgets: { memory_mb_max: 64 } })],
  ];

  test.each(long ? GOOD : GOOD.slice(0, 3))(
    "accepts %s, and has refused a copy that breaks each limit",
    TIMEOUT,
    async (_what, tried) => {
      expect(await decided("budget", tried)).toEqual({ verdict: "PASS", why: "" });
    },
  );

  test("is not applicable without a limit, or without anything that could grow", TIMEOUT, async () => {
    const still = "export function total(value: number): number {\n  return value;\n}\n";
    expect(await decided("budget", measured(still, time("O(1)"), "number"))).toEqual({
      verdict: "NOT_APPLICABLE",
      why: "the contract limits only growth, and none of its inputs has a size",
    });
    expect(await decided("budget", measured(sum, {}))).toMatchObject({ verdict: "NOT_APPLICABLE" });
  });

  test.each([
    ["O(1)", 0],
    ["O(log n)", 0],
    ["O(n)", 1],
    ["o( N log N )", 1],
    ["O(n + m)", 1],
    ["O(n*m)", 2],
    ["O(n²)", 2],
    ["O(n^2 log n)", 2],
    ["O(n ** 3)", 3],
    ["O(sqrt(n))", 0.5],
    ["O(2^n)", undefined],
    ["O(n!)", undefined],
    ["quick", undefined],
  ])("reads the bound %s as the power %s", (bound, power) => {
    expect(exponentOf(bound)).toBe(power);
  });
});

type Change = (run: ToCertify & { trees: string[] }) => void;

function certificateAfter(change: Change = () => {}, look?: typeof scan): Promise<BlindnessCertificate> {
  const workspaces = (["tests", "impl"] as const).map((role) => ({
    id: `W-${role}`,
    role,
    canary: makeCanary().token,
  }));
  const trees = workspaces.map(({ canary }) => {
    const tree = temporaryDirectory();
    writeFileSync(join(tree, ".cupel-canary"), canary);
    mkdirSync(join(tree, "src"));
    writeFileSync(join(tree, "src/a.ts"), "export const a = 1;");
    return tree;
  });
  const targets: ScanTarget[] = [
    ...workspaces.map(({ id }, index): ScanTarget => ({
      kind: "workspace",
      name: id,
      owner: id,
      source: { directory: trees[index] ?? "" },
    })),
    { kind: "transcript", name: "impl", source: { text: "honest work" } },
    { kind: "artifact", name: "store", source: { bytes: Buffer.from("artifact") } },
    { kind: "prompt", name: "impl", source: { bytes: Buffer.from("do it") } },
  ];
  const run = {
    runId: "R-1",
    commands: { bubblewrap: 3, none: 0 },
    workspaces,
    targets,
    now: new Date("2026-01-01T00:00:00Z"),
    trees,
  };
  change(run);
  return look === undefined ? certify(run) : certify(run, look);
}

function without(kind: ScanTarget["kind"]): Change {
  return (run) => {
    run.targets = run.targets.filter((target) => target.kind !== kind);
  };
}
function saying(text: (run: ToCertify) => string): Change {
  return (run) => {
    run.targets = [...run.targets, { kind: "transcript", name: "talk", source: { text: text(run) } }];
  };
}
const blind: typeof scan = async (...args) => ({ ...(await scan(...args)), leaks: [] });
const canaryOf = (run: ToCertify) => run.workspaces[0]?.canary ?? "";

describe("blindness", () => {
  const DEFECTS: [string, () => Promise<BlindnessCertificate>, RegExp][] = [
    [
      "a canary in a transcript",
      () => certificateAfter(saying(canaryOf)),
      /^leaked-canary: the canary of W-tests is in the transcript talk/,
    ],
    [
      "a canary in disguise",
      () => certificateAfter(saying((run) => Buffer.from(canaryOf(run)).toString("base64"))),
      /^leaked-canary: /,
    ],
    [
      "a canary in the other workspace",
      () => certificateAfter((run) => writeFileSync(join(run.trees[1] ?? "", "src/a.ts"), canaryOf(run))),
      /^leaked-canary: the canary of W-tests is in the workspace W-impl/,
    ],
    [
      "prompts that nobody looked at",
      () => certificateAfter(without("prompt")),
      /^unproven: no prompt was looked at/,
    ],
    [
      "a canary that is gone from its own workspace",
      () => certificateAfter((run) => rmSync(join(run.trees[0] ?? "", ".cupel-canary"))),
      /no longer in its own workspace/,
    ],
    [
      "a scan that finds nothing, not even what was planted",
      () => certificateAfter(undefined, blind),
      /^unproven: the scan did not find/,
    ],
    [
      "a single workspace",
      () =>
        certificateAfter((run) => {
          run.workspaces = run.workspaces.slice(0, 1);
          run.targets = run.targets.filter(({ owner }) => owner !== "W-impl");
        }),
      /so nothing to be blind to/,
    ],
    [
      "a broken certificate whose doubts were struck out",
      async () => ({ ...(await certificateAfter(without("transcript"))), doubts: [], result: "held" }),
      /^unproven: no transcript was looked at\nforged: /,
    ],
  ];

  test.each(DEFECTS)("refuses %s", TIMEOUT, async (_what, certificate, why) => {
    const found = await decided("blindness", { files: CLAMP, certificate: await certificate() });
    expect(found).toEqual({ verdict: "FAIL", why: expect.stringMatching(why) });
  });

  const GOOD: [string, Change][] = [
    ["an honest run", () => {}],
    ["talk about canaries without one", saying(() => "the canary sang: cupel-canary")],
    [
      "a third workspace",
      (run) => {
        const tree = temporaryDirectory();
        const canary = makeCanary().token;
        writeFileSync(join(tree, ".cupel-canary"), canary);
        run.workspaces = [...run.workspaces, { id: "W-fix", role: "fix", canary }];
        run.targets = [
          ...run.targets,
          { kind: "workspace", name: "W-fix", owner: "W-fix", source: { directory: tree } },
        ];
      },
    ],
    [
      "commands without a sandbox, which the certificate says",
      (run) => {
        run.commands = { bubblewrap: 0, none: 2 };
      },
    ],
    ["the canary of a run that was long ago", saying(() => makeCanary().token)],
  ];

  test.each(GOOD)("accepts %s", TIMEOUT, async (_what, change) => {
    const found = await decided("blindness", { files: CLAMP, certificate: await certificateAfter(change) });
    expect(found).toEqual({ verdict: "PASS", why: "" });
  });
});
