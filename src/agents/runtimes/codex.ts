// Codex as a runtime: its CLI on one provider, without any tool of its own, with ours through a relay.
import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Runtime, RuntimeAnswer, RuntimeRequest } from "../port.ts";
import { withinMs } from "./agent-process.ts";
import { codexReader } from "./codex-reader.ts";
import type { CodexEvent, CodexSdk } from "./codex-sdk.ts";
import { type CodexProvider, codexSettings } from "./codex-settings.ts";
import { openToolSocket, type RelayPlace, type ToolSocket } from "./mcp-socket.ts";
import { offered, withoutDraft } from "./mcp-tools.ts";
import { modelName, NOTHING_SPENT, openCalls, opening, UNKNOWN_SPENT } from "./open-calls.ts";
import { optionalPackage } from "./optional-package.ts";
import { failureOf } from "./provider-failure.ts";
import { keepVigil, type Vigil } from "./vigil.ts";

export interface CodexSetup {
  provider: CodexProvider;
  /** All of the CLI's environment besides what is set here: its key above all. */
  env: Readonly<Record<string, string>>;
  /** Its home, nobody else's, and not below /tmp, where the CLI works differently without saying so. */
  home: string;
  relay: RelayPlace;
  /** The CLI to run instead of the one in the package, such as one that starts it in a sandbox. */
  executable?: string;
  load?: () => Promise<CodexSdk>;
}

/**
 * The CLI tells whole messages only and watches its stream by itself; what it does not watch, such as a provider that
 * does not even begin to answer, is found here after so many times the silence.
 */
const OWN_WATCH = 4;
const FAREWELL_MS = 2000;

export function codexRuntime(setup: CodexSetup): Runtime {
  const calls = openCalls();
  const load = optionalPackage("codex", "@openai/codex-sdk", setup.load);
  return {
    name: "codex",
    // The CLI can fork, the package cannot.
    forks: "never",
    run: (request) =>
      calls.run(request, async (signal) => {
        const refusal = refusalOf(setup);
        const sdk = refusal ?? (await load());
        if (sdk.kind === "failed") return { ...sdk, ...NOTHING_SPENT, transcript: opening(request) };
        return prepared(setup, sdk.loaded, request, signal);
      }),
    close: () => calls.close(),
  };
}

function refusalOf({ home }: CodexSetup): { kind: "failed"; why: string; hint: string } | undefined {
  if (!/^\/tmp(\/|$)/.test(resolve(home))) return undefined;
  return {
    kind: "failed",
    why: `Codex does not work from a home below /tmp: ${home}`,
    hint: "work in a project that is not below /tmp",
  };
}

/** What the CLI needs beside it for one call, gone afterwards. */
async function prepared(
  setup: CodexSetup,
  sdk: CodexSdk,
  request: RuntimeRequest,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const transcript = opening(request);
  const vigil = keepVigil(request.limits.silenceMs * OWN_WATCH, signal);
  const instructions = join(setup.home, `instructions-${randomUUID()}.md`);
  let socket: ToolSocket | undefined;
  try {
    await mkdir(workingDirectory(setup), { recursive: true });
    await mkdir(join(setup.home, ".codex"), { recursive: true });
    await writeFile(instructions, request.system);
    if (request.tools.length > 0) {
      socket = await openToolSocket(setup.relay, offered(request.tools, transcript, signal, vigil));
    }
    return await ask(setup, sdk, request, { transcript, vigil, instructions, socket });
  } finally {
    vigil.close();
    await socket?.close();
    await rm(instructions, { force: true });
  }
}

interface Place {
  transcript: ReturnType<typeof opening>;
  vigil: Vigil;
  instructions: string;
  socket: ToolSocket | undefined;
}

async function ask(
  setup: CodexSetup,
  sdk: CodexSdk,
  request: RuntimeRequest,
  { transcript, vigil, instructions, socket }: Place,
): Promise<RuntimeAnswer> {
  const reader = codexReader(request, transcript);
  const stop = new AbortController();
  try {
    const codex = new sdk.Codex({
      env: { ...setup.env, ...socket?.env, HOME: setup.home, CODEX_HOME: join(setup.home, ".codex") },
      config: codexSettings(request, setup.provider, instructions, socket),
      ...(setup.executable === undefined ? {} : { codexPathOverride: setup.executable }),
    });
    const { events } = await codex
      .startThread({
        model: modelName(request.model),
        sandboxMode: "read-only",
        workingDirectory: workingDirectory(setup),
        skipGitRepoCheck: true,
        approvalPolicy: "never",
        webSearchMode: "disabled",
        networkAccessEnabled: false,
      })
      .runStreamed(request.prompt, {
        outputSchema: withoutDraft(request.outputSchema),
        signal: stop.signal,
      });
    const iterator = events[Symbol.asyncIterator]();
    for (;;) {
      const coming = iterator.next();
      coming.catch(() => undefined);
      const next = await Promise.race([coming, vigil.over]);
      if (next === "aborted") return { kind: "aborted", ...UNKNOWN_SPENT, transcript };
      if (next === "silent") {
        const { silenceMs } = request.limits;
        return {
          kind: "silent",
          afterMs: silenceMs * OWN_WATCH,
          session: reader.session(),
          ...UNKNOWN_SPENT,
          transcript,
        };
      }
      if (next.done === true)
        return {
          kind: "failed",
          why: reader.complaint() || "Codex ended without a result",
          ...UNKNOWN_SPENT,
          transcript,
        };
      vigil.heard();
      const end = reader.read(next.value);
      if (end === undefined) continue;
      if ("session" in end.ending) await withinMs(drained(iterator), FAREWELL_MS);
      return { ...end.ending, ...end.spent, transcript };
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const text = [reader.complaint(), words].filter((part) => part !== "").join("; ");
    return { ...failureOf({ text: `Codex: ${text}` }), ...UNKNOWN_SPENT, transcript };
  } finally {
    stop.abort();
  }
}

/** Lets the CLI write its records and end by itself. */
async function drained(events: AsyncIterator<CodexEvent>): Promise<void> {
  try {
    while ((await events.next()).done !== true);
  } catch {
    // It has said what counts.
  }
}

/** Without tools of its own the CLI needs no place to work. */
function workingDirectory({ home }: CodexSetup): string {
  return join(home, "nowhere");
}
