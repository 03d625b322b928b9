import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { ScriptLine } from "../../domain/agent/script-line.ts";
import type { CallKey, RuntimeRequest } from "../port.ts";
import { runtimeSuite } from "./runtime.suite.ts";
import { inputHashOf, parseScript } from "./script.ts";
import { scriptedRuntime } from "./scripted.ts";

runtimeSuite("scripted", async (lines) => ({ runtime: scriptedRuntime(lines) }));

const KEY: CallKey = { role: "proposer", task: "T-a-001", module: "MM-a", node: "make", attempt: 1 };
const LINE: ScriptLine = {
  key: KEY,
  inputHash: null,
  files: {},
  toolCalls: [],
  output: { answer: 1 },
  usage: { inputTokens: 1, outputTokens: 1 },
  latencyMs: 0,
  ending: "ok",
};
const REQUEST: RuntimeRequest = {
  role: "proposer",
  key: KEY,
  system: "s",
  prompt: "p",
  outputSchema: { title: "t" },
  tools: [],
  model: "a:b",
  limits: { silenceMs: 50, timeoutMs: 1000, maxInputTokens: 1, maxOutputTokens: 1, maxTurns: 1 },
  signal: new AbortController().signal,
};

describe("a script", () => {
  test("is read line by line, empty ones left out", () => {
    expect(parseScript(`${text(LINE)}\n\n`, "a.jsonl")).toEqual([LINE]);
  });

  test.each<[string, string, string]>([
    ["text that is no JSON", `${text(LINE)}\n{`, "a.jsonl:2 is no JSON"],
    [
      "another ending",
      text({ ...LINE, ending: "fine" }),
      'a.jsonl:1 is no line of a script:\n  $.ending: expected one of "ok"',
    ],
    ["a role that is none", text({ ...LINE, key: { ...KEY, role: "boss" } }), "$.key.role"],
    [
      "two lines for one call",
      text(LINE, LINE),
      "two lines for: proposer T-a-001 MM-a make attempt 1 turn 1",
    ],
    ["the first turn written out", text(LINE, { ...LINE, key: { ...KEY, turn: 1 } }), "two lines for"],
  ])("is refused with %s", (_, script, message) => {
    expect(() => parseScript(script, "a.jsonl")).toThrow(message);
  });
});

describe("playing a line", () => {
  test("is by key, never by order", async () => {
    const keys = [1, 2, 3].map((attempt) => ({ ...KEY, attempt }));
    const runtime = scriptedRuntime(keys.map((key) => ({ ...LINE, key, output: key.attempt })));
    const answers = [];
    for (const key of keys.toReversed()) answers.push(await runtime.run({ ...REQUEST, key }));
    expect(answers).toMatchObject([{ output: 3 }, { output: 2 }, { output: 1 }]);
  });

  test("names the key and the nearest ones when there is none", async () => {
    const runtime = scriptedRuntime([
      { ...LINE, key: { ...KEY, node: "mark" } },
      { ...LINE, key: { ...KEY, role: "witness", task: null } },
    ]);
    expect(await runtime.run(REQUEST)).toMatchObject({
      kind: "failed",
      why: "the script has no line for: proposer T-a-001 MM-a make attempt 1 turn 1; the nearest it has: proposer T-a-001 MM-a mark attempt 1 turn 1; witness - MM-a make attempt 1 turn 1",
    });
    expect(await scriptedRuntime([]).run(REQUEST)).toMatchObject({
      why: expect.stringContaining("no lines at all"),
    });
  });

  test("is possible once; after an abort once more", async () => {
    const runtime = scriptedRuntime([LINE]);
    expect((await runtime.run({ ...REQUEST, signal: AbortSignal.abort() })).kind).toBe("aborted");
    expect((await runtime.run(REQUEST)).kind).toBe("answered");
    expect(await runtime.run(REQUEST)).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("played already"),
    });
  });

  test("is refused when the agent is asked something else, unless that is to be ignored", async () => {
    const line = { ...LINE, inputHash: inputHashOf(REQUEST) };
    const other = { ...REQUEST, prompt: "another" };
    expect((await scriptedRuntime([line]).run({ ...REQUEST, model: "c:d" })).kind).toBe("answered");
    expect(await scriptedRuntime([line]).run(other)).toMatchObject({
      kind: "failed",
      hint: expect.stringContaining("record it again"),
    });
    expect((await scriptedRuntime([line], { ignoreInput: true }).run(other)).kind).toBe("answered");
  });

  test("takes the time it says, or none where that is asked for", async () => {
    const slow = { ...LINE, latencyMs: 200 };
    const timed = async (pace: number): Promise<number> => {
      const begun = performance.now();
      await scriptedRuntime([slow], { pace }).run(REQUEST);
      return performance.now() - begun;
    };
    expect(await timed(1)).toBeGreaterThanOrEqual(195);
    expect(await timed(0)).toBeLessThan(150);
  });
});

describe("files of a line", () => {
  test("are written, replaced and removed", async () => {
    const workspace = temporaryDirectory();
    writeFileSync(join(workspace, "old.txt"), "old");
    const files = { "src/deep/a.ts": "a\n", "old.txt": null, "bytes.bin": { base64: "/wD+" } };
    expect((await scriptedRuntime([{ ...LINE, files }]).run({ ...REQUEST, workspace })).kind).toBe(
      "answered",
    );
    expect(readFileSync(join(workspace, "src/deep/a.ts"), "utf8")).toBe("a\n");
    expect(readFileSync(join(workspace, "bytes.bin"))).toEqual(Buffer.from([0xff, 0, 0xfe]));
    expect(existsSync(join(workspace, "old.txt"))).toBe(false);
  });

  test.each([
    "../out",
    "/etc/passwd",
    "a/../../out",
    ".git/hooks/pre-commit",
    "sub/.GIT/config",
    "a\\b",
    "",
    "./a",
  ])("never leave the workspace: %j", async (path) => {
    const workspace = temporaryDirectory();
    const runtime = scriptedRuntime([{ ...LINE, files: { [path]: "x" } }]);
    const why = expect.stringContaining("a script cannot write");
    expect(await runtime.run({ ...REQUEST, workspace })).toMatchObject({ kind: "failed", why });
    expect(readdirSync(workspace)).toEqual([]);
  });

  test("follow no link that an agent left", async () => {
    const [workspace, outside] = [temporaryDirectory(), temporaryDirectory()];
    writeFileSync(join(outside, "target"), "safe");
    symlinkSync(join(outside, "target"), join(workspace, "link"));
    symlinkSync(outside, join(workspace, "dir"));
    await scriptedRuntime([{ ...LINE, files: { link: "mine" } }]).run({ ...REQUEST, workspace });
    expect(readFileSync(join(outside, "target"), "utf8")).toBe("safe");
    const through = scriptedRuntime([{ ...LINE, files: { "dir/x": "mine" } }]).run({ ...REQUEST, workspace });
    expect(await through).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("dir is no directory"),
    });
    expect(existsSync(join(outside, "x"))).toBe(false);
  });

  test("need a workspace", async () => {
    expect(await scriptedRuntime([{ ...LINE, files: { a: "b" } }]).run(REQUEST)).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("no workspace"),
    });
  });
});

function text(...lines: unknown[]): string {
  return lines.map((line) => JSON.stringify(line)).join("\n");
}
