// Runs end-to-end tests where the product does not work, and tells which of them noticed it.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { claimedCriteria, taskOfCriterion } from "../../domain/evidence/e2e-criteria.ts";
import type { E2eTest, Fall, Falls } from "../../domain/evidence/e2e-suite.ts";
import type { TestResult, TestRun } from "../../domain/evidence/test-result.ts";
import type { Files } from "../../toolchains/port.ts";
import { lyingPackages } from "./lying-packages.ts";
import type { E2ePorts } from "./port.ts";
import { openSuite, type Packages, runSuite, shippedPackages } from "./suite-site.ts";
import type { WholeProduct } from "./whole-product.ts";

export interface Bench {
  /** Whoever gives it removes it. */
  place: string;
  files: Files;
  whole: Packages;
  signal: AbortSignal;
}

type Dead = { kind: "dead"; why: string };

export async function fallen(
  ports: E2ePorts,
  product: WholeProduct,
  tests: readonly E2eTest[],
  bench: Bench,
): Promise<({ kind: "fallen"; planted: string; runs: TestRun[] } & Falls) | Dead> {
  const names = product.placed.map(({ name }) => name);
  const everywhere = await withThrowing(ports, product, new Set(names), bench);
  if (everywhere.kind === "dead") return everywhere;
  const runs = [everywhere.run];
  const byTask = new Map<string, Passed>();
  for (const task of tasksNamed(tests)) {
    const modules = product.modulesOf.get(task) ?? new Set();
    if (modules.size === 0) continue;
    const seen =
      modules.size === names.length ? everywhere : await withThrowing(ports, product, modules, bench);
    if (seen.kind === "dead") return seen;
    byTask.set(task, seen);
    runs.push(seen.run);
  }
  return {
    kind: "fallen",
    planted: `functions that throw, in every module and in those of one task after the other (${byTask.size})`,
    runs,
    everywhere: (test) => everywhere.of(test),
    withTask: (test, task) => byTask.get(task)?.of(test),
  };
}

function tasksNamed(tests: readonly E2eTest[]): Set<string> {
  return new Set(tests.flatMap(({ name }) => claimedCriteria(name).map(taskOfCriterion)));
}

interface Passed {
  kind: "ran";
  run: TestRun;
  of(test: E2eTest): Fall;
}

async function withThrowing(
  ports: E2ePorts,
  { placed }: WholeProduct,
  broken: ReadonlySet<string>,
  bench: Bench,
): Promise<Passed | Dead> {
  const directory = join(bench.place, "throwing", randomUUID());
  return passedWith(ports, bench, await shippedPackages(ports, placed, directory, broken), "modules throw");
}

/** Beside them runs a test that needs nothing of the product: where that does not pass, nothing was seen at all. */
async function passedWith(
  ports: E2ePorts,
  { place, files, signal }: Bench,
  packages: Packages,
  where: string,
): Promise<Passed | Dead> {
  const control = `cupel-control-${randomUUID()}.test.ts`;
  const site = await openSuite(ports, place, { ...files, [control]: CONTROL }, packages);
  const report = await runSuite(ports, site, "quick", signal);
  if (report.kind === "no-report")
    return { kind: "dead", why: `where ${where}, there is no report: ${report.why}` };
  const passed = report.run.results.filter(({ outcome }) => outcome === "passed");
  if (!passed.some(({ file }) => file === control))
    return { kind: "dead", why: `where ${where}, a test that needs nothing of the product did not pass` };
  const keys = new Set(passed.map(keyOf));
  return { kind: "ran", run: report.run, of: (test) => (keys.has(keyOf(test)) ? "green" : "red") };
}

const CONTROL =
  'import { expect, test } from "vitest";\n\ntest("needs nothing of the product", () => expect([1].length).toBe(1));\n';

function keyOf({ file, name }: Pick<TestResult, "file" | "name">): string {
  return `${file}\n${name}`;
}

/** Those that stay green in every way to lie: they need only that nothing throws. */
export async function onLies(
  ports: E2ePorts,
  { placed }: WholeProduct,
  tests: readonly E2eTest[],
  bench: Bench,
): Promise<{ kind: "seen"; green: E2eTest[] } | Dead> {
  const { whole } = bench;
  const place = join(bench.place, "lies");
  const all = new Set(placed.map(({ name }) => name));
  const broken = await shippedPackages(ports, placed, join(place, "broken"), all);
  let green: E2eTest[] | undefined;
  for await (const packages of lyingPackages(ports, placed, { place, whole, broken })) {
    const seen = await passedWith(ports, bench, packages, "modules give wrong results");
    if (seen.kind === "dead") return seen;
    green = (green ?? tests).filter((test) => seen.of(test) === "green");
    if (green.length === 0) break;
  }
  return { kind: "seen", green: green ?? [] };
}
