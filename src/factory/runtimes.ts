// The runtimes of one project: each with its key and its home, recorded or replaced by a script where that was asked for.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime, RuntimeName } from "../agents/port.ts";
import { recording } from "../agents/runtimes/recording.ts";
import { runtimeRegistry } from "../agents/runtimes/registry.ts";
import type { RuntimeLoaders, RuntimeRegistry } from "../agents/runtimes/registry.ts";
import { scriptedRuntime } from "../agents/runtimes/scripted.ts";
import type { ScriptedOptions } from "../agents/runtimes/scripted.ts";
import type { Redact } from "../agents/secrets.ts";
import type { ScriptLine } from "../domain/agent/script-line.ts";
import { CupelError } from "../domain/error.ts";
import type { AcpSetting } from "../domain/config.ts";
import { startCommand } from "../workshop/process/run-command.ts";
import { acpIn } from "./acp-agent.ts";
import { acpProgram } from "./acp-program.ts";
import type { RecordingFile } from "./script-files.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RuntimesOptions {
  project: string;
  env: Environment;
  acp: AcpSetting | undefined;
  /** Where agents that keep conversations have their homes. */
  homes: string;
  /** Another source of the providers' packages than what is installed. */
  load?: (packageName: string) => Promise<unknown>;
  redact: Redact;
  /** Simulated agents, as the settings have them. */
  simulator?: () => Promise<Runtime>;
  script: readonly ScriptLine[] | undefined;
  playing: ScriptedOptions;
  recording: RecordingFile | undefined;
}

export function openRuntimes(options: RuntimesOptions): RuntimeRegistry {
  const { script, playing, recording: file, redact } = options;
  if (script !== undefined)
    return runtimeRegistry(
      recorded({ scripted: async () => scriptedRuntime(script, playing) }, file, redact),
    );
  const registry = runtimeRegistry(recorded(loadersOf(options), file, redact));
  return {
    async get(name) {
      assertPlayable(name, options);
      return registry.get(name);
    },
    close: () => registry.close(),
  };
}

/** What a runtime lacks to play anything where no script was given. */
export function assertPlayable(
  name: RuntimeName,
  { project, env, acp }: Pick<RuntimesOptions, "project" | "env" | "acp">,
): void {
  if (name === "scripted")
    throw new CupelError("usage", "the runtime scripted plays a script, and none was given", {
      hint: "say --replay FILE, name the script in cupel.config.json, or name another runtime",
    });
  if (name === "acp") acpProgram(acp, { project, path: env["PATH"] });
}

function recorded(loaders: RuntimeLoaders, file: RecordingFile | undefined, redact: Redact): RuntimeLoaders {
  if (file === undefined) return loaders;
  const wrapped = Object.entries(loaders).map(([name, load]) => [
    name,
    async (): Promise<Runtime> => recording(await load(), (line) => file.write(line), redact),
  ]);
  return Object.fromEntries(wrapped);
}

function loadersOf({ project, env, homes, acp, load, simulator }: RuntimesOptions): RuntimeLoaders {
  return {
    ...(simulator === undefined ? {} : { simulator }),
    model: () => modelOn(env, load),
    "claude-code": () => claudeCodeIn(homes, env),
    codex: () => codexIn(homes, env),
    acp: async () =>
      acpIn({
        program: acpProgram(acp, { project, path: env["PATH"] }),
        env: only(env, acp?.env ?? []),
        home: await homeIn(homes, "acp"),
      }),
  };
}

/** Where people keep what a provider's own package would not look for under our names. */
const ADDRESSES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  "openai-compatible": "OPENAI_COMPATIBLE_BASE_URL",
  "google-genai": "GEMINI_BASE_URL",
  ollama: "OLLAMA_BASE_URL",
};

/** Where a person can say that a provider is reached elsewhere. */
export function addressVariableOf(provider: string): string | undefined {
  return ADDRESSES[provider];
}

/** LangChain takes a while to load, so it is loaded when a model is asked. */
async function modelOn(env: Environment, load: RuntimesOptions["load"]): Promise<Runtime> {
  const [{ modelRuntime }, { keyVariableOf }] = await Promise.all([
    import("../agents/runtimes/model.ts"),
    import("../agents/runtimes/model-providers.ts"),
  ]);
  return modelRuntime({
    key: (provider) => env[keyVariableOf(provider) ?? "OPENAI_COMPATIBLE_API_KEY"],
    baseUrl: (provider) => setIn(env, addressVariableOf(provider) ?? ""),
    env,
    ...(load === undefined ? {} : { load }),
  });
}

function setIn(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/** An agent's environment is this and nothing else. */
const FOR_AGENTS = ["PATH", "LANG", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"];

function only(env: Environment, names: readonly string[]): Record<string, string> {
  const given = [...FOR_AGENTS, ...names].flatMap((name) => {
    const value = setIn(env, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** Without tools of its own, so that it needs no sandbox: it sees what our tools give it. */
async function claudeCodeIn(homes: string, env: Environment): Promise<Runtime> {
  const { claudeCodeRuntime } = await import("../agents/runtimes/claude-code.ts");
  return claudeCodeRuntime({
    start: startCommand,
    home: await homeIn(homes, "claude-code"),
    env: only(env, [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_BASE_URL",
      "CLAUDE_CODE_OAUTH_TOKEN",
    ]),
  });
}

const OPENAI = "https://api.openai.com/v1";

async function codexIn(homes: string, env: Environment): Promise<Runtime> {
  const { codexRuntime } = await import("../agents/runtimes/codex.ts");
  // The path of a socket must be short, so it lies in no project.
  const sockets = await mkdtemp(join(tmpdir(), "cupel-"));
  const runtime = codexRuntime({
    provider: { baseUrl: setIn(env, "OPENAI_BASE_URL") ?? OPENAI, keyName: "OPENAI_API_KEY" },
    env: only(env, ["OPENAI_API_KEY"]),
    home: await homeIn(homes, "codex"),
    relay: { directory: sockets, inside: sockets, node: process.execPath },
  });
  return {
    ...runtime,
    close: async () => {
      await runtime.close();
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

async function homeIn(homes: string, name: RuntimeName): Promise<string> {
  const home = join(homes, name);
  await mkdir(home, { recursive: true, mode: 0o700 });
  return home;
}
