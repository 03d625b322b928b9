import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { smallAcpSdk } from "../../test/acp-client.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { RuntimeAnswer, RuntimeRequest } from "../agents/port.ts";
import { acpIn } from "./acp-agent.ts";
import { type AcpProgram, acpProgram } from "./acp-program.ts";

const AGENT = new URL("../../test/acp-agent.mjs", import.meta.url);

function request(change: Partial<RuntimeRequest>): RuntimeRequest {
  return {
    role: "arbiter",
    key: { role: "arbiter", task: null, module: null, node: "ask", attempt: 1, turn: 1 },
    system: "You are asked.",
    prompt: "Look.",
    outputSchema: { title: "Seen", type: "object" },
    tools: [],
    model: "acp:default",
    limits: { silenceMs: 20_000, timeoutMs: 30_000, maxInputTokens: 1, maxOutputTokens: 1, maxTurns: 9 },
    signal: new AbortController().signal,
    ...change,
  };
}

/** An agent of its own, installed beside something else. */
function installed(): { project: string; bin: string; agent: string } {
  const project = temporaryDirectory();
  writeFileSync(join(project, "secret.txt"), "sealed");
  const bin = mkdtempSync(join(tmpdir(), "agent-"));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  // Under root the sandbox is another user.
  chmodSync(bin, 0o755);
  const agent = join(bin, "my-agent");
  copyFileSync(AGENT, `${agent}.mjs`);
  chmodSync(`${agent}.mjs`, 0o755);
  symlinkSync("my-agent.mjs", agent);
  return { project, bin, agent };
}

async function asked(program: AcpProgram, change: Partial<RuntimeRequest> = {}): Promise<RuntimeAnswer> {
  const runtime = await acpIn({
    program,
    env: { PATH: "/nowhere", MY_AGENT_KEY: "k" },
    home: join(temporaryDirectory(), "home"),
    load: async () => smallAcpSdk,
  });
  onTestFinished(() => runtime.close());
  return runtime.run(request(change));
}

describe("a person's own agent", () => {
  test("is found by its name, sees itself, its workspace and its key, and answers through submit", async () => {
    const { project, bin } = installed();
    const workspace = mkdtempSync(join(tmpdir(), "tree-"));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    writeFileSync(join(workspace, "a.ts"), "");
    chmodSync(workspace, 0o755);
    const program = acpProgram({ command: "my-agent", args: ["--acp"] }, { project, path: bin });
    const paths = [join(project, "secret.txt"), join(bin, "my-agent.mjs"), "/workspace/a.ts", project];
    const answer = await asked(program, { workspace, prompt: paths.map((path) => `[${path}]`).join(" ") });
    expect(answer).toMatchObject({
      kind: "answered",
      output: {
        cwd: "/workspace",
        args: ["--acp"],
        saw: [join(bin, "my-agent.mjs"), "/workspace/a.ts"],
        key: "k",
        other: null,
        wrote: false,
      },
    });
    expect(readFileSync(join(bin, "my-agent.mjs"), "utf8")).toContain("A small agent");
  });

  test("may be a script that an interpreter is started with, also inside the project, of which nothing else is seen", async () => {
    const { project } = installed();
    mkdirSync(join(project, "tools"));
    const script = join(project, "tools/agent.mjs");
    copyFileSync(AGENT, script);
    const program = acpProgram({ command: process.execPath, args: [script] }, { project, path: undefined });
    const answer = await asked(program, { prompt: `[${script}] [${join(project, "secret.txt")}]` });
    expect(answer).toMatchObject({ kind: "answered", output: { saw: [script] } });
  });

  test("that ends at once has failed with its last words", async () => {
    const program = { command: "/bin/sh", args: ["-c", "echo no licence >&2; exit 7"], visible: [] };
    expect(await asked(program)).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/exit code 7: no licence/),
    });
  });
});

describe("what is made visible", () => {
  test("is nothing for a program of the system", () => {
    const where = { project: temporaryDirectory(), path: "/usr/bin" };
    expect(acpProgram({ command: "sh" }, where)).toEqual({ command: "/usr/bin/sh", args: [], visible: [] });
  });

  test("is a package with its neighbours, but never the project around it", () => {
    const project = temporaryDirectory();
    const packages = join(project, "node_modules");
    mkdirSync(join(packages, "agent/dist"), { recursive: true });
    mkdirSync(join(packages, ".bin"));
    copyFileSync(AGENT, join(packages, "agent/dist/cli.mjs"));
    chmodSync(join(packages, "agent/dist/cli.mjs"), 0o755);
    symlinkSync("../agent/dist/cli.mjs", join(packages, ".bin/agent"));
    const where = { project, path: "/usr/bin" };
    expect(acpProgram({ command: "node_modules/.bin/agent" }, where)).toEqual({
      command: join(packages, "agent/dist/cli.mjs"),
      args: [],
      visible: [packages],
    });
    copyFileSync(AGENT, join(project, "agent.mjs"));
    chmodSync(join(project, "agent.mjs"), 0o755);
    expect(acpProgram({ command: "./agent.mjs" }, where).visible).toEqual([join(project, "agent.mjs")]);
  });

  test.each([
    ["no-such-agent", /no-such-agent, and there is no such program in any directory of your PATH/],
    ["./no-such-agent", /there is no such program in \/.*\/no-such-agent/],
    [".", /there is no such program/],
  ])("is not asked where there is no program %s", (command, message) => {
    const where = { project: temporaryDirectory(), path: ".:/usr/bin" };
    expect(() => acpProgram({ command }, where)).toThrow(message);
  });

  test("the setting that is missing is named with what to add", () => {
    expect(() => acpProgram(undefined, { project: "/", path: "" })).toThrow(
      expect.objectContaining({ code: "invalid_config", hint: expect.stringContaining('"acp": {"command"') }),
    );
  });
});
