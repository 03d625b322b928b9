import { describe, expect, test } from "vitest";
import { effectsInCode } from "./effects-in-code.ts";

async function seenIn(text: string): Promise<string[]> {
  const layout = { entry: "src/index.ts", sources: ["src/index.ts"], tests: [], configuration: [] };
  const { effects } = await effectsInCode({ layout, files: () => ({ "src/index.ts": text }) });
  return [...new Set(effects.map(({ type }) => type))];
}

describe("an effect is seen, whatever it is called", () => {
  test.each([
    ['import fs from "fs";\nfs.readFileSync("a");', ["READ"]],
    ['import * as fs from "node:fs/promises";\nawait fs.writeFile("a", "b");', ["WRITE"]],
    ['import { rmSync as gone } from "fs";\ngone("a");', ["WRITE"]],
    ['import fs from "fs";\nconst { promises: { readFile } } = fs;\nreadFile("a");', ["READ"]],
    ['import fs from "fs";\nconst { promises } = fs;\npromises.appendFile("a", "");', ["WRITE"]],
    ['const fs = require("node:fs");\nfs["unlinkSync"]("a");', ["WRITE"]],
    ['const { readFileSync } = await import("fs");', ["READ"]],
    ['(await import("node:net")).connect(1);', ["NETWORK"]],
    ['const fs = process.getBuiltinModule("fs");\nfs.existsSync("a");', ["READ"]],
    ['import fs from "fs";\nexport const give = () => use(fs);', ["READ", "WRITE"]],
    ['export { writeFileSync } from "node:fs";', ["WRITE"]],
    ['import http from "http";\nhttp.get("x");', ["NETWORK"]],
    ['import { lookup } from "node:dns/promises";\nlookup("x");', ["NETWORK"]],
    ['import { exec } from "child_process";\nexec("ls");', ["CALL"]],
    ['await fetch("x");', ["NETWORK"]],
    ['globalThis["fetch"]("x");', ["NETWORK"]],
    ['new WebSocket("x");', ["NETWORK"]],
    ["const { fetch: get } = globalThis;\nget(1);", ["NETWORK"]],
    ["export const now = Date.now;", ["CLOCK"]],
    ["const { now } = Date;\nnow();", ["CLOCK"]],
    ["const D = globalThis.Date;\nexport const t = () => new D();", ["CLOCK"]],
    ["export const t = () => new Date();", ["CLOCK"]],
    ["export const t = () => Date();", ["CLOCK"]],
    ["export const t = () => performance.now();", ["CLOCK"]],
    ["export const t = () => performance.eventLoopUtilization();", ["CLOCK"]],
    ["export const t = () => new Intl.DateTimeFormat().format();", ["CLOCK"]],
    [
      "const format = new Intl.DateTimeFormat('en');\nexport const t = () => format.formatToParts();",
      ["CLOCK"],
    ],
    ["export const t = () => new Event('x').timeStamp;", ["CLOCK"]],
    ["const file = new File([], 'x');\nexport const t = file.lastModified;", ["CLOCK"]],
    ["export const u = (blob: Blob) => URL.createObjectURL(blob);", ["WRITE"]],
    ["export const n = navigator.hardwareConcurrency;", ["READ"]],
    [
      "export const t = (f: Intl.DateTimeFormat) => new Intl.DateTimeFormat('en').format(undefined);",
      ["CLOCK"],
    ],
    ["export const t = new PerformanceMark('a').startTime;", ["CLOCK"]],
    ["export const t = JSON.stringify(performance);", ["CLOCK"]],
    ["export const z = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;", ["READ"]],
    ["const format = new Intl.NumberFormat();\nexport const l = format.resolvedOptions().locale;", ["READ"]],
    ['const WHICH = "pid";\nexport const p = process[WHICH];', ["READ"]],
    ["export const p = (name: string) => process[name];", ["CALL"]],
    ['let which = "title2";\nwhich = "pid";\nexport const p = () => process[which];', ["CALL"]],
    ['const LOAD = "getBuiltinModule";\nprocess[LOAD]("node:child_process").execFileSync("ls");', ["CALL"]],
    ["const m = new WebAssembly.Module(bytes);", ["CALL"]],
    ['import { subscribe } from "node:diagnostics_channel";\nsubscribe("x", f);', ["CALL"]],
    ['import { performance as p } from "node:perf_hooks";\np.now();', ["CLOCK"]],
    ["export const wait = (f: () => void) => setTimeout(f, 1);", ["CLOCK"]],
    ['import { setTimeout as wait } from "node:timers/promises";\nawait wait(1);', ["CLOCK"]],
    ["export const r = () => Math.random();", ["RANDOM"]],
    ["export const shuffle = (list: number[], random = Math.random) => random();", ["RANDOM"]],
    ["const { random: dice } = Math;", ["RANDOM"]],
    ['import { randomUUID } from "crypto";\nrandomUUID();', ["RANDOM"]],
    ["export const id = () => crypto.randomUUID();", ["RANDOM"]],
    ['import c from "node:crypto";\nc.webcrypto.getRandomValues(x);', ["RANDOM"]],
    ["export const home = process.env.HOME;", ["READ"]],
    ["const { env } = process;", ["READ"]],
    ['import { env } from "node:process";\nexport const a = env["A"];', ["READ"]],
    ['process.stdout.write("x");', ["WRITE"]],
    ['console.log("x");', ["WRITE"]],
    ["process.exit(1);", ["CALL"]],
    ['export const x = Reflect.get(globalThis, ["fe", "tch"].join(""));', ["CALL"]],
    ["export const all = Object.keys(globalThis);", ["CALL"]],
    ["const world = globalThis;\nexport const copy = { ...world };", ["CALL"]],
    ["export const here = import.meta.url;", ["READ"]],
    ['export const there = "document" in globalThis;', ["READ"]],
    ['export const there = typeof window === "undefined";', ["READ"]],
    ['export const has = typeof process !== "undefined" && process !== null;', ["READ"]],
    ["Atomics.wait(new Int32Array(cells), 0, 0, 9);", ["CLOCK"]],
    ["const name = f();\nawait import(name);", ["CALL"]],
    ["export const g = (name: string) => globalThis[name];", ["CALL"]],
    ["declare const fetch: (x: string) => void;\nfetch('x');", ["NETWORK"]],
    [
      'import { parseArgs } from "node:util";\nexport const given = parseArgs({ options: {} }).values;',
      ["READ"],
    ],
    ["export const broken = ;", ["CALL"]],
    ['export const p = Reflect.get(process, "pid");', ["READ"]],
    ['const { get } = Reflect;\nexport const t = get(Date, "now")();', ["CLOCK"]],
    ['export const p = Object.getOwnPropertyDescriptor(process, "platform")?.value;', ["READ"]],
    ["export const p = (name: string) => Reflect.get(process, name);", ["CALL"]],
    ["export const p = Object.keys(process).length;", ["CALL"]],
    ["const { ...all } = process;\nexport const p = all;", ["CALL"]],
    ["const name = f();\nconst { [name]: p } = globalThis;", ["CALL"]],
    ["const { timeStamp } = new Event('x');", ["CLOCK"]],
    ["export const t = new Event('x')['timeStamp'];", ["CLOCK"]],
    ['export const t = Reflect.get(new Event("x"), "timeStamp");', ["CLOCK"]],
    ['import { createECDH } from "node:crypto";\ncreateECDH("secp256k1").generateKeys();', ["RANDOM"]],
    ['import { run } from "node:test";\nrun({ files: ["a.mjs"] });', ["CALL"]],
    ['import { register } from "node:module";\nregister("./a.mjs");', ["CALL"]],
    ['import { deprecate } from "node:util";\ndeprecate(f, "old")();', ["WRITE"]],
    ['import { setDefaultHighWaterMark as set } from "node:stream";\nset(false, 1);', ["WRITE"]],
    ['import { resolve } from "node:path";\nexport const here = resolve("a", "b");', ["READ"]],
    ['import { pathToFileURL } from "node:url";\nexport const here = pathToFileURL("a").href;', ["READ"]],
  ])("%s", async (text, types) => {
    expect(await seenIn(text)).toEqual(types);
  });
});

