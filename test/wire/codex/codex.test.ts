// Codex's real CLI against a provider on loopback.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { codexRuntime, type CodexSetup } from "../../../src/agents/runtimes/codex.ts";
import { runtimeSuite } from "../../../src/agents/runtimes/runtime.suite.ts";
import { bubblewrapWorks } from "../../bubblewrap.ts";
import { oneDoor, processesWith } from "../claude-code/one-door.ts";
import { request, tool } from "../claude-code/requests.ts";
import {
  marked,
  type Manners,
  openProvider,
  playing,
  problem,
  USAGE,
} from "../claude-code/scripted-provider.ts";
import { troublesSuite } from "../claude-code/troubles.suite.ts";

const MANNERS: Manners = {
  output: (value) => ({ content: JSON.stringify(value), usage: USAGE }),
  refusal: problem(
    400,
    "invalid_prompt: this was flagged as against our usage policy",
    "invalid_request_error",
  ),
  // Codex groups the tools of a server under its name; the mock knows plain names only.
  rewrite: (line) => line.replaceAll(/"name":"mcp__cupel__(\w+)"/g, '"name":"$1","namespace":"mcp__cupel"'),
};

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** Codex works differently below /tmp. */
function setupFor(url: string): CodexSetup {
  const home = mkdtempSync(join("/var/tmp", "cupel-codex-"));
  undo.push(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const directory = join(home, "s");
  return {
    home,
    provider: { baseUrl: `${url}/v1`, keyName: "CUPEL_WIRE_KEY" },
    env: { PATH: "/usr/bin:/bin", CUPEL_WIRE_KEY: "dummy-key" },
    relay: { directory, inside: directory, node: process.execPath },
    load: () => import("@openai/codex-sdk"),
  };
}

runtimeSuite("codex", async (lines) => {
  const provider = await playing(lines, MANNERS);
  undo.push(() => provider.close());
  return {
    runtime: marked(codexRuntime(setupFor(provider.url)), lines),
    heard: (key) => provider.heard(key),
  };
});

troublesSuite("codex", {
  make: (url) => codexRuntime(setupFor(url)),
  manners: MANNERS,
  model: "openai:gpt-5",
  tellsWhen: false,
});

describe("the CLI of Codex", () => {
  const fixture = { match: {}, response: MANNERS.output({ answer: {} }) };

  test.skipIf(!bubblewrapWorks)("asks nobody but its provider (needs bubblewrap)", async () => {
    const { provider, setup } = await facing(fixture);
    const door = await oneDoor(setup.home, provider.front.port);
    undo.push(() => door.close());
    const executable = join(setup.home, "codex-behind-a-door");
    const [command, args] = door.wrap(nativeCodex(), []);
    const words = [command, ...args].map((word) => `'${word}'`).join(" ");
    writeFileSync(executable, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    const answer = await codexRuntime({ ...setup, executable }).run(request({ tools: [tool("ls")] }));
    expect(answer).toMatchObject({ kind: "answered" });
    await expect.poll(() => existsSync(join(setup.home, "report.json"))).toBe(true);
    const { through, opened, astray } = door.report();
    expect(through).toBeGreaterThan(0);
    expect(opened).toBe(through);
    expect(Object.values(astray)).toEqual([0, 0, 0, 0]);
    expect(new Set(provider.front.requests)).toEqual(new Set(["POST /v1/responses"]));
  });

  test("is gone, with all it started, when the call was aborted", async () => {
    const { setup } = await facing({ ...fixture, latency: 60_000 });
    const controller = new AbortController();
    const asked = codexRuntime(setup).run(request({ signal: controller.signal, tools: [tool("ls")] }));
    await expect.poll(() => processesWith(setup.home).length, { timeout: 5000 }).toBeGreaterThan(0);
    controller.abort();
    expect((await asked).kind).toBe("aborted");
    await expect.poll(() => processesWith(setup.home), { timeout: 1000 }).toEqual([]);
  });

  test("has neither shell nor files nor the web, only our tools and two that do nothing", async () => {
    const { setup, front } = await listening();
    await codexRuntime(setup).run(request({ tools: [tool("read")] }));
    const { tools } = JSON.parse(front.bodies[0] ?? "{}");
    expect(namesIn(tools).toSorted()).toEqual([
      "list_mcp_resource_templates",
      "list_mcp_resources",
      "mcp__cupel",
      "read",
      "read_mcp_resource",
      "request_user_input",
    ]);
  });

  test("is told who it is by us alone", async () => {
    const { setup, front } = await listening();
    await codexRuntime(setup).run(request());
    const { input, instructions } = JSON.parse(front.bodies[0] ?? "{}");
    const told = JSON.stringify([instructions, input]);
    expect(told).toContain("You are the Proposer.");
    expect(told).not.toMatch(/Codex|AGENTS\.md|sandbox/);
  });

  test("does not work from a home below /tmp", async () => {
    const { setup } = await facing(fixture);
    expect(await codexRuntime({ ...setup, home: "/tmp/codex" }).run(request())).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("below /tmp"),
      hint: expect.stringMatching(/./),
    });
  });

  test("leaves nothing of a call behind but its own records", async () => {
    const { setup } = await facing(fixture);
    await codexRuntime(setup).run(request({ tools: [tool("ls")] }));
    expect(readdirSync(setup.home).toSorted()).toEqual([".codex", "nowhere", "s"]);
    expect(readdirSync(join(setup.home, "s"))).toEqual([]);
  });
});

async function facing(...fixtures: Parameters<typeof openProvider>[0]) {
  const provider = await openProvider(fixtures);
  undo.push(() => provider.close());
  return { provider, setup: setupFor(provider.url) };
}

/** A provider that says no, so that what it was asked can be read as it came. */
async function listening() {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      bodies.push(Buffer.concat(parts).toString("utf8"));
      outgoing.writeHead(401).end("{}");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  undo.push(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { setup: setupFor(`http://127.0.0.1:${port}`), front: { bodies } };
}

function namesIn(tools: readonly { name: string; tools?: { name: string }[] }[]): string[] {
  return tools.flatMap(({ name, tools: inner = [] }) => [name, ...namesIn(inner)]);
}

/** The program that the package would start itself. */
function nativeCodex(): string {
  const start = createRequire(createRequire(import.meta.url).resolve("@openai/codex/package.json"));
  const manifest = start.resolve(`@openai/codex-linux-${process.arch}/package.json`);
  const target = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`;
  return join(dirname(manifest), "vendor", target, "bin", "codex");
}
