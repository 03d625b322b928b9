// What `run_tests` and `build` do: a copy of the agent's module with its built dependencies in the harness's sandbox, and a
// report from which their code is taken out.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { TestSelection, WorkshopFunctions } from "../../agents/tools/workshop-tools.ts";
import { isGreen, type TestResult } from "../../domain/evidence/test-result.ts";
import type { BuildReport, Site, TestReport } from "../../toolchains/port.ts";
import { sealedError } from "../../store/backends/refusal.ts";
import { canaryFilter, REMOVED } from "../../workshop/blindness/canary.ts";
import { removeAll } from "../../workshop/workspace/remove.ts";
import { type BuiltPackage, builtPackages } from "./built-packages.ts";
import { type Desk, provisionsOf } from "./desk.ts";
import { sealedTextFilter } from "./sealed-text.ts";
import type { NoteAccess } from "./workspace-view.ts";

/** Longest time of one run of all tests. */
const TIMEOUT_MS = 5 * 60_000;

export interface RunPlace {
  /** The module in the agent's workspace. */
  folder: string;
  /** The commit that the workspace was cut from. */
  base: string;
}

export function workshopRuns(desk: Desk, place: RunPlace, note: NoteAccess): WorkshopFunctions {
  const { toolchain } = desk.engineering;
  const { secondsPerTest } = desk.making.assignment.rigor;
  return {
    runTests: (selection, signal) =>
      inSite(desk, place, note, "run_tests", async (site) => {
        const chosen = chosenTests(site, selection, desk.making.assignment.folder);
        if (chosen.length === 0)
          return `No test file fits. There are: ${site.layout.tests.join(", ") || "none"}.`;
        const some = { ...site, layout: { ...site.layout, tests: chosen } };
        const options = { secondsPerTest, timeoutMs: TIMEOUT_MS, coverage: false, signal };
        return testText(await toolchain.test(some, options), selection.name);
      }),
    build: (signal) =>
      inSite(desk, place, note, "build", async (site) => buildText(await toolchain.build(site, signal))),
  };
}

async function inSite(
  desk: Desk,
  { folder, base }: RunPlace,
  note: NoteAccess,
  operation: "run_tests" | "build",
  work: (site: Site) => Promise<string>,
): Promise<string> {
  const { toolchain, workplace } = desk.engineering;
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module") return `This is no module yet: ${detected.why}.`;
  const place = join(workplace, "sites", randomUUID());
  try {
    const around = await provisionsOf(desk).around(desk.subject.dependencies, base);
    const built = await builtPackages(around, join(place, "dependencies"));
    const site = await toolchain.openSite({
      folder,
      layout: detected.layout,
      directory: join(place, "site"),
      dependencies: built.map(({ name, directory }) => ({ name, directory })),
    });
    const report = await work(site);
    const opened = await Promise.all(around.map((each) => each.open()));
    const open = [...Object.values(site.files()), ...opened.flatMap((files) => Object.values(files))];
    return await withoutSealed(report, { built, open, operation, note });
  } finally {
    await removeAll(place);
  }
}

export interface Unsealing {
  /** What the tests ran together with. */
  built: readonly BuiltPackage[];
  /** What the agent wrote itself, and all that it may see of the others. */
  open: readonly string[];
  operation: "run_tests" | "build";
  note: NoteAccess;
}

/** A report without the code of what it ran together with. */
export async function withoutSealed(
  report: string,
  { built, open, operation, note }: Unsealing,
): Promise<string> {
  const sealed = built.map(({ name, texts }) => ({ path: `/modules/${name}`, texts }));
  const unsealed = sealedTextFilter(sealed, open)(report);
  // What has no likeness to the code any more may still carry its canary.
  const marked = canaryFilter(built.map(({ canary }) => canary)).text(unsealed.text);
  const [first] = marked.found;
  const path = sealed[first?.canary ?? 0]?.path ?? "/modules";
  const text = marked.text.replaceAll(REMOVED, sealedError(path));
  const all = new Set([...unsealed.found, ...marked.found.map(({ canary }) => canary)]);
  for (const index of all) {
    const reason = `the report held code of ${built[index]?.ref ?? "a dependency"}, which was taken out`;
    await note(operation, sealed[index]?.path ?? "/modules", false, reason);
  }
  if (all.size === 0) await note(operation, "/", true, "nothing of a dependency's code was in the report");
  return text;
}

/** Agents name files from the root of their module, of their workspace, or not at all. */
function chosenTests({ layout }: Site, { files }: TestSelection, own: string): string[] {
  if (files.length === 0) return [...layout.tests];
  const wanted = files.map((file) => file.replace(/^\/+/, "").replace(`modules/${own}/`, ""));
  return layout.tests.filter((test) => wanted.includes(test));
}

export function testText(report: TestReport, name: string | undefined): string {
  if (report.kind === "no-report") return `The tests gave no report that can be believed: ${report.why}`;
  const { run } = report;
  const wanted = run.results.filter((result) => name === undefined || result.name.includes(name));
  const green = isGreen(run);
  const verdict =
    green.kind === "green"
      ? `All ${green.passed} tests passed.`
      : `Not green: ${green.reasons.map(({ reason, count }) => `${count} ${reason}`).join(", ")}.`;
  return [
    verdict,
    ...run.collectionErrors.map(({ file, message }) => `${file} could not be loaded: ${message}`),
    ...run.strayErrors.map((message) => `An error that no test caught: ${message}`),
    ...wanted.map(resultText),
  ].join("\n");
}

function resultText({ name, file, outcome, failure }: TestResult): string {
  const head = `${outcome} ${file}: ${name}`;
  if (failure === undefined) return head;
  const parts = [
    `  ${failure.message}`,
    ...(failure.expected === undefined ? [] : [`  expected: ${failure.expected}`]),
    ...(failure.actual === undefined ? [] : [`  actual: ${failure.actual}`]),
    ...(failure.counterexample === undefined ? [] : [`  counterexample: ${failure.counterexample}`]),
  ];
  return [head, ...parts].join("\n");
}

function buildText(report: BuildReport): string {
  if (report.kind === "built") return `Built ${report.files} files without an error.`;
  const errors = report.errors.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  return [`Not built: ${errors.length} errors.`, ...errors].join("\n");
}
