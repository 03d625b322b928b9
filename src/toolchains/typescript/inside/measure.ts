// Runs inside a site: calls a module's entry points with made-up inputs and writes down how long they take and how much they hold.
//
// What is to be done comes on stdin with a nonce, before any code of the module is loaded; the one line that begins
// with the nonce is the report.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import type { MeasureOrder, MeasureReport, MeasuredEntry } from "../measure-order.ts";
import { growthOf, type Timing } from "./growth.ts";
import { inputsFor, VARIANTS } from "./inputs.ts";

/** Taken before the module is loaded, which could put others in their place. */
const clock = performance.now.bind(performance);
const write = process.stdout.write.bind(process.stdout);
const memory = process.memoryUsage.bind(process);
const collectGarbage: unknown = Reflect.get(globalThis, "gc");

const WARM_UP = 30;
const CALLS = 200;
const FIRST_SIZE = 128;
const LAST_SIZE = 131_072;
const ROUNDS = 7;
const MOST_PER_CALL_MS = 25;
const SAMPLE_MS = 1.2;
let fresh = 0;

const order: MeasureOrder = JSON.parse(readFileSync(0, "utf8"));
const deadline = clock() + order.budgetMs;
const base = held();
const loaded: Record<string, unknown> = load(order.code);
const report: MeasureReport = { calls: 0, latencies: [], memoryBytes: 0, growth: [], skipped: [] };
for (const entry of order.entries) await measureEntry(entry);
write(`\n${order.nonce} ${JSON.stringify(report)}\n`, () => process.exit(0));

function load(code: string): Record<string, unknown> {
  const module = { exports: {} };
  const run = compileFunction(code, ["require", "module", "exports"]);
  Reflect.apply(run, undefined, [createRequire(`${process.cwd()}/`), module, module.exports]);
  return module.exports;
}

/** Where the function is, and what it is called on. */
function targetOf(name: string): { self: unknown; call: (...args: unknown[]) => unknown } | undefined {
  const [root = "", member] = name.split(".");
  const owner = loaded[root];
  if (member === undefined)
    return typeof owner === "function"
      ? { self: undefined, call: (...args) => Reflect.apply(owner, undefined, args) }
      : undefined;
  const held: unknown = typeof owner === "function" ? Reflect.get(owner, member) : undefined;
  const self: unknown =
    typeof held === "function" ? owner : typeof owner === "function" ? made(owner) : owner;
  if (typeof self !== "object" && typeof self !== "function") return undefined;
  const method: unknown = self === null ? undefined : Reflect.get(self, member);
  return typeof method === "function"
    ? { self, call: (...args) => Reflect.apply(method, self, args) }
    : undefined;
}

function made(owner: NewableFunction): unknown {
  try {
    return Reflect.construct(owner, []);
  } catch {
    return undefined;
  }
}

async function measureEntry(entry: MeasuredEntry): Promise<void> {
  const target = targetOf(entry.name);
  if (target === undefined)
    return void report.skipped.push(`${entry.name} cannot be called without more than its inputs`);
  const accepts = entry.requires.map((expr) =>
    compileFunction(
      `"use strict"; return (${expr}
);`,
      ["args"],
    ),
  );
  const isAccepted = (args: readonly unknown[]) =>
    accepts.every((accept) => Reflect.apply(accept, undefined, [args]) === true);
  const give = (variant: (typeof VARIANTS)[number], size: number, seed: number) =>
    inputsFor(entry.inputs, { variant, size, seed }, isAccepted);
  if (give("mixed", 8, 1) === undefined)
    return void report.skipped.push(`no made-up inputs of ${entry.name} meet what it requires`);
  await measureLatency(target.call, (seed) => give("mixed", 1 + (seed % 40), seed) ?? give("mixed", 8, seed));
  if (!entry.scales) return;
  for (const variant of VARIANTS) {
    const timings = await timeSizes(target.call, (size) => give(variant, size, size));
    const growth = growthOf(timings);
    if (growth !== undefined) report.growth.push({ entry: entry.name, ...growth });
  }
}

type Call = (...args: unknown[]) => unknown;
type Give = (seed: number) => unknown[] | undefined;

async function measureLatency(call: Call, give: Give): Promise<void> {
  const limit = Math.min(deadline, clock() + 1_500);
  for (let seed = 0; seed < WARM_UP + CALLS && clock() < limit; seed++) {
    const args = give(seed);
    if (args === undefined) continue;
    const before = seed % 20 === 0 ? held() : undefined;
    const started = clock();
    const result = await outcome(call, args);
    const took = clock() - started;
    if (before !== undefined) report.memoryBytes = Math.max(report.memoryBytes, heap() - base, keep(result));
    if (seed < WARM_UP) continue;
    report.calls += 1;
    report.latencies.push(took);
  }
}

/** An error is an outcome like any other here. */
async function outcome(call: Call, args: readonly unknown[]): Promise<unknown> {
  try {
    const result = call(...args);
    if (isIterator(result)) return drain(result);
    return result instanceof Promise ? await result : result;
  } catch (error) {
    return error;
  }
}

function isIterator(value: unknown): value is Iterator<unknown> {
  return typeof value === "object" && value !== null && "next" in value && typeof value.next === "function";
}

function drain(iterator: Iterator<unknown>): number {
  let count = 0;
  while (count < 100_000 && iterator.next().done !== true) count++;
  return count;
}

/** So that the result is not collected before it was weighed. */
function keep(_result: unknown): number {
  return 0;
}

function heap(): number {
  const { heapUsed, external } = memory();
  return heapUsed + external;
}

function held(): number {
  if (typeof collectGarbage === "function") collectGarbage();
  return heap();
}

/** Sizes take turns, and the least disturbed time of each counts: other work on the machine only ever adds. */
async function timeSizes(call: Call, give: (size: number) => unknown[] | undefined): Promise<Timing[]> {
  const points: { timing: Timing; args: unknown[] }[] = [];
  for (let size = FIRST_SIZE; size <= LAST_SIZE && clock() < deadline; size *= 2) {
    const args = give(size);
    if (args === undefined) continue;
    const timing = { size, ms: await sample(call, args) };
    points.push({ timing, args });
    if (timing.ms > MOST_PER_CALL_MS) break;
  }
  for (let round = 1; round < ROUNDS && clock() < deadline; round++)
    for (const { timing, args } of points) timing.ms = Math.min(timing.ms, await sample(call, args));
  return points.map(({ timing }) => timing);
}

/** The least of several calls. */
async function sample(call: Call, args: readonly unknown[]): Promise<number> {
  let least = Infinity;
  let spent = 0;
  for (let count = 0; count < 3 || (spent < SAMPLE_MS && count < 40); count++) {
    const given = args.map(freshened);
    const started = clock();
    await settled(call, given);
    const took = clock() - started;
    report.calls += 1;
    spent += took;
    least = Math.min(least, took);
    if (took > MOST_PER_CALL_MS * 2) break;
  }
  return least;
}

function settled(call: Call, args: readonly unknown[]): unknown {
  try {
    const result = call(...args);
    if (result instanceof Promise) return result.catch(() => undefined);
    return isIterator(result) ? drain(result) : result;
  } catch {
    return undefined;
  }
}

/** Never the same thing twice, so that what a module remembers does not pass for speed, nor what it changes for less. */
function freshened(value: unknown): unknown {
  fresh += 1;
  if (typeof value === "string" && value.length > 16)
    return Buffer.from(`${fresh % 1000}${value.slice(4)}`).toString();
  if (Array.isArray(value)) return value.slice();
  if (value instanceof Map) return new Map(value);
  return value instanceof Set ? new Set(value) : value;
}
