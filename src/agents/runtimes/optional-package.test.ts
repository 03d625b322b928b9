import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { Runtime, RuntimeRequest } from "../port.ts";
import { acpRuntime } from "./acp.ts";
import { claudeCodeRuntime } from "./claude-code.ts";
import { codexRuntime } from "./codex.ts";
import { optionalPackage } from "./optional-package.ts";

const REQUEST: RuntimeRequest = {
  role: "proposer",
  key: { role: "proposer", task: null, module: null, node: "n", attempt: 1 },
  system: "s",
  prompt: "p",
  outputSchema: { type: "object" },
  tools: [],
  model: "a:b",
  limits: { silenceMs: 1000, timeoutMs: 1000, maxInputTokens: 10, maxOutputTokens: 10, maxTurns: 1 },
  signal: new AbortController().signal,
};

describe("a package that is not installed", () => {
  test.each<[string, (home: string, load: () => Promise<never>) => Runtime]>([
    ["@anthropic-ai/claude-agent-sdk", (home, load) => claudeCodeRuntime({ start, env: {}, home, load })],
    [
      "@openai/codex-sdk",
      (_, load) =>
        codexRuntime({
          provider: { baseUrl: "http://127.0.0.1:1", keyName: "K" },
          env: {},
          home: "/var/tmp/never-made",
          relay: { directory: "", inside: "", node: "" },
          load,
        }),
    ],
    [
      "@agentclientprotocol/sdk",
      (home, load) =>
        acpRuntime({
          command: "a",
          args: [],
          start,
          env: {},
          home,
          relay: { directory: "", inside: "", node: "" },
          load,
        }),
    ],
  ])("%s is a failure that costs nothing and says what to type", async (name, make) => {
    expect(await make(temporaryDirectory(), missing(name)).run(REQUEST)).toMatchObject({
      kind: "failed",
      why: expect.stringContaining(name),
      hint: expect.stringContaining(`npm install ${name}@`),
      costUsd: 0,
    });
  });

  test("is found once it is there, and loaded once", async () => {
    let asked = 0;
    const load = optionalPackage("acp", "x", async () => {
      asked += 1;
      if (asked === 1) throw new Error("not yet");
      return "it";
    });
    expect(await load()).toEqual({ kind: "failed", why: "not yet" });
    expect(await load()).toEqual({ kind: "loaded", loaded: "it" });
    expect(await load()).toEqual({ kind: "loaded", loaded: "it" });
    expect(asked).toBe(2);
  });
});

function missing(name: string): () => Promise<never> {
  const message = `Cannot find package '${name}' imported from here`;
  return () => Promise.reject(Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" }));
}

function start(): never {
  throw new Error("nothing may be started");
}
