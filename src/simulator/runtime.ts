// The simulator as a runtime: each call gets what an honest agent would do, changed by how its role behaves, and plays it.
import type { Runtime, RuntimeRequest } from "../agents/port.ts";
import { scriptedRuntime } from "../agents/runtimes/scripted.ts";
import { keyText } from "../domain/agent/call-key.ts";
import type { ScriptLine } from "../domain/agent/script-line.ts";
import type { Role } from "../domain/artifact/role.ts";
import type { Usage } from "../domain/run/run-event.ts";
import { performed } from "./behaviours.ts";
import type { SimulatedCast } from "./cast.ts";
import { chance } from "../domain/chance.ts";
import { honest } from "./honest.ts";
import type { Behaviour, Performance, SimulatedCall, SimulatedCase } from "./port.ts";

export interface SimulatorOptions {
  cast: SimulatedCast;
  cases: readonly SimulatedCase[];
  seed: number;
  /** Nothing heard for so long is silence, where that is less than the call's own limit. */
  silenceMs?: number;
  /** Told of each call: whether somebody honest would have done the same. */
  watch?: (played: { role: Role; honest: boolean }) => void;
  /** What a call would have cost in tokens; nothing unless told. */
  usage?: (call: SimulatedCall, performance: Performance) => Usage;
}

const NOTHING_PAID = { inputTokens: 0, outputTokens: 0 };

export function simulatorRuntime(options: SimulatorOptions): Runtime {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    name: "simulator",
    forks: "always",
    costs: "nothing",
    async run(request) {
      const playing = play(request, options, stopping.signal).finally(() => running.delete(playing));
      running.add(playing);
      return playing;
    },
    async close() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

async function play(
  request: RuntimeRequest,
  options: SimulatorOptions,
  stopped: AbortSignal,
): ReturnType<Runtime["run"]> {
  const line = await lineFor(request, options);
  const { silenceMs = request.limits.silenceMs } = options;
  const limits = { ...request.limits, silenceMs: Math.min(silenceMs, request.limits.silenceMs) };
  const signal = AbortSignal.any([request.signal, stopped]);
  // A script of one line: how a call is played is the same for both.
  return scriptedRuntime([line]).run({ ...request, limits, signal });
}

async function lineFor(request: RuntimeRequest, options: SimulatorOptions): Promise<ScriptLine> {
  const { key } = request;
  const rest = { key, inputHash: null, usage: NOTHING_PAID };
  const about = options.cases.find(({ planned }) => planned.module_id === key.module);
  const call = (behaviour?: Behaviour): SimulatedCall => ({
    key,
    role: request.role,
    system: request.system,
    prompt: request.prompt,
    workspace: request.workspace,
    tools: request.tools.map(({ name }) => name),
    case: about,
    random: chance(options.seed, `${keyText(key)} ${behaviour?.name ?? ""}`),
  });
  const performance = honest(call(), options.cases);
  if (performance === undefined) {
    const said = unknownWork(request, options.cases);
    return { ...rest, files: {}, toolCalls: [], output: null, latencyMs: 0, ending: "crash", said };
  }
  const line = await performed(performance, options.cast.behavioursOf(request.role), call);
  options.watch?.({ role: request.role, honest: isSame(performance, line) });
  return { ...rest, ...line, usage: options.usage?.(call(), line) ?? NOTHING_PAID };
}

function isSame(one: Performance, other: Performance): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function unknownWork({ key, role }: RuntimeRequest, cases: readonly SimulatedCase[]): string {
  const known = cases.map(({ planned }) => planned.module_id).join(", ");
  return (
    `simulated agents know only the product of the simulator (${known}); the ${role} was asked about ` +
    `${key.module ?? key.task ?? "something else"}. Make a project of it: cupel init DIR --simulated`
  );
}
