import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { ScriptLine } from "../../domain/agent/script-line.ts";
import type { AgentTool, CallKey, Runtime, RuntimeAnswer, RuntimeRequest } from "../port.ts";
import { redactor } from "../secrets.ts";
import { useTool } from "../use-tool.ts";
import { recording } from "./recording.ts";
import { parseScript } from "./script.ts";
import { scriptedRuntime } from "./scripted.ts";

const KEY: CallKey = { role: "proposer", task: "T-a-001", module: "MM-a", node: "make", attempt: 1 };
const PAID = { usage: { inputTokens: 7, outputTokens: 8 }, costUsd: 0.5, transcript: [] };
const OUTPUT = { answer: { claim: "grüße \u2028 \u0000", list: [1.5, null, { deep: true }] } };
const SIGNAL = new AbortController().signal;
const redact = redactor({ MY_TOKEN: "tell-nobody-this" });

/** An agent with files of its own, and with our tools. */
function agent(work: (request: RuntimeRequest) => Promise<RuntimeAnswer>): Runtime {
  return { name: "codex", forks: "always", run: work, close: async () => {} };
}

async function record(runtime: Runtime, ...requests: RuntimeRequest[]) {
  let text = "";
  const recorder = recording(runtime, async (line) => void (text += line), redact);
  const answers = [];
  for (const request of requests) answers.push(await recorder.run(request));
  return { text, answers, lines: parseScript(text, "recording.jsonl") };
}

function request(workspace: string, change: Partial<RuntimeRequest> = {}): RuntimeRequest {
  return {
    role: "proposer",
    key: KEY,
    system: "s",
    prompt: "p",
    outputSchema: { title: "t" },
    model: "a:b",
    limits: { silenceMs: 50, timeoutMs: 1000, maxInputTokens: 1, maxOutputTokens: 1, maxTurns: 1 },
    tools: [appender(workspace)],
    workspace,
    signal: SIGNAL,
    ...change,
  };
}

function timeless(lines: readonly ScriptLine[]): ScriptLine[] {
  return lines.map((line) => ({ ...line, latencyMs: 0 }));
}

function appender(workspace: string): AgentTool {
  const Input = z.strictObject({ path: z.string(), text: z.string() });
  return {
    name: "edit",
    description: "",
    input: Input,
    run: async (input) => {
      const { path, text } = Input.parse(input);
      writeFileSync(join(workspace, path), text, { flag: "a" });
      return "ok";
    },
  };
}

function workspaceWith(files: Record<string, string | Buffer>): string {
  const workspace = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(workspace, path, ".."), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  return workspace;
}

function picture(workspace: string): Record<string, string> {
  const entries = readdirSync(workspace, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(workspace.length), readFileSync(path).toString("base64")];
    }),
  );
}

const BEFORE = {
  "keep.txt": "same",
  "gone.txt": "bye",
  "log.txt": "begin\n",
  "sub/b.bin": Buffer.from([0, 255]),
};

const busyAgent = agent(async ({ workspace = "", tools, signal }) => {
  await useTool(tools, "edit", { path: "log.txt", text: "one\n" }, signal);
  writeFileSync(join(workspace, "log.txt"), "own words\n", { flag: "a" });
  await useTool(tools, "edit", { path: "log.txt", text: "two\n" }, signal);
  await useTool(tools, "edit", { path: 5 }, signal);
  rmSync(join(workspace, "gone.txt"));
  mkdirSync(join(workspace, "new/deep"), { recursive: true });
  writeFileSync(join(workspace, "new/deep/ü.ts"), "export {};\r\n\uFEFF");
  writeFileSync(join(workspace, "sub/b.bin"), Buffer.from([255, 254, 0, 1]));
  return { kind: "answered", output: OUTPUT, session: "s", ...PAID };
});

