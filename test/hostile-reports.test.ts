// Modules and tests that forge what the programs in their site report: each attack, and that it gains nothing.
import { describe, expect, test } from "vitest";
import type { Predicate } from "../src/domain/contract/contract.ts";
import type { MutationReport } from "../src/toolchains/port.ts";
import { instrument } from "../src/toolchains/typescript/mutation/instrument.ts";
import { mutate } from "../src/toolchains/typescript/mutation/mutate.ts";
import { strykerMutants } from "../src/toolchains/typescript/mutation/stryker.ts";
import type { WorkerReports } from "../src/toolchains/typescript/vitest-run.ts";
import { watchEffects } from "../src/toolchains/typescript/watch/watch-effects.ts";
import { watchPredicates } from "../src/toolchains/typescript/watch/watch-predicates.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { reportedRun } from "./run-module.ts";
import { PACKAGES, siteOf } from "./typescript-site.ts";

const long = process.env["CUPEL_LONG"] === "1";

const MODULE = "export function double(value: number): number {\n  return value * 2;\n}\n";
const IMPORTS = 'import { afterAll, afterEach, expect, test } from "vitest";';
const WRONG = 'test("wrong", () => { expect(1).toBe(2); });';

/** Each in a file and so a process of its own, before a test that is wrong. */
const IN_THE_WORKER: Record<string, string> = {
  "lets no race be lost": "Promise.race = () => Promise.resolve();",
  "makes rejections into results":
    "const { then } = Promise.prototype; Promise.prototype.then = function (done) { return then.call(this, done, done); };",
  "puts another promise in place":
    "globalThis.Promise = class extends Promise { constructor(work) { super((done) => work(done, done)); } };",
  "runs other functions than the tests": "WeakMap.prototype.get = () => () => {};",
  "takes everything for the same": "Object.is = () => true;",
  "brings a matcher of its own": 'expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });',
  "changes the result after the test":
    'afterEach(({ task }) => { task.result.state = "pass"; delete task.result.errors; });',
  "sends a result of its own": `afterEach(({ task }) => { Object.defineProperty(task, "result", { get: () => ({ state: "pass", startTime: 1, duration: 1 }), set() {} }); });`,
  "speaks for the runner": `let id; afterEach(({ task }) => { id = task.id; });
    afterAll(async () => { await globalThis.__vitest_worker__.rpc.onTaskUpdate([[id, { state: "pass" }, {}]], []); });`,
  "speaks for the runner at last": `let file; let id; afterEach(({ task }) => { id = task.id; file = task.file; });
    afterAll(() => { const { rpc } = globalThis.__vitest_worker__;
      Object.defineProperty(file.meta, "cupel", { value: { ran: 1, reports: {}, body: "{}", mac: "" }, enumerable: true });
      setTimeout(() => rpc.onTaskUpdate([[id, { state: "pass" }, {}], [file.id, { state: "pass" }, { cupel: { ran: 1, reports: {} } }]], []), 0); });`,
  "has the very last word": `let file; let id; afterEach(({ task }) => { id = task.id; file = task.file; });
    afterAll(() => { const { rpc } = globalThis.__vitest_worker__;
      const lie = () => rpc.onTaskUpdate([[id, { state: "pass" }, {}], [file.id, { state: "pass" }, { cupel: {} }]], []);
      for (const ms of [0, 1, 2, 4, 8, 16, 32]) setTimeout(lie, ms); });`,
};

const nameOf = (index: number) => `test/attack-${index}.test.ts`;

/** Passes when it finds the key of the run in the memory of the main process: then anything could be signed. */
const READS_THE_KEY = `
import fs from "node:fs";
const main = "/proc/" + process.ppid;
test("steals", () => {
  const memory = fs.openSync(main + "/mem", "r");
  const areas = fs.readFileSync(main + "/maps", "utf8").split("\\n").filter((line) => / rw-p /.test(line));
  const keys = new Set();
  for (const area of areas) {
    const [from, to] = area.split(" ")[0].split("-").map((text) => parseInt(text, 16));
    for (let at = from; at < to; at += 1 << 22) {
      const bytes = Buffer.alloc(Math.min(1 << 22, to - at));
      try { fs.readSync(memory, bytes, 0, bytes.length, at); } catch { continue; }
      for (const [, key] of bytes.toString("latin1").matchAll(/"key":"([0-9a-f]{64})"/g)) keys.add(key);
    }
  }
  expect(keys.size).toBeGreaterThan(0);
}, 20_000);
test.each(["environ", "fd/0", "fd/1", "cwd"])("opens %s", (name) => {
  if (name === "environ") fs.readFileSync(main + "/" + name); else fs.statSync(main + "/" + name);
});
`;

