// How long all gates with their liveness take on a module of 150 lines: from nothing, and after a change of one line.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openVerifier } from "../src/factory/verifier.ts";
import { CONTRACT } from "./verify-contract.ts";
import { EXAMPLES } from "./verify-examples.ts";

const MODULES = fileURLToPath(new URL("modules/", import.meta.url));
const ROOT = fileURLToPath(new URL("../", import.meta.url));
const ROUNDS = 3;
const WARM_ROUNDS = 5;

export async function run(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  try {
    const folder = join(directory, "module");
    const { lines, tests } = makeModule(folder);
    const contract = join(directory, "contract.json");
    writeFileSync(contract, JSON.stringify(CONTRACT));
    const cold: number[] = [];
    const plain: number[] = [];
    const warm: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      cold.push(coldRun(folder, contract, join(directory, `cache-${round}`)));
      plain.push(plainVitest(folder));
    }
    process.env["XDG_CACHE_HOME"] = join(directory, "cache-0");
    const verifier = await openVerifier({ directory, rigor: "standard", all: true, contract });
    await verifier.verify(folder);
    for (let round = 0; round < WARM_ROUNDS; round++) {
      changeOneLine(join(folder, "src/calendar.ts"), round);
      warm.push((await timed(() => verifier.verify(folder))).seconds);
    }
    const { result: report } = await timed(() => verifier.verify(folder));
    await verifier.close();
    const coldS = middle(cold);
    return {
      coldS,
      warmS: middle(warm),
      overPlainVitest: Math.round((coldS / middle(plain)) * 100) / 100,
      plainVitestS: middle(plain),
      lines,
      tests,
      passed: report.passed,
      gates: report.gates.map(({ verdict }) => `${verdict.gate} ${verdict.verdict}`),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Two of the benchmark's modules as one. */
function makeModule(folder: string): { lines: number; tests: number } {
  mkdirSync(join(folder, "src"), { recursive: true });
  mkdirSync(join(folder, "test"));
  let text = "";
  for (const name of PARTS) {
    const code = readFileSync(join(MODULES, name, "src/index.ts"), "utf8");
    text += code;
    writeFileSync(join(folder, "src", `${name}.ts`), code);
    cpSync(join(MODULES, name, "test"), join(folder, "test"), { recursive: true });
  }
  writeFileSync(join(folder, "examples.md"), EXAMPLES);
  writeFileSync(
    join(folder, "src/index.ts"),
    PARTS.map((name) => `export * from "./${name}.ts";\n`).join(""),
  );
  const suites = PARTS.map((name) => readFileSync(join(folder, "test", `${name}.test.ts`), "utf8")).join("");
  return { lines: text.split("\n").length, tests: suites.match(/^\s*(?:test|it)\b/gm)?.length ?? 0 };
}

const PARTS = ["calendar", "duration"];

/** The same rule in other words; none comes twice, so that no answer is known from an earlier round. */
const LEAP = [
  "year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)",
  "year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)",
  "year % 400 === 0 || (year % 100 !== 0 && year % 4 === 0)",
  "(year % 400 === 0 || year % 100 !== 0) && year % 4 === 0",
  "(year % 100 !== 0 && year % 4 === 0) || year % 400 === 0",
  "year % 4 === 0 && (year % 400 === 0 || year % 100 !== 0)",
];

/** The line that most tests of the calendar run. */
function changeOneLine(path: string, round: number): void {
  const code = readFileSync(path, "utf8");
  const [now, next] = [LEAP[round], LEAP[round + 1]];
  if (now === undefined || next === undefined || !code.includes(now))
    throw new Error(`${path} has no line to change`);
  writeFileSync(path, code.replace(now, next));
}

function coldRun(folder: string, contract: string, cache: string): number {
  const started = performance.now();
  const args = [join(ROOT, "bin/cupel.js"), "verify", folder, "--contract", contract, "--all", "--json"];
  const env = { PATH: process.env["PATH"] ?? "", HOME: cache, XDG_CACHE_HOME: cache };
  const ended = spawnSync(process.execPath, args, {
    env,
    encoding: "utf8",
    timeout: 300_000,
    maxBuffer: 1 << 28,
  });
  if (ended.status !== 0)
    throw new Error(`cupel verify: exit ${ended.status}\n${ended.stdout.slice(-2000)}\n${ended.stderr}`);
  return seconds(started);
}

function plainVitest(folder: string): number {
  const started = performance.now();
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const env = { PATH: process.env["PATH"] ?? "" };
  // Where its imports resolve, as they would in a project.
  const place = mkdtempSync(join(ROOT, "bench", ".plain-"));
  cpSync(folder, place, { recursive: true });
  writeFileSync(join(place, "vitest.config.mjs"), "export default {};\n");
  const ended = spawnSync(process.execPath, [vitest, "run", "--root", place], { env, encoding: "utf8" });
  rmSync(place, { recursive: true, force: true });
  if (ended.status !== 0) throw new Error(`vitest: exit ${ended.status}\n${ended.stdout}\n${ended.stderr}`);
  return seconds(started);
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now();
  const result = await work();
  return { result, seconds: seconds(started) };
}

function seconds(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}

function middle(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
