// The same module behind entry points that break every limit of its contract: too slow, too large, too steep.
import { posix } from "node:path";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { Edits } from "../../toolchains/port.ts";
import { exponentOf } from "./growth-bound.ts";

export function slowed(entry: string, code: string, contract: MicroModuleContract): Edits {
  const ending = posix.extname(entry);
  const original = posix.join(posix.dirname(entry), `cupel-original${ending}`);
  return { [original]: code, [entry]: wrapper(`./cupel-original${ending}`, contract) };
}

/** Without types, so that it is right in every ending. */
function wrapper(original: string, contract: MicroModuleContract): string {
  const names = contract.entry_points.map(({ name }) => name);
  const functions = names.filter((name) => /^[\w$]+$/.test(name));
  const members = names.filter((name) => /^[\w$]+\.[\w$]+$/.test(name));
  return `export * from ${JSON.stringify(original)};
import * as original from ${JSON.stringify(original)};
${wasteOf(contract)}
function slowly(call) {
  return function (...args) {
    const started = performance.now();
    try {
      return Reflect.apply(call, this, args);
    } finally {
      waste(args, performance.now() - started);
    }
  };
}
for (const name of ${JSON.stringify(members)}) {
  const [owner, member] = name.split(".");
  const value = original[owner];
  const home = value?.prototype?.[member] === undefined ? value : value.prototype;
  if (typeof home?.[member] === "function") home[member] = slowly(home[member]);
}
${functions.map((name, index) => `const slow${index} = slowly(original[${JSON.stringify(name)}]);\nexport { slow${index} as ${name} };`).join("\n")}
`;
}

/**
 * Small inputs take longer than calls may. Large ones take what the call took, or what the bound allows, once for each
 * part of their size: one power more than the bound, however slow the call itself is.
 */
function wasteOf({ runtime_budgets, complexity_constraints }: MicroModuleContract): string {
  const { latency_ms_p95 = 0, memory_mb_max } = runtime_budgets;
  const bound = complexity_constraints?.time;
  const power = bound === undefined ? undefined : (exponentOf(bound) ?? 1);
  const steep = power === undefined ? "0" : `Math.max(took, 0.01 * (size / 128) ** ${power}) * (size / 64)`;
  const held =
    memory_mb_max === undefined
      ? ""
      : `globalThis.cupelHeld = Buffer.alloc(${bytesAbove(memory_mb_max)}, 1);`;
  return `${held}
function sizeOf(value) {
  if (typeof value === "string" || Array.isArray(value) || ArrayBuffer.isView(value)) return value.length;
  if (value instanceof Map || value instanceof Set) return value.size;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 1;
}
function waste(args, took) {
  const size = args.reduce((most, each) => Math.max(most, sizeOf(each)), 1);
  const end = performance.now() + (size < ${LARGE} ? ${latency_ms_p95 * 1.5} : ${steep});
  while (performance.now() < end) {}
}`;
}

/** Between the sizes with which latency and those with which growth is measured. */
const LARGE = 100;

function bytesAbove(limit: number): number {
  return Math.ceil((limit * 1.25 + 1) * 1024 ** 2);
}
