// Which things of the system are an effect, and of which type; the same for reading code and for watching it run.
import { builtinModules } from "node:module";
import type { SeenEffect } from "../../port.ts";
import { covers, moduleName } from "../static/module-name.ts";
import type { Origin } from "../static/origin.ts";

export type EffectType = SeenEffect["type"];

/** What a use of something counts as; undefined for what has no effect. */
export function effectOf({ from, name, members }: Origin): EffectType | undefined {
  const path = [name, ...members];
  if (name === "process") return effectOfProcess(members[0]);
  return from === "module" ? effectOfModule(name, members) : effectOfGlobal(path);
}

/** Types of a whole module that is handed around, so that nobody knows what of it is used. */
export function effectsOfWhole(name: string): EffectType[] {
  if (name === "fs" || name === "fs/promises") return ["READ", "WRITE"];
  const effect = effectOf({ from: "module", name, members: ["*"] });
  return effect === undefined || name === "crypto" || name === "perf_hooks" ? [] : [effect];
}

/** Network and files reach out of the module; so does a console, whose lines land in somebody else's output. */
const GLOBALS: Readonly<Record<string, EffectType>> = {
  fetch: "NETWORK",
  WebSocket: "NETWORK",
  EventSource: "NETWORK",
  XMLHttpRequest: "NETWORK",
  BroadcastChannel: "NETWORK",
  setTimeout: "CLOCK",
  setInterval: "CLOCK",
  setImmediate: "CLOCK",
  console: "WRITE",
  localStorage: "WRITE",
  sessionStorage: "WRITE",
  indexedDB: "WRITE",
  document: "WRITE",
  Deno: "CALL",
  Bun: "CALL",
  Worker: "CALL",
  SharedWorker: "CALL",
  // Nobody reads what is in it.
  WebAssembly: "CALL",
  PerformanceMark: "CLOCK",
  PerformanceMeasure: "CLOCK",
  PerformanceObserver: "CLOCK",
};

/** Globals that only some places have: who asks for one does something else there. */
export const PLACES: readonly string[] = [
  "window",
  "document",
  "process",
  "Deno",
  "Bun",
  "importScripts",
  "WorkerGlobalScope",
  "EdgeRuntime",
];

const GLOBAL_MEMBERS: Readonly<Record<string, EffectType>> = {
  "Date.now": "CLOCK",
  "AbortSignal.timeout": "CLOCK",
  "Temporal.Now": "CLOCK",
  "Atomics.wait": "CLOCK",
  "Atomics.waitAsync": "CLOCK",
  "Math.random": "RANDOM",
  "crypto.randomUUID": "RANDOM",
  "crypto.getRandomValues": "RANDOM",
  "crypto.subtle.generateKey": "RANDOM",
  "navigator.sendBeacon": "NETWORK",
  // By a name made up by chance, what is handed over stays with the process.
  "URL.createObjectURL": "WRITE",
};

function effectOfGlobal(path: readonly string[]): EffectType | undefined {
  const [name = ""] = path;
  if (Object.hasOwn(GLOBALS, name)) return GLOBALS[name];
  for (const length of [2, 3]) {
    const key = path.slice(0, length).join(".");
    if (path.length >= length && Object.hasOwn(GLOBAL_MEMBERS, key)) return GLOBAL_MEMBERS[key];
  }
  // Whatever is measured there, it is time; and what is told of the machine is another on each.
  if (name === "performance") return "CLOCK";
  return name === "navigator" && path.length > 1 ? "READ" : undefined;
}

/** Members by which things that were made without a time tell the one at which they were made, or at which they are asked. */
const TELLING_TIME: Readonly<Record<string, readonly string[]>> = {
  "Intl.DateTimeFormat": ["format", "formatToParts"],
  Event: ["timeStamp"],
  CustomEvent: ["timeStamp"],
  File: ["lastModified"],
};

export function tellsTime(maker: Origin, member: string): boolean {
  if (maker.from !== "global") return false;
  return TELLING_TIME[[maker.name, ...maker.members].join(".")]?.includes(member) === true;
}

/** What was made without being told a place tells that of the machine. */
export function tellsPlace(maker: Origin, member: string): boolean {
  return maker.from === "global" && maker.name === "Intl" && member === "resolvedOptions";
}

/** Members by which things of modules make up something that nobody can foretell. */
export function makesChance({ from, name, members }: Origin, member: string): boolean {
  const makes = /^(?:createECDH|createDiffieHellman(?:Group)?|getDiffieHellman)$/.test(members[0] ?? "");
  return from === "module" && name === "crypto" && makes && member === "generateKeys";
}