describe.skipIf(!bubblewrapWorks)("the verdict of a run of tests (needs bubblewrap)", () => {
  test("is not changed by a test that", { timeout: 60_000 }, async () => {
    const attacks = Object.entries(IN_THE_WORKER);
    const files = attacks.map(([, code], index) => [nameOf(index), `${IMPORTS}\n${code}\n${WRONG}\n`]);
    const { run } = await reportedRun(
      { "src/index.ts": MODULE, ...Object.fromEntries(files) },
      { secondsPerTest: 3 },
    );
    const believed = attacks.flatMap(([name], index) => {
      const results = run.results.filter(({ file }) => file === nameOf(index));
      const fails = results.some(({ outcome }) => outcome !== "passed");
      const errors = run.collectionErrors.some(({ file }) => file === nameOf(index));
      return fails || errors ? [] : [name];
    });
    expect(believed).toEqual([]);
  });

  test(
    "is not signed by a worker that reads the memory of the main process",
    { timeout: 60_000 },
    async () => {
      const { run } = await reportedRun(
        { "src/index.ts": MODULE, "test/double.test.ts": `${IMPORTS}${READS_THE_KEY}` },
        { secondsPerTest: 15 },
      );
      const refused = run.results.filter(({ failure }) => failure?.message.includes("EACCES"));
      expect(refused.map(({ name }) => name)).toEqual(run.results.map(({ name }) => name));
      expect(refused).toHaveLength(5);
    },
  );
});

const PREDICATE: Predicate = {
  id: "P1",
  of: "outputs.0.invariants.0",
  entry: "double",
  kind: "ensures",
  expr: "result === args[0] * 3",
};

/** The predicate is broken by each call, so whoever wants it proven has to lie. */
const FORGERIES: Record<string, string> = {
  "reports what it likes": `const list = [{ predicate: "P1", evaluated: 9, upheld: 9, broken: 0 }];
    globalThis[Symbol.for("cupel.report")]("predicates", { seen: list });
    globalThis[Symbol.for("cupel.report")]("predicates", list);`,
  "signs with the key that it finds in the site": `const fs = await import("node:fs"); const { createHmac } = await import("node:crypto");
    const body = JSON.stringify([{ predicate: "P1", evaluated: 9, upheld: 9, broken: 0 }]);
    for (const name of fs.readdirSync(".cupel-tools")) for (const [, key] of fs.readFileSync(".cupel-tools/" + name, "utf8").matchAll(/"key":"([0-9a-f]{64})"/g))
      globalThis[Symbol.for("cupel.report")]("predicates", { body, mac: createHmac("sha256", key).update(body).digest("hex") });`,
  "signs with the key that the runner serves": `const { createHmac } = await import("node:crypto"); const fs = await import("node:fs");
    const body = JSON.stringify([{ predicate: "P1", evaluated: 9, upheld: 9, broken: 0 }]);
    const served = await globalThis.__vitest_worker__.rpc.fetch(process.cwd() + "/.cupel-tools/watched-entry.js", undefined, "ssr").catch(() => ({}));
    const text = served.code ?? (served.tmp ? fs.readFileSync(served.tmp, "utf8") : "");
    for (const [key] of text.matchAll(/[0-9a-f]{64}/g))
      globalThis[Symbol.for("cupel.report")]("predicates", { body, mac: createHmac("sha256", key).update(body).digest("hex") });`,
  "has another function watched": `const watch = globalThis[Symbol.for("cupel.watch")];
    const fake = watch?.({ double: (value) => value * 3 }); for (let n = 0; n < 9; n++) fake?.double?.(n);`,
  "writes down something else": `Object.defineProperty(Object.prototype, "toJSON", { configurable: true, value() { return "predicate" in this ? { predicate: "P1", evaluated: 9, upheld: 9, broken: 0 } : this; } });`,
  "finds nothing to go through": `const { next } = Object.getPrototypeOf([][Symbol.iterator]());
    Object.getPrototypeOf([][Symbol.iterator]()).next = function () { const step = next.call(this); return typeof step.value?.ensure === "function" ? { done: true } : step; };`,
};

