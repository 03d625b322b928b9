// The main program of a test run inside a site: runs vitest on exactly the ordered files and writes one signed report.
import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { Vitest } from "vitest/node";
import { reportLine } from "../report-line.ts";
import type { WireCoverage, WireOrder, WireReport } from "../wire-report.ts";
import { wireCoverage } from "./coverage-summary.ts";
import { insistOnShield } from "./insist-on-shield.ts";
import { putWhole } from "./put-whole.ts";
import { wireError, wireFiles } from "./reporter.ts";
import { viteSettings, vitestSettings } from "./settings.ts";
import { WORKER_ORDER, type WorkerOrder } from "./worker-order.ts";

/** Beside the time that any test may take: to load a file, and before that to start vitest itself. */
const GRACE_MS = 4_000;
const START_MS = 8_000;

const started = performance.now();
const { key, ...received }: WireOrder = JSON.parse(readFileSync(0, "utf8"));
insistOnShield(received);
// A worker could otherwise open this process's debugger with a signal.
process.on("SIGUSR1", () => undefined);
const workerKey = randomBytes(32).toString("hex");
const escaped: string[] = [];
process.on("uncaughtException", (error) => escaped.push(strayText(error)));
process.on("unhandledRejection", (error) => escaped.push(strayText(error)));

const { createVitest, version } = await import("vitest/node");
const order = { ...received, root: realpathSync(received.root) };
if (!canCover()) delete order.cover;
let latest = performance.now() + START_MS;
let coverage: WireCoverage[] | undefined;
const noticed = () => {
  latest = performance.now();
};
const reporter = {
  onTestModuleQueued: noticed,
  onTestModuleStart: noticed,
  onTestModuleCollected: noticed,
  onTestModuleEnd: noticed,
  onTestCaseReady: noticed,
  onTestCaseResult: noticed,
  onTaskUpdate: noticed,
  onCoverage: (map: unknown) => {
    coverage = wireCoverage(map, order.root, order.cover ?? []);
  },
};
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
try {
  const vitest = await createVitest(
    "test",
    { ...vitestSettings(order), reporters: [reporter] },
    await viteSettings(order),
    { stdout: nowhere(), stderr: nowhere() },
  );
  const ended = await Promise.race([run(vitest), watch()]);
  send({
    vitest: version,
    files: wireFiles(order.tests, order.root, vitest.state.getTestModules(), workerKey),
    stray: [...vitest.state.getUnhandledErrors().map(strayText), ...escaped],
    ended,
    durationMs: performance.now() - started,
    ...(coverage === undefined ? {} : { coverage }),
  });
} catch (error) {
  // The way for errors is closed above, because those of workers must not end the run.
  writeSync(2, wireError(error).message);
  process.exit(1);
}

function strayText(error: unknown): string {
  const { message, causes } = wireError(error);
  return [message, ...causes].join("; because: ");
}

async function run(ready: Vitest): Promise<WireReport["ended"]> {
  if (order.cover !== undefined) await prepareCoverage(ready);
  const project = ready.getRootProject();
  const told: WorkerOrder = { key: workerKey, tools: order.workerTools };
  // By its name, because the types of vitest want to know every name that is provided.
  const provide: unknown = Reflect.get(project, "provide");
  if (typeof provide === "function") Reflect.apply(provide, project, [WORKER_ORDER, told]);
  const specifications = order.tests.map((file) => project.createSpecification(`${order.root}/${file}`));
  await ready.runTestSpecifications(specifications, true);
  return "finished";
}

/** Called otherwise before vitest 4. */
async function prepareCoverage(ready: Vitest): Promise<void> {
  const prepare: unknown = Reflect.get(ready, "standalone") ?? Reflect.get(ready, "init");
  if (typeof prepare === "function") await Reflect.apply(prepare, ready, []);
}

/** The package for coverage is not part of vitest. */
function canCover(): boolean {
  try {
    return import.meta.resolve("@vitest/coverage-v8") !== "";
  } catch {
    return false;
  }
}

/** A worker in an endless loop says nothing any more, and vitest would wait for it for ever. */
function watch(): Promise<WireReport["ended"]> {
  const silence = order.secondsPerTest * 1000 + GRACE_MS;
  return new Promise((resolve) => {
    setInterval(() => {
      if (performance.now() - started > order.deadlineMs) resolve("late");
      else if (performance.now() - latest > silence) resolve("silent");
    }, 50);
  });
}

/** Nothing that still runs can hold up the end: with this process the whole sandbox goes. */
function send(report: WireReport): void {
  putWhole(reportLine(report, key));
  process.exit(0);
}