describe("code without effects is accepted", () => {
  test.each([
    'import { join } from "node:path";\nexport const a = join("a", "b");',
    'import { createHash } from "node:crypto";\nexport const h = (x: string) => createHash("sha256").update(x);',
    'import type { Stats } from "node:fs";\nexport const size = (stats: Stats) => stats.size;',
    'import { isIP } from "node:net";\nexport const ok = (x: string) => isIP(x) > 0;',
    "export const day = (ms: number) => new Date(ms).getUTCDay();\nexport const p = Date.parse('2020');",
    "export const isDate = (x: unknown) => x instanceof Date;",
    "export const day = (at: Date) => new Intl.DateTimeFormat('en').format(at);",
    "export const l = new Intl.NumberFormat('en').resolvedOptions().locale;",
    "export const z = new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).resolvedOptions().timeZone;",
    'const WHICH = "floor";\nexport const f = (n: number) => Math[WHICH](n);',
    'import { AsyncLocalStorage } from "node:async_hooks";\nexport const s = new AsyncLocalStorage();',
    "export const load = (fetch: (url: string) => string) => fetch('x');",
    "export const f = (Date: { now(): number }, console: { log(x: number): void }) => console.log(Date.now());",
    "export const shuffle = (random: () => number) => random();",
    "export class Clock { now() { return 1; } random() { return 2; } }\nexport const c = new Clock().now();",
    "export const o = { fetch: 1, Date: 2, process: 3 };\nexport const x = o.fetch + o.Date;",
    "export type F = typeof fetch;\nexport interface Env { process: typeof process }",
    'export const text = "Date.now() fetch(process.env.A)"; // Math.random()',
    'export const has = () => typeof globalThis === "object" && "fetch" in globalThis;',
    "const world = globalThis;\nexport const max = (world as { Math: Math }).Math.max(1, 2);",
    "export class A { constructor() { if (new.target === A) throw new Error(); } }",
    "const format = new Intl.DateTimeFormat('en');\nexport const f = (list: Date[]) => list.map(format.format);",
    "export const t = (ms: number) => new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(ms);",
    "export const t = (event: { timeStamp: number }) => event.timeStamp;",
    "export class File { lastModified = 0; }\nexport const t = new File().lastModified;",
    "export const path = new URL('http://a/b').pathname;",
    "export const field = (value: object, name: string) => Reflect.get(value, name);",
    'export const has = (process: string) => typeof process !== "undefined" && process !== "";',
    'import { resolve } from "node:path";\nexport const p = (base: string) => resolve(base, "a") + resolve("/a", "b");',
    'import { EventEmitter } from "node:events";\nimport { Readable } from "node:stream";\nexport const a = [EventEmitter, Readable];',
    'import { gzipSync } from "node:zlib";\nimport assert from "node:assert/strict";\nexport const a = [gzipSync, assert];',
    'import { parseArgs } from "node:util";\nexport const read = (args: string[]) => parseArgs({ args }).values;',
    'import { isBuiltin } from "node:module";\nexport const a = isBuiltin("fs");',
    "export const m = Math.max(1, 2);\nexport const q = () => queueMicrotask(() => {});",
  ])("%s", async (text) => {
    expect(await seenIn(text)).toEqual([]);
  });
});

test("says where, what and how many functions were looked at", async () => {
  const layout = {
    entry: "src/index.ts",
    sources: ["src/index.ts", "src/b.ts"],
    tests: [],
    configuration: [],
  };
  const files = {
    "src/index.ts": "export const a = () => 1;\nexport function b() {}",
    "src/b.ts": "\nexport const c = () =>\n  Date.now();",
  };
  expect(await effectsInCode({ layout, files: () => files })).toEqual({
    functions: 3,
    effects: [{ type: "CLOCK", what: "Date.now", file: "src/b.ts", line: 3 }],
  });
});
