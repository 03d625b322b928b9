// A setup file that watches, in the worker, which files, network, clock and chance the module itself uses.
//
// Only uses whose nearest caller outside of the system is a source of the module count: what tests, vitest or packages
// use is theirs. Things of modules (`fs`) are watched when they are called. Things of globals (`Math.random`) are
// watched when they are read, and only the module is handed a watched one, so that a clock which a test passes in
// stays the test's. The harness puts `const CUPEL_EFFECTS = {...};` before this program.
import childProcess from "node:child_process";
import crypto from "node:crypto";
import dgram from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import inspector from "node:inspector";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import os from "node:os";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import tls from "node:tls";
import v8 from "node:v8";
import vm from "node:vm";
import workerThreads from "node:worker_threads";
import { EFFECTS_KEY, type EffectPlan } from "../watch/effect-plan.ts";
import { effectOf, type EffectType } from "../watch/effect-table.ts";
import { type CallPlace, callerOf, watchSources } from "./caller.ts";
import { watchLanguage } from "./watched-language.ts";

declare const CUPEL_EFFECTS: EffectPlan;

interface Use {
  type: EffectType;
  what: string;
  file: string;
  line: number;
}

const MOST_USES = 1_000;
const ENOUGH = 2_000;
/** In order, and by what tells them apart; without prototypes and iterators that the watched code could change. */
const uses: Use[] = [];
const known: Record<string, true> = Object.create(null);
const PATCHED = Symbol.for("cupel.effects");

watchSources(new URL("..", import.meta.url).pathname, CUPEL_EFFECTS.sources);
const earlier: unknown = Reflect.get(globalThis, PATCHED);
// Where workers are used again, what was put in place for the file before tells this one.
if (typeof earlier === "object" && earlier !== null) Reflect.set(earlier, "note", note);
else watchEverything();
const report: unknown = Reflect.get(globalThis, Symbol.for("cupel.report"));
if (typeof report === "function") report(EFFECTS_KEY, () => uses);

function note(type: EffectType, what: string, place: { file: string; line: number }): void {
  const key = `${type} ${what} ${place.file}:${place.line}`;
  // One line that connects would otherwise be told again for each layer below.
  const layer = type === "NETWORK" ? `${type} ${place.file}:${place.line}` : key;
  if (uses.length >= MOST_USES || known[layer] === true) return;
  known[layer] = true;
  uses[uses.length] = { type, what, file: place.file, line: place.line };
}

function watchEverything(): void {
  const teller = { note };
  Object.defineProperty(globalThis, PATCHED, { value: teller });
  const tell: typeof note = (type, what, place) => teller.note(type, what, place);
  const modules: [string, object][] = [
    ["fs", fs],
    ["fs/promises", fs.promises],
    ["net", net],
    ["http", http],
    ["https", https],
    ["http2", http2],
    ["tls", tls],
    ["dgram", dgram],
    ["dns", dns],
    ["dns/promises", dns.promises],
    ["child_process", childProcess],
    ["crypto", crypto],
    ["os", os],
    ["vm", vm],
    ["v8", v8],
    ["inspector", inspector],
    ["timers", timers],
    ["timers/promises", timersPromises],
  ];
  for (const [name, module] of modules) watchModule(name, module, tell);
  watchCall(net.Socket.prototype, "connect", "NETWORK", "net.Socket.connect", tell);
  watchCall(vm.Script.prototype, "runInNewContext", "CALL", "vm.Script.runInNewContext", tell);
  watchCall(inspector, "Session", "CALL", "inspector.Session", tell);
  watchCall(workerThreads, "Worker", "CALL", "worker_threads.Worker", tell);
  syncBuiltinESMExports();
  const globals: [string, object, readonly string[]][] = [
    ["Math", Math, ["random"]],
    ["Date", Date, ["now"]],
    ["performance", performance, ["now", "mark", "measure"]],
    ["AbortSignal", AbortSignal, ["timeout"]],
    ["crypto", globalThis.crypto, ["randomUUID", "getRandomValues"]],
    ["console", console, ["log", "info", "warn", "error", "debug", "dir", "table", "trace"]],
    [
      "process",
      process,
      [
        "env",
        "argv",
        "stdin",
        "stdout",
        "stderr",
        "cwd",
        "hrtime",
        "uptime",
        "exit",
        "kill",
        "binding",
        "_linkedBinding",
        "dlopen",
      ],
    ],
    ["", globalThis, ["fetch", "WebSocket", "EventSource", "setTimeout", "setInterval", "setImmediate"]],
  ];
  for (const [name, holder, members] of globals)
    for (const member of members) watchRead(name, holder, member, tell);
  watchLanguage(tell);
}

