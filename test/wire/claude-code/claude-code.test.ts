// Claude Code's real CLI against a provider on loopback.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { StartAgent } from "../../../src/agents/runtimes/agent-process.ts";
import { claudeCodeRuntime, type ClaudeCodeSetup } from "../../../src/agents/runtimes/claude-code.ts";
import { runtimeSuite } from "../../../src/agents/runtimes/runtime.suite.ts";
import { startCommand } from "../../../src/workshop/process/run-command.ts";
import { bubblewrapWorks } from "../../bubblewrap.ts";
import { ask, WORK } from "../../role-calls.ts";
import { oneDoor, processesWith } from "./one-door.ts";
import { LIMITS, request, tool } from "./requests.ts";
import { marked, type Manners, openProvider, playing, problem, USAGE } from "./scripted-provider.ts";
import { troublesSuite } from "./troubles.suite.ts";

/** As the runtime loads it: its types are held against ours in sdk-types.ts. */
const PACKAGE: string = "@anthropic-ai/claude-agent-sdk";

const MANNERS: Manners = {
  output: (value) => ({
    toolCalls: [{ name: "StructuredOutput", arguments: JSON.stringify(value) }],
    usage: USAGE,
  }),
  refusal: { content: "I will not.", finishReason: "refusal", usage: USAGE },
};

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "cupel-claude-"));
  undo.push(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

function setupFor(url: string): ClaudeCodeSetup {
  return {
    start: startCommand,
    home: temporary(),
    env: { PATH: "/usr/bin:/bin", ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "dummy-key" },
    load: () => import(PACKAGE),
  };
}

runtimeSuite("claude-code", async (lines) => {
  const provider = await playing(lines, MANNERS);
  undo.push(() => provider.close());
  return {
    runtime: marked(claudeCodeRuntime(setupFor(provider.url)), lines),
    heard: (key) => provider.heard(key),
  };
});

troublesSuite("claude-code", {
  make: (url) => claudeCodeRuntime(setupFor(url)),
  manners: MANNERS,
  model: "anthropic:claude-sonnet-5",
  tellsWhen: true,
});

describe("the CLI of Claude Code", () => {
  const fixture = { match: {}, response: MANNERS.output({ answer: {} }) };

  test.skipIf(!bubblewrapWorks)("asks nobody but its provider (needs bubblewrap)", async () => {
    const { provider, setup } = await facing(fixture);
    const door = await oneDoor(setup.home, provider.front.port);
    undo.push(() => door.close());
    const start: StartAgent = (command, args, options) => startCommand(...door.wrap(command, args), options);
    const runtime = claudeCodeRuntime({ ...setup, start });
    expect(await runtime.run(request())).toMatchObject({ kind: "answered" });
    const { through, opened, astray } = door.report();
    expect(through).toBeGreaterThan(0);
    expect(opened).toBe(through);
    expect(Object.values(astray)).toEqual([0, 0, 0, 0]);
    expect(new Set(provider.front.requests)).toEqual(new Set(["POST /v1/messages?beta=true"]));
  });

  test.skipIf(!bubblewrapWorks)("would be seen if it asked anybody else (needs bubblewrap)", async () => {
    const { provider, setup } = await facing(fixture);
    const door = await oneDoor(setup.home, provider.front.port);
    undo.push(() => door.close());
    const curious =
      "require('net').connect(80,'192.0.2.1').on('error',()=>{});require('dgram').createSocket('udp4').send('x',53,'127.0.0.1',function(){this.close()})";
    const running = startCommand(...door.wrap(process.execPath, ["-e", curious]), { env: setup.env });
    await running.ended;
    expect(Object.values(door.report().astray).some((count) => count > 0)).toBe(true);
  });

  test("is gone, with all it started, when the call was aborted", async () => {
    const { setup } = await facing({ ...fixture, latency: 60_000 });
    const controller = new AbortController();
    const asked = claudeCodeRuntime(setup).run(request({ signal: controller.signal }));
    await expect.poll(() => processesWith(setup.home).length, { timeout: 5000 }).toBeGreaterThan(0);
    controller.abort();
    expect((await asked).kind).toBe("aborted");
    expect(processesWith(setup.home)).toEqual([]);
  });

  test("does not throw away paid work for a provider that is busy for a moment", async () => {
    let times = 0;
    const { setup } = await facing({
      match: {},
      response: () => {
        times += 1;
        if (times === 1) return { toolCalls: [{ name: "mcp__cupel__ls", arguments: "{}" }], usage: USAGE };
        return times === 2
          ? problem(429, "later", "rate_limit_error", 1)
          : { toolCalls: [{ name: "StructuredOutput", arguments: '{"answer":{}}' }], usage: USAGE };
      },
    });
    const tools = [tool("ls")];
    expect(await claudeCodeRuntime(setup).run(request({ tools }))).toMatchObject({
      kind: "answered",
      usage: { inputTokens: 200, outputTokens: 40 },
    });
    expect(times).toBe(3);
  });

  test("is ended before a turn that would cross the cap on tokens", async () => {
    const { setup, provider } = await facing({
      match: {},
      response: { toolCalls: [{ name: "mcp__cupel__ls", arguments: "{}" }], usage: USAGE },
    });
    const limits = { ...LIMITS, maxInputTokens: 350 };
    const answer = await claudeCodeRuntime(setup).run(request({ tools: [tool("ls")], limits }));
    expect(answer).toMatchObject({ kind: "failed", why: expect.stringContaining("350 tokens") });
    expect(answer.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
    expect(provider.mock.getRequests().length).toBeLessThanOrEqual(4);
  });

  test("running out of turns is no output, and can be gone on from", async () => {
    const { setup } = await facing({
      match: {},
      response: { toolCalls: [{ name: "mcp__cupel__ls", arguments: "{}" }], usage: USAGE },
    });
    const limits = { ...LIMITS, maxTurns: 2 };
    const answer = await claudeCodeRuntime(setup).run(request({ tools: [tool("ls")], limits }));
    expect(answer).toMatchObject({ kind: "no-output", session: expect.stringMatching(/./) });
  });

  test("has no tool but ours without a sandbox, its own file tools within one, and its shell never", async () => {
    const { setup, provider } = await facing(fixture);
    const tools = [tool("read"), tool("write"), tool("run_tests")];
    const offered = (): string[] => {
      const body = JSON.parse(JSON.stringify(provider.mock.getLastRequest()?.body));
      return body.tools.map((one: { function: { name: string } }) => one.function.name).toSorted();
    };
    const workspace = join(setup.home, "workspace");
    await claudeCodeRuntime(setup).run(request({ tools, workspace }));
    expect(offered()).toEqual([
      "StructuredOutput",
      "mcp__cupel__read",
      "mcp__cupel__run_tests",
      "mcp__cupel__write",
    ]);
    await claudeCodeRuntime({ ...setup, sandbox: { inside: (path) => path } }).run(
      request({ tools, workspace }),
    );
    expect(offered()).toEqual(["Read", "StructuredOutput", "Write", "mcp__cupel__run_tests"]);
  });

  test.skipIf(!bubblewrapWorks)(
    "uses its own file tools inside the sandbox only (needs bubblewrap)",
    async () => {
      const outside = temporary();
      const workspace = temporary();
      const steps = [
        { name: "Write", arguments: JSON.stringify({ file_path: "/workspace/a.txt", content: "made" }) },
        { name: "Read", arguments: JSON.stringify({ file_path: "/workspace/given.txt" }) },
        { name: "Read", arguments: JSON.stringify({ file_path: `${outside}/secret.txt` }) },
        { name: "StructuredOutput", arguments: '{"answer":{}}' },
      ];
      writeFileSync(join(outside, "secret.txt"), "a secret word");
      writeFileSync(join(workspace, "given.txt"), "a given word");
      let step = 0;
      const { setup, provider } = await facing({
        match: {},
        response: () => ({ toolCalls: steps.slice(step, ++step), usage: USAGE }),
      });
      const runtime = claudeCodeRuntime({
        ...setup,
        start: boxed(setup.home),
        sandbox: { inside: () => "/workspace" },
      });
      const answer = await runtime.run(request({ tools: [tool("read"), tool("write")], workspace }));
      expect(answer).toMatchObject({ kind: "answered" });
      expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("made");
      const results = answer.transcript.filter((entry) => entry.kind === "tool-result");
      expect(results).toMatchObject([
        { tool: "Write", failed: false },
        { tool: "Read", failed: false, text: expect.stringContaining("a given word") },
        { tool: "Read", failed: true },
      ]);
      expect(JSON.stringify(provider.mock.getRequests())).not.toContain("a secret word");
    },
  );

  test("that fell silent is reminded in its own conversation", async () => {
    let times = 0;
    const { setup, provider } = await facing(
      { match: { predicate: () => (times += 1) === 1 }, response: fixture.response, latency: 60_000 },
      { match: {}, response: MANNERS.output({ answer: WORK }) },
    );
    const { outcome } = await ask(claudeCodeRuntime(setup), {
      model: "anthropic:claude-sonnet-5",
      limits: { ...LIMITS, silenceMs: 1500 },
    });
    expect(outcome).toMatchObject({ kind: "done", asked: 2, costUsd: "unknown" });
    expect(JSON.stringify(provider.mock.getLastRequest()?.body)).toMatch(
      /Slugs[\s\S]*Reminder: nothing has been heard/,
    );
  });

  test.each(["00000000-0000-4000-8000-000000000000", "no conversation", "--help"])(
    "cannot go on from %j",
    async (forkFrom) => {
      const { setup } = await facing(fixture);
      expect(await claudeCodeRuntime(setup).run(request({ forkFrom }))).toMatchObject({ kind: "failed" });
    },
  );

  test("tells its last words when it does not start", async () => {
    const { setup } = await facing(fixture);
    expect(await claudeCodeRuntime({ ...setup, start: broken }).run(request())).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/exit code 4: broken/),
    });
  });
});

const broken: StartAgent = (_, __, options) => startCommand("sh", ["-c", "echo broken >&2; exit 4"], options);

/** A sandbox that holds what the CLI needs, its home and the workspace. */
function boxed(home: string): StartAgent {
  return (command, args, { workspace = "", ...options }) => {
    const system = ["/usr", "/bin", "/lib", "/lib64", "/etc", dirname(command)].filter((path) =>
      existsSync(path),
    );
    const seen = system.flatMap((path) => ["--ro-bind", path, path]);
    const own = ["--bind", workspace, "/workspace", "--bind", home, home];
    const world = [
      "--tmpfs",
      "/tmp",
      ...seen,
      ...own,
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--unshare-pid",
      "--die-with-parent",
    ];
    return startCommand("bwrap", [...world, "--chdir", "/workspace", command, ...args], { env: options.env });
  };
}

async function facing(...fixtures: Parameters<typeof openProvider>[0]) {
  const provider = await openProvider(fixtures);
  undo.push(() => provider.close());
  return { provider, setup: setupFor(provider.url) };
}
