// The whole way of a person's own agent: found, started in the sandbox, talked to with the real package.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { acpIn } from "../../../src/factory/acp-agent.ts";
import { acpProgram } from "../../../src/factory/acp-program.ts";
import { request } from "../claude-code/requests.ts";

const PACKAGE: string = "@agentclientprotocol/sdk";
const AGENT = fileURLToPath(new URL("../../acp-agent.mjs", import.meta.url));

test("a program of the settings answers from inside the sandbox", async () => {
  const home = mkdtempSync(join(tmpdir(), "cupel-acp-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const program = acpProgram(
    { command: "node", args: [AGENT, "--acp"] },
    { project: home, path: process.env["PATH"] },
  );
  const runtime = await acpIn({ program, env: {}, home, load: () => import(PACKAGE) });
  onTestFinished(() => runtime.close());
  const answer = await runtime.run(request({ prompt: `[${home}] [${AGENT}]` }));
  expect(answer).toMatchObject({
    kind: "answered",
    output: { cwd: "/workspace", args: ["--acp"], saw: [AGENT], wrote: false },
  });
});
