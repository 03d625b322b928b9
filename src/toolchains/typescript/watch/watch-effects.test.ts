import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../../test/bubblewrap.ts";
import { moduleFolder } from "../../../../test/module-samples.ts";
import { temporaryDirectory } from "../../../../test/temporary.ts";
import { bubblewrap } from "../../../workshop/sandbox/bubblewrap.ts";
import { detectLayout } from "../layout.ts";
import { openSite } from "../site.ts";
import { runVitest, type WorkerReports } from "../vitest-run.ts";
import { watchEffects } from "./watch-effects.ts";

/** Every line but the imports has one effect. */
const GUILTY = `import fs, { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import net from "node:net";
import { lookup } from "node:dns";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
interface OnlyTypes {
  first: string;
}
export const read = () => fs.readFileSync("src/index.ts", "utf8");
export const exists = (path: string) => existsSync(path);
export const write = (path: string) => writeFile(path, "x");
export const connect = () => net.connect({ port: 9, host: "127.0.0.1" }).on("error", () => {}).destroy();
export const resolve = (done: () => void) => lookup("localhost", () => done());
export const run = () => execFileSync("true");
export const bytes = () => randomBytes(2).length;
export const wait = () => pause(1);
export const now = (): number => Date.now();
export const today = (only?: OnlyTypes) => new Date().getTime() + (only?.first.length ?? 0);
export const elapsed = () => performance.now();
export const dice = () => [1, 2].map(Math.random).length;
export const id = () => crypto.randomUUID().length;
export const later = (f: () => void) => setTimeout(f, 1);
export const home = () => process.env["HOME"];
export const print = () => console.info("hello");
export const get = () => fetch("http://127.0.0.1:9/").catch(() => "refused");
export const hidden = (name: string) => Reflect.get(Math, name)();
export const said = (by: Intl.DateTimeFormat) => by.format().length;
export const parts = (by: Intl.DateTimeFormat) => by.formatToParts().length;
export const made = (name: string) => Reflect.get(read, name)("return 1")();
`;

const GUILTY_TEST = `import { expect, test, vi } from "vitest";
import * as it from "../src/index.ts";
test("uses all", async () => {
  it.read(); it.exists("/"); await it.write("/tmp/x"); it.connect(); await new Promise<void>((done) => it.resolve(done));
  it.run(); it.bytes(); await it.wait(); it.now(); it.today(); it.elapsed(); it.dice(); it.id();
  await new Promise<void>((done) => it.later(done)); it.home(); it.print(); await it.get();
  expect(it.hidden("random")).toBeLessThan(1);
  it.said(new Intl.DateTimeFormat()); it.parts(new Intl.DateTimeFormat());
  expect(it.made("constructor")).toBe(1);
});
`;

const HONEST = `import { createHash } from "node:crypto";
export const at = (clock: () => number) => clock();
export const roll = (random = (): number => 4) => random();
export const isDate = (value: object) => value instanceof Date && value.constructor === Date;
export const year = (text: string) => new Date(text).getUTCFullYear() + Date.UTC(1970, 0);
export const hash = (text: string) => createHash("sha256").update(text).digest("hex");
export const load = (read: (path: string) => string) => read("src/index.ts").length;
export const max = (...all: number[]) => Math.max(...all);
export const day = (by: Intl.DateTimeFormat) => by.format(0) + [1].map(by.format).join() + by.formatToParts(0).length;
export const isFunction = (value: object) => value instanceof Function && value.constructor === Function;
export const lazy = async () => (await import("./other.ts")).other;
`;