type Tell = typeof note;

/** Names of functions begin small; classes are found by what they do. */
function watchModule(name: string, module: object, tell: Tell): void {
  for (const member of Object.keys(module)) {
    const type = effectOf({ from: "module", name, members: [member] });
    if (type !== undefined && /^[a-z]/.test(member))
      watchCall(module, member, type, `${name}.${member}`, tell);
  }
}

function watchCall(holder: object, member: string, type: EffectType, what: string, tell: Tell): void {
  const original: unknown = Reflect.get(holder, member);
  if (typeof original !== "function") return;
  const seen = (args: readonly unknown[]) => {
    const place = callerOf(false);
    if (place !== undefined) tell(type, `${what}${targetOf(args)}`, place);
  };
  const proxy: object = new Proxy(original, {
    apply: (callee, self, args: unknown[]): unknown => {
      seen(args);
      return Reflect.apply(callee, self, args);
    },
    construct: (callee, args: unknown[], made): object => {
      seen(args);
      return Reflect.construct(callee, args, made === proxy ? callee : made);
    },
  });
  Reflect.set(holder, member, proxy);
}

/** On what something was used, where that is a name. */
function targetOf([first]: readonly unknown[]): string {
  if (typeof first === "string") return `(${first.slice(0, 200)})`;
  return first instanceof URL ? `(${first.href.slice(0, 200)})` : "()";
}

function watchRead(name: string, holder: object, member: string, tell: Tell): void {
  const descriptor = descriptorOf(holder, member);
  if (descriptor === undefined || (!descriptor.configurable && Object.hasOwn(holder, member))) return;
  const path = name === "" ? [member] : [name, member];
  const type = effectOf({ from: "global", name: path[0] ?? "", members: path.slice(1) });
  if (type === undefined) return;
  const what = path.join(".");
  let current = descriptor;
  let told = 0;
  const tellIt = (place: CallPlace) => {
    told++;
    tell(type, what, place);
  };
  Object.defineProperty(holder, member, {
    configurable: true,
    enumerable: descriptor.enumerable ?? false,
    get(): unknown {
      const getter: unknown = Reflect.get(current, "get");
      const value: unknown = typeof getter === "function" ? Reflect.apply(getter, holder, []) : current.value;
      // Whoever uses it so often is known by now, and looking at each use would make it slow.
      const place = told > ENOUGH ? undefined : callerOf(true);
      if (place === undefined) return value;
      if (typeof value === "function") return watchedFor(value, () => tellIt(place));
      tellIt(place);
      return value;
    },
    // vitest and fake timers put others in place and the old ones back; whoever inherits, as a fake Date, gets its own.
    set(this: unknown, value: unknown) {
      const inherits =
        (typeof this === "object" || typeof this === "function") && this !== null && this !== holder;
      if (inherits)
        Object.defineProperty(this, member, { value, configurable: true, enumerable: true, writable: true });
      else current = { value };
    },
  });
}

/** For the module only; told when it or a function of its own, as `hrtime.bigint`, is called, not when it is read. */
function watchedFor(value: Function, told: () => void): object {
  return new Proxy(value, {
    get: (callee, name, self): unknown => {
      const found: unknown = Reflect.get(callee, name, self);
      const isOwn = typeof name === "string" && name !== "prototype" && Object.hasOwn(callee, name);
      return isOwn && typeof found === "function" ? watchedFor(found, told) : found;
    },
    apply: (callee, self, args: unknown[]): unknown => {
      told();
      return Reflect.apply(callee, self, args);
    },
    construct: (callee, args: unknown[]): object => {
      told();
      return Reflect.construct(callee, args);
    },
  });
}

function descriptorOf(holder: object, member: string): PropertyDescriptor | undefined {
  for (let at: unknown = holder; typeof at === "object" || typeof at === "function";) {
    if (at === null) return undefined;
    const found = Object.getOwnPropertyDescriptor(at, member);
    if (found !== undefined) return found;
    at = Object.getPrototypeOf(at);
  }
  return undefined;
}
