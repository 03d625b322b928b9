// Modules whose code or tests want another verdict than they deserve, or the machine: each beside an honest twin.
import { describe, expect, test } from "vitest";
import { isGreen } from "../src/domain/evidence/test-result.ts";
import type { TestReport } from "../src/toolchains/port.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { processesWith } from "./processes.ts";
import { runModule } from "./run-module.ts";

const long = process.env["CUPEL_LONG"] === "1";
const TIMEOUT_MS = 20_000;

interface Hostile {
  name: string;
  /** Takes the place of the body of the one failing test, or adds files. */
  body?: string;
  files?: Record<string, string>;
  /** Always tried; the others, which take long together, only in the long form. */
  always?: true;
  expected: "red" | "no-report";
  /** What a failed test must have said, where it failed because nothing was allowed to it. */
  says?: string;
}

const FAILING = "expect(double(2)).toBe(5);";

const CASES: Hostile[] = [
  { name: "ends the process with a good code", body: "process.exit(0);", expected: "red" },
  {
    name: "ends the process below the runner",
    always: true,
    body: "process.reallyExit(0);",
    expected: "red",
  },
  { name: "sets a good exit code", body: `process.exitCode = 0; ${FAILING}`, expected: "red" },
  { name: "kills itself", body: 'process.kill(process.pid, "SIGKILL");', expected: "red" },
  {
    name: "kills the main process",
    always: true,
    body: 'process.kill(process.ppid, "SIGKILL"); await new Promise(() => {});',
    expected: "no-report",
  },
  {
    name: "opens the debugger of the main process",
    body: `process.kill(process.ppid, "SIGUSR1"); await new Promise((r) => setTimeout(r, 300));
      const answer = await fetch("http://127.0.0.1:9229/json").catch(() => undefined);
      if (answer === undefined) throw new Error("closed");`,
    expected: "red",
    says: "closed",
  },
  {
    name: "prints a report, also where the main process prints its own",
    always: true,
    body: `const line = "\\ncupel-report " + "0".repeat(64) + " H4sIAAAAAAAAA6tWKkktLlGyUlAqS8wpTtVRKi1OLYpPBYoZKtUCAGHp1r8cAAAA\\n";
      console.log(line); process.stdout.write(line);
      const { writeFileSync } = await import("node:fs");
      try { writeFileSync("/proc/" + process.ppid + "/fd/1", line); } catch {}
      ${FAILING}`,
    expected: "red",
  },
  {
    name: "replaces what the runner is made of",
    body: `JSON.stringify = () => "{}"; Array.prototype.push = () => 0; process.stdout.write = () => true;
      Object.defineProperty(Array.prototype, "some", { value: () => false });
      ${FAILING}`,
    expected: "red",
  },
  {
    name: "leaves a rejection behind",
    body: 'void Promise.reject(new Error("stray"));',
    expected: "red",
  },
  {
    name: "listens for rejections that nobody caught",
    always: true,
    body: `process.on("unhandledRejection", () => {}); void Promise.resolve().then(() => { ${FAILING} });
      await new Promise((resolve) => setTimeout(resolve, 20));`,
    expected: "red",
  },
  {
    name: "listens for errors that nobody caught",
    always: true,
    body: `process.once("uncaughtException", () => {}); setTimeout(() => { ${FAILING} }, 1);
      await new Promise((resolve) => setTimeout(resolve, 20));`,
    expected: "red",
  },
  {
    name: "hides its tests by configuration",
    always: true,
    body: FAILING,
    files: {
      "vitest.config.ts": `export default { test: { include: ["test/none.ts"], exclude: ["**/*"], testNamePattern: "nothing",
        passWithNoTests: true, retry: 3, dangerouslyIgnoreUnhandledErrors: true, bail: 1, shard: "1/9", allowOnly: true,
        reporters: [{ onInit() { process.exit(0); } }] } };`,
    },
    expected: "red",
  },
  {
    name: "wants to run inside the runner",
    body: FAILING,
    files: { "vitest.config.ts": 'export default { plugins: [{ name: "green" }] };' },
    expected: "no-report",
  },
  {
    name: "calls itself vitest",
    body: FAILING,
    files: {
      "package.json": '{"name":"vitest","type":"module","exports":{"./node":"./evil.js",".":"./evil.js"}}',
      "evil.js": "process.exit(0);",
    },
    expected: "red",
  },
  {
    name: "edits the other tests while it runs",
    always: true,
    files: {
      "test/a.test.ts": `import { writeFileSync } from "node:fs"; import { expect, test } from "vitest";
        test("edits", () => { try { writeFileSync(new URL("./b.test.ts", import.meta.url), ""); } catch {} expect(1).toBe(1); });`,
      "test/b.test.ts": `import { expect, test } from "vitest"; test("fails", () => expect(1).toBe(2));`,
    },
    expected: "red",
  },
  {
    name: "has a file that cannot be loaded",
    files: { "test/b.test.ts": 'import "./nowhere.ts";' },
    expected: "red",
  },
  { name: "has a file without a test", files: { "test/b.test.ts": "export {};" }, expected: "red" },
  {
    name: "has a test that runs alone",
    files: {
      "test/b.test.ts": `import { expect, test } from "vitest"; test.only("alone", () => expect(1).toBe(1));
        test("other", () => expect(1).toBe(2));`,
    },
    expected: "red",
  },
  { name: "loops for ever", body: "for (;;) {}", expected: "red" },
  { name: "waits for ever", body: "await new Promise(() => {});", expected: "red" },
  {
    name: "allows itself more time than there is",
    files: {
      "test/b.test.ts": `import { test } from "vitest"; test("long", () => new Promise(() => {}), 3_600_000);`,
    },
    expected: "red",
  },
  {
    name: "waits for ever while it is loaded",
    files: { "test/b.test.ts": "await new Promise(() => { setInterval(() => {}, 100); });" },
    expected: "red",
  },
  {
    name: "fills the heap",
    body: "const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5));",
    expected: "red",
  },
  {
    name: "fills memory with buffers",
    body: "const all = []; for (let i = 0; i < 100; i++) all.push(Buffer.alloc(1e8, 1)); ",
    expected: "red",
  },
  {
    name: "is a fork bomb",
    body: `const { spawn } = await import("node:child_process");
      const program = 'const { spawn } = require("child_process"); for (;;) spawn(process.execPath, ["-e", process.argv[1], process.argv[1]]).on("error", () => {})';
      for (let i = 0; i < 50; i++) spawn(process.execPath, ["-e", program, program], { detached: true }).on("error", () => {});
      await new Promise((r) => setTimeout(r, 1500)); ${FAILING}`,
    expected: "red",
  },
  {
    name: "prints a hundred megabytes",
    body: `const line = "x".repeat(1e6); for (let i = 0; i < 100; i++) console.log(line); ${FAILING}`,
    expected: "red",
  },
  {
    name: "writes where it may not, and reaches for the network",
    body: `const { writeFileSync } = await import("node:fs");
      const refused = [];
      for (const path of ["/etc/x", "/usr/x", "/workspace/x", "/workspace/node_modules/x", "/root/x"])
        try { writeFileSync(path, ""); } catch { refused.push(path); }
      await fetch("http://192.0.2.1/", { signal: AbortSignal.timeout(500) }).catch(() => refused.push("network"));
      if (refused.length === 6) throw new Error("all refused");`,
    expected: "red",
    says: "all refused",
  },
];