/** Functions that begin in the folder of the process unless they are told another. */
export function startsHere({ from, name, members }: Origin): boolean {
  if (from !== "module") return false;
  const last = members.at(-1);
  return covers("path", name) ? last === "resolve" : name === "url" && last === "pathToFileURL";
}

const PURE_MEMBERS = [
  "isIP",
  "isIPv4",
  "isIPv6",
  "STATUS_CODES",
  "METHODS",
  "constants",
  "EOL",
  "Stats",
  "Dirent",
  "AsyncLocalStorage",
  "AsyncResource",
  // Questions about modules, and a loader: what it loads is followed.
  "isBuiltin",
  "builtinModules",
  "createRequire",
];

const TYPES_OF_MODULES: readonly [readonly string[], EffectType][] = [
  [["net", "http", "https", "http2", "tls", "dgram", "dns", "undici"], "NETWORK"],
  [["child_process", "worker_threads", "cluster", "inspector", "repl", "vm", "trace_events", "wasi"], "CALL"],
  // Whoever listens there hears what other code of the process does.
  [["diagnostics_channel", "async_hooks"], "CALL"],
  [["os", "readline", "tty", "v8"], "READ"],
  [["sqlite", "console"], "WRITE"],
];

function effectOfModule(name: string, members: readonly string[]): EffectType | undefined {
  const [member] = members;
  if (member === undefined || PURE_MEMBERS.includes(member)) return undefined;
  if (covers("fs", name)) return effectOfFiles(member === "promises" ? members[1] : member);
  if (covers("timers", name)) return member.startsWith("clear") ? undefined : "CLOCK";
  if (name === "perf_hooks") return member === "performance" && members.length === 1 ? undefined : "CLOCK";
  if (name === "crypto") return effectOfCrypto(members);
  const known = TYPES_OF_MODULES.find(([names]) => names.some((each) => covers(each, name)))?.[1];
  return known ?? effectOfOthers(name, member);
}

/** What nobody has thought of could do anything. */
function effectOfOthers(name: string, member: string): EffectType | undefined {
  const [first = name] = name.split("/");
  if (Object.hasOwn(MEMBERS_OF_MODULES, first))
    return MEMBERS_OF_MODULES[first]?.includes(member) === true ? "WRITE" : undefined;
  return isOfNode(name) && !PURE_MODULES.includes(first) ? "CALL" : undefined;
}

/** Of these the members named here have an effect, and no others. */
const MEMBERS_OF_MODULES: Readonly<Record<string, readonly string[]>> = {
  util: ["debug", "debuglog", "deprecate", "setTraceSigInt"],
  // What all streams of the process begin with.
  stream: ["setDefaultHighWaterMark"],
};

const PURE_MODULES = [
  "assert",
  "buffer",
  "constants",
  "events",
  "path",
  "punycode",
  "querystring",
  "string_decoder",
  "sys",
  "url",
  "zlib",
];

/** Some are known by their full names only, so that nobody takes a package for them. */
const ONLY_WITH_PREFIX = ["sea", "sqlite", "test", "test/reporters"];
const NAMES_OF_NODE: ReadonlySet<string> = new Set([...builtinModules.map(moduleName), ...ONLY_WITH_PREFIX]);

function isOfNode(name: string): boolean {
  return NAMES_OF_NODE.has(name);
}

const READING =
  /^(?:read|exists|stat|lstat|fstat|statfs|access|opendir|realpath|watch|createReadStream|glob|openAsBlob)/;

/** Undefined is the whole of `fs.promises`, about which more is known where it is used. */
function effectOfFiles(member: string | undefined): EffectType | undefined {
  if (member === undefined) return undefined;
  return READING.test(member) ? "READ" : "WRITE";
}

function effectOfCrypto(members: readonly string[]): EffectType | undefined {
  if (members[0] === "webcrypto") return effectOfGlobal(["crypto", ...members.slice(1)]);
  return /^(?:random|getRandomValues|generate)/.test(members[0] ?? "") ? "RANDOM" : undefined;
}

const PROCESS: Readonly<Record<string, EffectType | undefined>> = {
  stdout: "WRITE",
  stderr: "WRITE",
  emitWarning: "WRITE",
  chdir: "WRITE",
  umask: "WRITE",
  exit: "CALL",
  exitCode: "CALL",
  kill: "CALL",
  abort: "CALL",
  on: "CALL",
  once: "CALL",
  send: "CALL",
  binding: "CALL",
  dlopen: "CALL",
  hrtime: "CLOCK",
  uptime: "CLOCK",
  nextTick: undefined,
  getBuiltinModule: undefined,
};

/** Everything else of a process differs from machine to machine. */
function effectOfProcess(member: string | undefined): EffectType | undefined {
  if (member === undefined) return undefined;
  return Object.hasOwn(PROCESS, member) ? PROCESS[member] : "READ";
}
