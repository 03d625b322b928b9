// Projects with a script for the proposer, for tests of works and of the processes that open them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScriptLine } from "../src/domain/agent/script-line.ts";

export const KEY = { task: "T-a-001", module: "MM-a", node: "make", attempt: 1 };
export const WORK = { claim: "done", acceptance_checks: ["`a`: shown"], applied_amendments: [] };

/** The script of one call after the other, by attempt. */
export function scriptOf(...lines: Partial<ScriptLine>[]): string {
  const plain = {
    inputHash: null,
    files: {},
    toolCalls: [],
    output: { answer: WORK },
    usage: { inputTokens: 1200, outputTokens: 34 },
    latencyMs: 0,
    ending: "ok",
  };
  const whole = lines.map((line, index) =>
    ScriptLine.parse({ ...plain, key: { role: "proposer", ...KEY, attempt: index + 1 }, ...line }),
  );
  return whole.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Gives the path of the script. */
export function writeProject(
  project: string,
  lines: readonly Partial<ScriptLine>[] = [{}],
  config: object = {},
): string {
  const script = join(project, "script.jsonl");
  writeFileSync(script, scriptOf(...lines));
  writeFileSync(join(project, "cupel.config.json"), JSON.stringify(config));
  return script;
}