describe("a recording", () => {
  test("played back gives the same bytes in outputs and files", async () => {
    const [here, there] = [workspaceWith(BEFORE), workspaceWith(BEFORE)];
    const { lines, answers } = await record(busyAgent, request(here));
    const replayed = await scriptedRuntime(lines).run(request(there));
    expect(replayed).toMatchObject({ kind: "answered", output: OUTPUT, usage: PAID.usage });
    expect(JSON.stringify(replayed.kind === "answered" && replayed.output)).toBe(JSON.stringify(OUTPUT));
    expect(picture(there)).toEqual(picture(here));
    expect(answers[0]).toMatchObject({ kind: "answered", costUsd: 0.5 });
    expect(Object.keys(lines[0]?.files ?? {}).toSorted()).toEqual([
      "gone.txt",
      "log.txt",
      "new/deep/ü.ts",
      "sub/b.bin",
    ]);
    expect(lines[0]?.toolCalls).toHaveLength(2);
  });

  test("of a recording is the same recording", async () => {
    const first = await record(busyAgent, request(workspaceWith(BEFORE)));
    const again = await record(scriptedRuntime(first.lines), request(workspaceWith(BEFORE)));
    expect(timeless(again.lines)).toEqual(timeless(first.lines));
  });

  test("knows the time it took", async () => {
    const slow = agent(async () => {
      await new Promise((resolve) => setTimeout(resolve, 80));
      return { kind: "answered", output: OUTPUT, session: "s", ...PAID };
    });
    const { lines } = await record(slow, request(temporaryDirectory()));
    expect(lines[0]?.latencyMs).toBeGreaterThanOrEqual(75);
  });

  test.each<[RuntimeAnswer, RuntimeAnswer["kind"]]>([
    [{ kind: "no-output", said: "done", session: "s", ...PAID }, "no-output"],
    [{ kind: "silent", afterMs: 5, session: undefined, ...PAID }, "silent"],
    [{ kind: "failed", why: "crashed", ...PAID }, "failed"],
    [{ kind: "refused", why: "no", ...PAID }, "refused"],
    [{ kind: "too-long", why: "much", ...PAID }, "too-long"],
  ])("keeps how a call ended: %j", async (answer, kind) => {
    const { lines } = await record(
      agent(async () => answer),
      request(temporaryDirectory()),
    );
    expect((await scriptedRuntime(lines).run(request(temporaryDirectory()))).kind).toBe(kind);
  });

  test.each<RuntimeAnswer>([
    { kind: "busy", why: "429", retryAfterMs: 0, ...PAID },
    { kind: "unavailable", why: "down", ...PAID },
    { kind: "aborted", ...PAID },
  ])("has no line for a call that is asked again: $kind", async (answer) => {
    expect(
      (
        await record(
          agent(async () => answer),
          request(temporaryDirectory()),
        )
      ).text,
    ).toBe("");
  });

  test("holds no secrets, in whatever part of it", async () => {
    const leaking = agent(async ({ workspace = "", tools, signal }) => {
      writeFileSync(join(workspace, "tell-nobody-this.env"), "TOKEN=tell-nobody-this\n");
      await useTool(tools, "edit", { path: "a", text: "tell-nobody\n-this" }, signal);
      return { kind: "answered", output: { answer: "tell-nobody-this" }, session: "s", ...PAID };
    });
    const { text } = await record(leaking, request(temporaryDirectory()));
    expect(text).not.toMatch(/tell-nobody/);
    expect(text).toContain("[secret]");
  });

  test("follows nothing that an agent put into its workspace", async () => {
    const outside = workspaceWith({ private: "not yours" });
    const hostile = agent(async ({ workspace = "" }) => {
      symlinkSync(join(outside, "private"), join(workspace, "link"));
      symlinkSync(outside, join(workspace, "dir"));
      mkdirSync(join(workspace, ".git"));
      writeFileSync(join(workspace, ".git/config"), "[core]");
      writeFileSync(join(workspace, "closed"), "x");
      linkSync(join(workspace, "closed"), join(workspace, "second-name"));
      chmodSync(join(workspace, "closed"), 0o644);
      return { kind: "answered", output: OUTPUT, session: "s", ...PAID };
    });
    const { lines, text } = await record(hostile, request(temporaryDirectory()));
    expect(text).not.toContain("not yours");
    expect(Object.keys(lines[0]?.files ?? {})).toEqual(["closed", "second-name"]);
  });

  test("says which files were too large, and is not played without them", async () => {
    const heavy = agent(async ({ workspace = "" }) => {
      writeFileSync(join(workspace, "big"), Buffer.alloc(5 * 1024 * 1024));
      return { kind: "answered", output: OUTPUT, session: "s", ...PAID };
    });
    const old = workspaceWith({ old: Buffer.alloc(5 * 1024 * 1024) });
    const { lines } = await record(heavy, request(old));
    expect(lines[0]?.omitted).toEqual(["big"]);
    expect(await scriptedRuntime(lines).run(request(temporaryDirectory()))).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("too large: big"),
    });
  });
});

test("a line that could not be written fails its own call, and no later one", async () => {
  const written: string[] = [];
  let full = true;
  const recorder = recording(
    agent(async () => ({ kind: "answered", output: OUTPUT, session: "s", ...PAID })),
    async (line) => {
      if (full) throw new Error("the disk is full");
      written.push(line);
    },
    redact,
  );
  const asked = request(temporaryDirectory());
  await expect(recorder.run(asked)).rejects.toThrow("the disk is full");
  full = false;
  expect(await recorder.run(asked)).toMatchObject({ kind: "answered" });
  expect(written).toHaveLength(1);
});