describe.skipIf(!bubblewrapWorks)("what was seen of predicates (needs bubblewrap)", () => {
  test.for(Object.entries(FORGERIES).filter((_, index) => long || index % 3 === 1))(
    "does not count for a test that %s",
    { timeout: 60_000 },
    async ([, code]) => {
      const files = {
        "src/index.ts": MODULE,
        "test/double.test.ts": `${IMPORTS}
import { double } from "../src/index.ts";
test("forges", async () => { ${code} });
test("calls", () => { double(1); });`,
      };
      const watch = await watchPredicates(await siteOf(files), [PREDICATE]);
      let reports: WorkerReports = {};
      const extras = { ...watch, collect: (found: WorkerReports) => void (reports = found) };
      await reportedRun(files, { extras });
      expect(watch.read(reports, [PREDICATE]).predicates[0]).toMatchObject({ upheld: 0 });
    },
  );
});

/** Each reads the clock, a file or something else of the machine, and would rather not be seen. */
const HIDDEN_USES: Record<string, string> = {
  "asks a function of a function for the time": "process.hrtime.bigint();",
  "asks another realm for the time": 'vm.runInNewContext("Date.now()");',
  "hides the frames": `Object.defineProperty(Error, "prepareStackTrace", { get: () => undefined, set() {} }); fs.readFileSync("/etc/passwd");`,
  "allows no frames":
    "Object.defineProperty(Error, 'stackTraceLimit', { value: 0, writable: false }); Math.random();",
  "empties every list": `const had = JSON.stringify; JSON.stringify = (value, ...rest) => (Array.isArray(value) ? "[]" : had(value, ...rest)); Math.random();`,
  "lets nothing be noted":
    "const { set } = Map.prototype; Map.prototype.set = function (key, value) { return /RANDOM/.test(String(key)) ? this : set.call(this, key, value); }; Math.random();",
  "works below the surface": `(process as any).binding("fs");`,
};

describe.skipIf(!bubblewrapWorks)("what was seen of effects (needs bubblewrap)", () => {
  test("is not hidden by a module that", { timeout: 60_000 }, async () => {
    const uses = Object.entries(HIDDEN_USES);
    const functions = uses.map(([, code], index) => `export function use${index}() { ${code} }`);
    const tests = uses.map((_, index) => [
      nameOf(index),
      `${IMPORTS}\nimport { use${index} } from "../src/index.ts";\ntest("uses", () => { use${index}(); expect(1).toBe(1); });\n`,
    ]);
    const files = {
      "src/index.ts": `import fs from "node:fs";\nimport vm from "node:vm";\n${functions.join("\n")}\nvoid [fs, vm];\n`,
      ...Object.fromEntries(tests),
    };
    const watch = await watchEffects(await siteOf(files));
    let reports: WorkerReports = {};
    const extras = { ...watch, collect: (found: WorkerReports) => void (reports = found) };
    await reportedRun(files, { extras });
    const unseen = uses.flatMap(([name], index) => {
      // Without any list nobody knows, and says so.
      const lists = reports[nameOf(index)]?.["effects"];
      return lists !== undefined && lists.flat().length === 0 ? [name] : [];
    });
    expect(unseen).toEqual([]);
  });
});

const MUTATED = `export function area(width: number, height: number): number {
  if (width < 0 || height < 0) return 0;
  return width * height + 0;
}
export function label(value: number): string {
  return value > 10 ? "large" : "small";
}
`;

const COUNTED = "const loads = (Math.loads = (Math.loads ?? 0) + 1);";

/** `notice` fails when it thinks that a mutant is on; nothing else is tested. */
const SCORES: Record<string, string> = {
  "counts how often it is loaded": `${COUNTED} const notice = () => { if (loads > 1) throw new Error("again"); };`,
  "counts in a file": `import { appendFileSync, readFileSync } from "node:fs";
    const notice = () => { appendFileSync("/tmp/count", "x"); if (readFileSync("/tmp/count", "utf8").length > 1) throw new Error("again"); };`,
  "hangs from the second time on": `${COUNTED} const notice = () => { while (loads > 1); };`,
  "is told by the runner what it judges": `const { includes } = Array.prototype; Array.prototype.includes = function (...args) { if (typeof args[0] === "number") Math.judged = true; return includes.apply(this, args); };
    const notice = () => { if (Math.judged) throw new Error("judged"); };`,
};

