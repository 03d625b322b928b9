// Keeps one run of foreign code from reaching the next: timers, globals, the environment, output, and the way out.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setSafeTimers } from "@vitest/utils/timers";
import { forgetStubs } from "./vi-shim.ts";

type Timer = ReturnType<typeof setTimeout> | ReturnType<typeof setImmediate>;

const timers = new Set<Timer>();
const strays: string[] = [];
const MOST_OUTPUT = 100_000;
let output = "";

/** Called once, before any foreign code is loaded. */
export function quietWorld(): void {
  track("setTimeout");
  track("setInterval");
  track("setImmediate");
  // What measures the time of tests must not take a clock of theirs.
  setSafeTimers();
  Object.defineProperty(process.stdout, "write", { value: drop, writable: true, configurable: true });
  Object.defineProperty(process.stderr, "write", { value: drop, writable: true, configurable: true });
  process.exit = refuseExit;
  Reflect.set(process, "reallyExit", refuseExit);
  process.abort = refuseExit;
  process.on("uncaughtException", (error) => strays.push(describeThrown(error)));
  process.on("unhandledRejection", (error) => strays.push(describeThrown(error)));
  for (const [key, value] of Object.entries(AS_UNDER_VITEST)) process.env[key] ??= value;
}

/** A test that asks for one of these must find here what it finds in the run of record, or it could behave better here. */
const AS_UNDER_VITEST = { NODE_ENV: "test", VITEST: "true", TEST: "true", MODE: "test", CI: "1" };

function drop(text: unknown): boolean {
  if (output.length < MOST_OUTPUT) output += String(text).slice(0, MOST_OUTPUT);
  return true;
}

let keeper: ReturnType<typeof setInterval> | undefined;
const repeat = setInterval;

/** A test that waits for nothing must reach its time-out, as it does under vitest. */
export function stayAlive(): void {
  keeper ??= repeat(() => undefined, 2 ** 30);
}

/** Lets the process tell by `beforeExit` that nothing is left that could ever happen. */
export function stayAliveNoLonger(): void {
  if (keeper !== undefined) stopTimeout(keeper);
  keeper = undefined;
}

/** What was printed since the last call; the beginning is enough to compare. */
export function takeOutput(): string {
  const printed = output;
  output = "";
  return printed;
}

export function takeStrays(): string[] {
  return strays.splice(0);
}

/** Taken before a test can put others in their place. */
const [makeFolder, removeFolder, folderForAll] = [mkdtempSync, rmSync, tmpdir];
let temporary: string | undefined;

/** Called last of all. */
export function removeTemporary(): void {
  if (temporary !== undefined) removeFolder(temporary, { recursive: true, force: true });
  temporary = undefined;
}

/** A test that keeps what one run has given, and holds the next against it, would judge mutants by what it never says. */
function emptyTemporary(): void {
  removeTemporary();
  try {
    temporary = makeFolder(join(folderForAll(), "run-"));
    process.env["TMPDIR"] = temporary;
  } catch {
    // Where nothing can be written, nothing is kept.
  }
}

interface World {
  environment: Record<string, string | undefined>;
  directory: string;
  globals: Map<PropertyKey, PropertyDescriptor>;
}

export function rememberWorld(): World {
  const environment = { ...process.env };
  emptyTemporary();
  return {
    environment,
    directory: process.cwd(),
    globals: new Map(
      Reflect.ownKeys(globalThis).flatMap((key) => {
        const descriptor = Object.getOwnPropertyDescriptor(globalThis, key);
        return descriptor === undefined ? [] : [[key, descriptor] as const];
      }),
    ),
  };
}

export function restoreWorld({ environment, directory, globals }: World): void {
  forgetStubs();
  takeOutput();
  for (const timer of timers) clearTimer(timer);
  timers.clear();
  for (const key of Reflect.ownKeys(globalThis)) {
    if (!globals.has(key)) Reflect.deleteProperty(globalThis, key);
  }
  for (const [key, descriptor] of globals) {
    if (descriptor.configurable !== true) continue;
    const now = Object.getOwnPropertyDescriptor(globalThis, key);
    if (now?.value !== descriptor.value || now?.get !== descriptor.get)
      Object.defineProperty(globalThis, key, descriptor);
  }
  for (const key of Object.keys(process.env)) {
    if (environment[key] === undefined) Reflect.deleteProperty(process.env, key);
  }
  for (const [key, value] of Object.entries(environment)) {
    if (process.env[key] !== value) process.env[key] = value;
  }
  if (process.cwd() !== directory) process.chdir(directory);
  emptyTemporary();
}

/** Timers of foreign code are known by name, so that none fires in a later run. */
function track(name: "setTimeout" | "setInterval" | "setImmediate"): void {
  const original: unknown = Reflect.get(globalThis, name);
  if (typeof original !== "function") return;
  const tracked = (...args: unknown[]): unknown => {
    const timer: Timer = Reflect.apply(original, globalThis, args);
    timers.add(timer);
    return timer;
  };
  // `util.promisify` and `timers/promises` look these up.
  for (const key of Reflect.ownKeys(original)) {
    const descriptor = Object.getOwnPropertyDescriptor(original, key);
    if (descriptor !== undefined && key !== "length" && key !== "prototype")
      Object.defineProperty(tracked, key, descriptor);
  }
  Object.defineProperty(globalThis, name, {
    value: tracked,
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

const stopTimeout = clearTimeout;
const stopImmediate = clearImmediate;

function clearTimer(timer: Timer): void {
  if ("refresh" in timer) stopTimeout(timer);
  else stopImmediate(timer);
}

function refuseExit(code?: unknown): never {
  throw new Error(`process.exit unexpectedly called with "${String(code)}"`);
}

function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `thrown: ${String(thrown)}`;
  } catch {
    return "thrown: something that cannot be shown";
  }
}