const HONEST_TEST = `import fs from "node:fs";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { at, day, hash, isDate, isFunction, lazy, load, max, roll, year } from "../src/index.ts";
afterEach(() => { vi.useRealTimers(); vi.restoreAllMocks(); vi.unstubAllGlobals(); vi.unstubAllEnvs(); });
test("tests may use what they like", async () => {
  expect(at(Date.now)).toBeGreaterThan(1e12);
  expect(at(() => new Date().getTime())).toBeGreaterThan(1e12);
  expect(roll(Math.random)).toBeLessThan(1);
  expect(load((path) => fs.readFileSync(path, "utf8"))).toBeGreaterThan(0);
  expect(isDate(new Date())).toBe(true);
  expect(year("2020-01-01")).toBe(2020);
  expect(day(new Intl.DateTimeFormat("en", { timeZone: "UTC" }))).toBe("1/1/19701/1/19705");
  expect(isFunction(at)).toBe(true);
  expect(new Function("return 2")()).toBe(2);
  expect(new Intl.DateTimeFormat().format().length).toBeGreaterThan(4);
  expect(hash("a")).toHaveLength(64);
  expect(await lazy()).toBe(1);
  process.stdout.write(""); console.debug(process.env["HOME"]);
  expect(structuredClone(new Date(5))).toEqual(new Date(5));
});
test("fake timers", () => {
  vi.useFakeTimers({ now: 5 });
  expect(at(Date.now)).toBe(5);
  expect(new Date().getTime()).toBe(5);
  vi.setSystemTime(7);
  expect(at(() => new Date().getTime())).toBe(7);
  const done = vi.fn(); setTimeout(done, 1000); vi.advanceTimersByTime(1000); expect(done).toHaveBeenCalledOnce();
  vi.useRealTimers();
  expect(Date.now()).toBeGreaterThan(1e12);
});
test("spies and stubs", () => {
  vi.spyOn(Date, "now").mockReturnValue(3); expect(at(Date.now)).toBe(3);
  vi.spyOn(Math, "random").mockReturnValue(0.5); expect(roll(Math.random)).toBe(0.5);
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined); console.log("x"); expect(log).toHaveBeenCalledOnce();
  vi.stubGlobal("fetch", () => 1); expect(fetch("x")).toBe(1);
  vi.stubEnv("A", "b"); expect(process.env["A"]).toBe("b");
  vi.restoreAllMocks();
  expect(Date.now()).toBeGreaterThan(1e12);
  expect(Math.random()).not.toBe(0.5);
});
test("properties", () => fc.assert(fc.property(fc.integer(), fc.date(), (n, d) => max(n, n) === n && isDate(d))));
`;

describe.skipIf(!bubblewrapWorks)("the watch on effects (needs bubblewrap)", () => {
  test("tells each use of the module, with its line", async () => {
    const { results, effects } = await watched({ "src/index.ts": GUILTY, "test/a.test.ts": GUILTY_TEST });
    expect(results).toEqual(["uses all passed"]);
    expect(effects?.map(({ type, what, line }) => `${line} ${type} ${what}`)).toEqual([
      "11 READ fs.readFileSync(src/index.ts)",
      "12 READ fs.existsSync(/)",
      "13 WRITE fs/promises.writeFile(/tmp/x)",
      "14 NETWORK net.connect()",
      "15 NETWORK dns.lookup(localhost)",
      "16 CALL child_process.execFileSync(true)",
      "17 RANDOM crypto.randomBytes()",
      "18 CLOCK timers/promises.setTimeout()",
      "19 CLOCK Date.now",
      "20 CLOCK new Date()",
      "21 CLOCK performance.now",
      "22 RANDOM Math.random",
      "23 RANDOM crypto.randomUUID",
      "24 CLOCK setTimeout",
      "25 READ process.env",
      "26 WRITE console.info",
      "27 NETWORK fetch",
      "28 RANDOM Math.random",
      "29 CLOCK Intl.DateTimeFormat.format",
      "30 CLOCK Intl.DateTimeFormat.formatToParts",
      "31 CALL a function that is made of a text",
    ]);
  });

  test("does not count what tests, mocks and packages use", async () => {
    const { results, effects } = await watched({
      "src/index.ts": HONEST,
      "src/other.ts": "export const other = 1;",
      "test/a.test.ts": HONEST_TEST,
    });
    expect(results).toEqual([
      "tests may use what they like passed",
      "fake timers passed",
      "spies and stubs passed",
      "properties passed",
    ]);
    expect(effects).toEqual([]);
  });
});

test("a test file without a report leaves the answer open", async () => {
  const layout = {
    entry: "src/index.ts",
    sources: ["src/index.ts"],
    tests: ["a.test.ts"],
    configuration: [],
  };
  const watch = await watchEffects({ layout });
  expect(watch.read({}, layout.sources)).toBeUndefined();
  expect(watch.read({ "a.test.ts": { effects: [[]] } }, layout.sources)).toEqual([]);
  expect(
    watch.read(
      { "a.test.ts": { effects: [[{ type: "READ", what: "x", file: "/etc", line: 1 }, 7]] } },
      layout.sources,
    ),
  ).toEqual([]);
});

async function watched(files: Record<string, string>) {
  const folder = moduleFolder(files);
  const detected = detectLayout(folder);
  if (detected.kind === "no-module") throw new Error(detected.why);
  const directory = join(temporaryDirectory(), "site");
  const site = await openSite({ sandbox: bubblewrap() }, { folder, layout: detected.layout, directory });
  const watch = await watchEffects(site);
  const taken: WorkerReports[] = [];
  const options = { secondsPerTest: 10, timeoutMs: 30_000, coverage: false };
  const report = await runVitest(site, options, { ...watch, collect: (reports) => taken.push(reports) });
  const results =
    report.kind === "ran"
      ? report.run.results.map(({ name, failure }) => `${name} ${failure?.message ?? "passed"}`)
      : [report.why];
  return { results, effects: watch.read(taken[0] ?? {}, site.layout.sources) };
}