const PROBES: Record<string, string> = {
  "asks each switch":
    'const notice = () => { if (typeof __cupel_on === "function") for (let i = 0; i < 40; i++) if (__cupel_on(i)) throw new Error("on"); };',
  "finds the switch in the code": `const notice = () => { const name = /(\\w+)\\(\\d+\\)/.exec(area.toString())?.[1];
    if (name !== undefined) for (let i = 0; i < 40; i++) if (eval(name + "(" + i + ")")) throw new Error("on"); };`,
  "finds the job in the scope": `const notice = () => { if (typeof job !== "undefined" || typeof made !== "undefined") throw new Error("here"); };`,
  "writes answers of its own": `import { writeSync } from "node:fs"; const notice = () => { for (const mark of ["", "0".repeat(32) + " ", "0".repeat(48) + " "])
    for (let mutant = 0; mutant < 30; mutant++) try { writeSync(1, "\\n" + mark + '{"kind":"mutant","mutant":' + mutant + ',"outcome":{"status":"killed","killedBy":["x"]},"ran":[]}\\n'); } catch {} };`,
  "changes answers": `Object.defineProperty(Object.prototype, "toJSON", { configurable: true, value() { return this.status === "survived" ? { status: "killed", killedBy: ["x"] } : this; } });
    const notice = () => {};`,
  "looks into its own memory": `import v8 from "node:v8"; import { Session } from "node:inspector";
    const notice = () => { try { v8.getHeapSnapshot(); } catch { return; } throw new Error("open"); };`,
};

async function judged(notice: string): Promise<MutationReport> {
  const site = await siteOf(
    {
      "src/index.ts": MUTATED,
      "test/area.test.ts": `import { expect, test } from "vitest";
import { area, label } from "../src/index.ts";
${notice}
test("runs", () => { area(2, 3); area(-1, 2); label(3); label(30); notice(); expect(1).toBe(1); });
`,
    },
    bubblewrap(),
  );
  return mutate({ packages: PACKAGES }, site, { timeoutMs: 300, equivalence: false });
}

function killedIn(report: MutationReport): string[] {
  if (report.kind !== "mutated") throw new Error(report.why);
  return report.mutants.filter(({ status }) => status === "killed").map(({ replacement }) => replacement);
}

describe.skipIf(!bubblewrapWorks)("a mutation score (needs bubblewrap)", () => {
  test.for(Object.entries(SCORES).filter((_, index) => long || index < 2))(
    "is not believed of a suite that %s",
    { timeout: 60_000 },
    async ([, notice]) => {
      expect(await judged(notice)).toMatchObject({
        kind: "impossible",
        why: expect.stringContaining("in which nothing was mutated"),
      });
    },
  );

  test.for(Object.entries(PROBES).filter((_, index) => long || index % 2 === 0))(
    "is nothing for a suite that %s",
    { timeout: 60_000 },
    async ([, notice]) => {
      expect(killedIn(await judged(notice))).toEqual([]);
    },
  );

  test("of an honest suite is believed", { timeout: 60_000 }, async () => {
    const report = await judged(
      "const notice = () => { expect([area(2, 3), area(-1, 2), area(1, -1), label(10), label(11)]).toEqual([6, 0, 0, 'small', 'large']); };",
    );
    expect(killedIn(report).length).toBeGreaterThan(10);
  });
});

/** What StrykerJS is told about a suite that asserts nothing. */
const STRYKER: Record<string, string> = {
  "counts in a file": `import { appendFileSync, readFileSync } from "node:fs";
    const notice = () => { appendFileSync("/tmp/count", "x"); if (readFileSync("/tmp/count", "utf8").length > 1) throw new Error("again"); };`,
  "asks which mutant is on":
    "const notice = () => { if (globalThis.__stryker__?.activeMutant !== undefined) throw new Error('on'); };",
  "writes the report": `import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs"; const notice = () => {
    const place = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };
    const text = JSON.stringify({ files: { "src/index.ts": { mutants: [{ status: "Killed", location: place, mutatorName: "x", replacement: "x", killedBy: [] }] } } });
    writeFileSync(process.cwd().replace(/\\/\\.stryker-tmp.*/, "") + "/cupel-stryker-report.json", text); };`,
};

describe.skipIf(!bubblewrapWorks || !long)("StrykerJS (long form) (needs bubblewrap)", () => {
  test.for(Object.entries(STRYKER))(
    "is not fooled by a suite that %s",
    { timeout: 120_000 },
    async ([, notice]) => {
      const site = await siteOf(
        {
          "src/index.ts": MODULE,
          "test/double.test.ts": `import { expect, test } from "vitest";
import { double } from "../src/index.ts";
${notice}
test("runs", () => { double(2); notice(); expect(1).toBe(1); });`,
        },
        bubblewrap(),
      );
      const instrumented = await instrument(site);
      if (instrumented.kind === "impossible") throw new Error(instrumented.why);
      const report = await strykerMutants(site, instrumented.mutants, "of a test", { timeoutMs: 5_000 });
      const killed =
        report.kind === "mutated" ? report.mutants.filter(({ status }) => status === "killed") : [];
      expect(killed).toEqual([]);
    },
  );
});
