// A product of two modules that have shipped, an architect that is scripted, and what it writes to try the whole.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScriptLine } from "../src/domain/agent/script-line.ts";
import { openEngineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { makeSuite } from "../src/release/e2e/make-suite.ts";
import type { E2eOutcome, E2ePorts } from "../src/release/e2e/port.ts";
import { makeReleasable } from "./releasable.ts";
import { CLAMP_TASK, PERCENT_TASK } from "./release-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

export const [CLAMPED, OUTSIDE] = [`${CLAMP_TASK}.1`, `${CLAMP_TASK}.2`] as const;
export const [SHARE, TOO_MUCH] = [`${PERCENT_TASK}.1`, `${PERCENT_TASK}.2`] as const;

const IMPORTS = `import { expect, test } from "vitest";
import { clamp } from "#modules/clamp";
import { percent } from "#modules/percent";

`;

/** A test file of these tests, each with the criteria in its title. */
export function suite(...tests: [title: string, body: string][]): string {
  const texts = tests.map(([title, body]) => `test(${JSON.stringify(title)}, () => {\n  ${body}\n});\n`);
  return `${IMPORTS}${texts.join("\n")}`;
}

export const HONEST: [title: string, body: string][] = [
  [
    `a number is kept in its range [${CLAMPED}, ${OUTSIDE}]`,
    "expect([clamp(5, 0, 3), clamp(-1, 0, 3)]).toEqual([3, 0]);",
  ],
  [
    `a share goes through both [${SHARE}] [${TOO_MUCH}]`,
    "expect([percent(clamp(150, 120, 180)), percent(40)]).toEqual([100, 40]);",
  ],
];

export interface Attempt {
  files?: ScriptLine["files"];
  notShown?: { criterion: string; why: string }[];
  ending?: ScriptLine["ending"];
  /** In place of an answer. */
  output?: ScriptLine["output"];
  toolCalls?: ScriptLine["toolCalls"];
}

export const honestAttempt: Attempt = { files: { "e2e/whole.test.ts": suite(...HONEST) } };

/** One line for each attempt; `round` is another one for each time that a person was asked. */
export function architectLines(attempts: readonly Attempt[], round = 1): ScriptLine[] {
  return attempts.map(({ files = {}, notShown = [], ending = "ok", output, toolCalls = [] }, index) =>
    ScriptLine.parse({
      key: {
        role: "architect",
        task: null,
        module: null,
        node: round === 1 ? "write_e2e" : `write_e2e@${round}`,
        attempt: index + 1,
      },
      inputHash: null,
      files,
      toolCalls,
      output: output ?? { answer: { strategy: "From outside.", not_shown: notShown } },
      usage: { inputTokens: 100, outputTokens: 10 },
      latencyMs: 0,
      ending,
    }),
  );
}

export function scriptFile(lines: readonly ScriptLine[], directory = temporaryDirectory()): string {
  const script = join(directory, "script.jsonl");
  writeFileSync(script, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return script;
}

export const CONFIG = JSON.stringify({ rigor: "standard" });

/** Two modules, one of which uses the other, and both tasks shipped; vitest runs their tests. */
export async function makeTried(directory: string, config = CONFIG): Promise<void> {
  await makeReleasable(directory, { "SPEC.md": "# Numbers\n", "cupel.config.json": config });
}

export interface Trying {
  onStep?: NonNullable<E2ePorts["onStep"]>;
  hours?: number;
  script?: string;
  /** How simulated agents behave, in place of the script. */
  simulated?: string;
}

/** The factory around such a product, as `cupel run` opens it. */
export async function withFactory<T>(
  project: string,
  lines: readonly ScriptLine[],
  { onStep, hours = 0, script, simulated }: Trying,
  work: (ports: E2ePorts) => Promise<T>,
): Promise<T> {
  const works = await openWorks({
    project,
    runId: "r-1",
    ...(simulated === undefined
      ? { replay: script ?? scriptFile(lines), ignoreInput: true }
      : { cast: { runtime: "simulator" as const, simulated }, simulation: { silenceMs: 50 } }),
    env: {},
    // Later than a process before, so that what that one held is free.
    now: () => Date.now() + hours * 3_600_000,
  });
  try {
    const engineering = await openEngineering(works, { ownScripts: true, keepCompiler: true });
    try {
      const { rigor } = works.config;
      return await work({ ...engineering.ports, rigor, ...(onStep === undefined ? {} : { onStep }) });
    } finally {
      await engineering.close();
    }
  } finally {
    await works.close();
  }
}

export function tried(
  project: string,
  lines: readonly ScriptLine[],
  trying: Trying = {},
): Promise<E2eOutcome> {
  return withFactory(project, lines, trying, makeSuite);
}