/** The same means, used with measure. */
const TWINS = [
  "process.exitCode = 1;",
  'console.log("x".repeat(1e6));',
  "for (let i = 0; i < 1e7; i++);",
  "await new Promise((resolve) => setTimeout(resolve, 200));",
  "expect(Buffer.alloc(2e8, 1).length).toBe(2e8);",
  "expect(new Array(1e7).fill(0.5).length).toBe(1e7);",
  'await expect(Promise.reject(new Error("awaited"))).rejects.toThrow("awaited");',
  `const seen = []; const listen = (error) => seen.push(error.message);
    process.on("unhandledRejection", listen); void Promise.reject(new Error("left alone"));
    await new Promise((resolve) => setTimeout(resolve, 20)); process.off("unhandledRejection", listen);
    expect(seen).toEqual(["left alone"]);`,
  `const { spawnSync } = await import("node:child_process");
    expect(spawnSync(process.execPath, ["-p", "1 + 1"], { encoding: "utf8" }).stdout).toBe("2\\n");`,
  `const [fs, os] = [await import("node:fs"), await import("node:os")];
    fs.writeFileSync(os.tmpdir() + "/mine", "x"); expect(fs.readFileSync(os.tmpdir() + "/mine", "utf8")).toBe("x");`,
  `const { createServer } = await import("node:http");
    const server = createServer((_, answer) => answer.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    expect(await (await fetch("http://127.0.0.1:" + server.address().port)).text()).toBe("hello"); server.close();`,
];

function moduleWith(body: string, files: Record<string, string> = {}): Record<string, string> {
  return {
    "src/index.ts": "export function double(value: number): number {\n  return value * 2;\n}\n",
    "test/double.test.ts": `import { expect, test } from "vitest";
import { double } from "../src/index.ts";
test("doubles", () => expect(double(2)).toBe(4));
test("the other", async () => { ${body} });
`,
    ...files,
  };
}

async function run(files: Record<string, string>): Promise<TestReport> {
  // So odd that the processes of this run can be told from all others by it.
  const secondsPerTest = 2 + Math.floor(Math.random() * 1e6) / 1e9;
  const report = await runModule(files, { secondsPerTest, timeoutMs: TIMEOUT_MS });
  expect(processesWith("environ", `CUPEL_TEST_MS=${secondsPerTest * 1000}`)).toEqual([]);
  return report;
}

describe.skipIf(!bubblewrapWorks)("a hostile module (needs bubblewrap)", () => {
  test("has honest twins that are green", { timeout: 60_000 }, async () => {
    const tests = TWINS.map((body, index) => `test("honest ${index}", async () => { ${body} });`);
    const report = await run({
      ...moduleWith("expect(double(4)).toBe(8);"),
      "test/honest.test.ts": `import { expect, test } from "vitest";\n${tests.join("\n")}`,
      "package.json": '{"name":"double","type":"module","exports":"./src/index.ts"}',
      "vitest.config.ts": 'export default { test: { include: ["test/**/*.test.ts"], restoreMocks: true } };',
    });
    const passed = TWINS.length + 2;
    expect(report.kind === "ran" && isGreen(report.run)).toEqual({ kind: "green", passed });
  });

  test.for(CASES.filter(({ always }) => long || always === true))(
    "that $name gets no green",
    { timeout: 60_000 },
    async ({ body = "expect(double(4)).toBe(8);", files, expected, says = "" }) => {
      const started = performance.now();
      const report = await run(moduleWith(body, files));
      const took = performance.now() - started;
      expect(took).toBeLessThan(TIMEOUT_MS + 3_000);
      if (expected === "no-report") expect(report.kind).toBe("no-report");
      else expect(report.kind === "ran" && isGreen(report.run).kind).toBe("notGreen");
      expect(JSON.stringify(report)).toContain(says);
    },
  );
});
