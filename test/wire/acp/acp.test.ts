// A real program that speaks the Agent Client Protocol with the real packages on its side.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { ScriptLine } from "../../../src/domain/agent/script-line.ts";
import type { RuntimeAnswer, RuntimeRequest } from "../../../src/agents/port.ts";
import { acpRuntime, type AcpSetup } from "../../../src/agents/runtimes/acp.ts";
import { runtimeSuite } from "../../../src/agents/runtimes/runtime.suite.ts";
import { startCommand } from "../../../src/workshop/process/run-command.ts";
import { processesWith } from "../claude-code/one-door.ts";
import { LIMITS, request, tool } from "../claude-code/requests.ts";
import { mark, marked } from "../claude-code/scripted-provider.ts";

/** As the runtime loads it: its types are held against ours in sdk-types.ts. */
const PACKAGE: string = "@agentclientprotocol/sdk";
const AGENT = fileURLToPath(new URL("fake-agent.mjs", import.meta.url));

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function setupFor(lines: readonly ScriptLine[]): AcpSetup {
  const home = mkdtempSync(join(tmpdir(), "cupel-acp-"));
  undo.push(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const script = join(home, "lines.json");
  writeFileSync(script, JSON.stringify(lines.map((line) => ({ ...line, mark: mark(line.key) }))));
  const directory = join(home, "s");
  return {
    command: process.execPath,
    args: [AGENT],
    start: startCommand,
    env: { PATH: "/usr/bin:/bin", HOME: home, FAKE_AGENT_LINES: script },
    home,
    relay: { directory, inside: directory, node: process.execPath },
    load: () => import(PACKAGE),
  };
}

runtimeSuite("acp", async (lines) => ({ runtime: marked(acpRuntime(setupFor(lines)), lines) }));

describe("an agent of the Agent Client Protocol", () => {
  test("may use our tools once each time it asks, and nothing else", async () => {
    const calls = [
      { name: "mcp__cupel__read", title: "Read a file" },
      { title: "mcp__cupel__submit", kind: "other" },
      { title: "cupel/read" },
      { title: "read" },
      { title: "mcp__cupel__write" },
      { title: "mcp__cupel__read", kind: "execute" },
      { title: "rm -rf / # mcp__cupel__read" },
      { title: "Edit a.ts", kind: "edit" },
    ];
    const answer = await doing(`asks> <ask>${JSON.stringify(calls)}</ask`, { tools: [tool("read")] });
    expect(saidIn(answer).trim()).toBe("yes yes yes no no no no no");
  });

  test.each([
    ["reads", "refused:"],
    ["intrudes", "was turned away"],
  ])("%s and is refused", async (antic, said) => {
    expect(saidIn(await doing(antic))).toContain(said);
  });

  test("has answered with its last submission, also when it never ends its turn", async () => {
    const limits = { ...LIMITS, silenceMs: 1000 };
    expect(await doing("submits", { limits })).toMatchObject({ kind: "answered", output: { n: 2 } });
  });

  test.each<[string, object]>([
    ["toils", { kind: "no-output", said: expect.stringContaining("more than 9 tools") }],
    ["pays", { kind: "no-output", usage: "unknown", costUsd: 0.25 }],
    ["limits", { kind: "busy", retryAfterMs: undefined, costUsd: "unknown" }],
    ["login", { kind: "failed", hint: expect.stringContaining("log in") }],
    ["rambles", { kind: expect.stringMatching(/^(no-output|failed)$/) }],
  ])("%s and is told as what it did", async (antic, expected) => {
    expect(await doing(antic)).toMatchObject(expected);
  });

  test("is gone, with children that left its group, when it falls silent", async () => {
    const setup = setupFor([]);
    const limits = { ...LIMITS, silenceMs: 1000 };
    const answer = await acpRuntime(setup).run(request({ prompt: "<antic breeds>", limits }));
    expect(answer).toMatchObject({ kind: "silent", session: expect.stringMatching(/^fake-/) });
    expect(JSON.stringify(answer.transcript)).toMatch(/pid \d+/);
    expect(processesWith(setup.home)).toEqual([]);
  });

  test.each<[string, Partial<AcpSetup>, RegExp]>([
    ["is not there", { command: "/no/such/agent" }, /no such program/],
    [
      "ends at once",
      { command: "sh", args: ["-c", "echo no licence >&2; exit 7"] },
      /exit code 7: no licence/,
    ],
    ["says something else and ends", { command: "sh", args: ["-c", "echo hello; exit 0"] }, /exit code 0/],
  ])("that %s has failed", async (_, change, why) => {
    const limits = { ...LIMITS, silenceMs: 1000 };
    const answer = await acpRuntime({ ...setupFor([]), ...change }).run(request({ limits }));
    expect(answer).toMatchObject({ kind: "failed", why: expect.stringMatching(why) });
  });

  test("is on record also with tools of its own", async () => {
    const { transcript } = await doing("works");
    expect(transcript.slice(2)).toEqual([
      { kind: "tool-call", tool: "shell", input: { command: "ls" } },
      { kind: "tool-result", tool: "shell", text: "a.ts", failed: false },
    ]);
  });

  test("leaves no socket behind", async () => {
    const setup = setupFor([]);
    await acpRuntime(setup).run(request({ prompt: "<antic pays>" }));
    expect(readdirSync(setup.relay.directory)).toEqual([]);
  });
});

function doing(antic: string, change: Partial<RuntimeRequest> = {}): Promise<RuntimeAnswer> {
  return acpRuntime(setupFor([])).run(request({ prompt: `<antic ${antic}>`, ...change }));
}

function saidIn(answer: RuntimeAnswer): string {
  return answer.kind === "no-output" ? answer.said : "";
}
