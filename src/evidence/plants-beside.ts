// Defects that ride along while the module itself is looked at: every watch must see them there, in the same workers.
import { posix } from "node:path";
import type { EntryPoint, MicroModuleContract, Predicate } from "../domain/contract/contract.ts";
import { codeCoverage } from "../domain/evidence/coverage.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { Beside, Edits, SeenEffect, Site, TestReport, TestRunReport } from "../toolchains/port.ts";
import { declares } from "./effect-kinds.ts";
import type { ModuleUnderTest } from "./module-under-test.ts";

type Watched = Pick<ModuleUnderTest, "contract" | "rigor" | "site">;

export function plantsBeside({ contract, rigor, site }: Watched): Beside {
  const lines = site.layout.sources.reduce((sum, path) => sum + lineCount(site, path), 0);
  const effect = contract === undefined ? undefined : undeclaredEffect(contract);
  const promise = contract === undefined ? undefined : brokenPromise(contract);
  return {
    // The last line uses it, so that the watch on a run sees it as well as the one on code.
    source: [
      uncoveredFunction(lines, rigor),
      effect === undefined ? "" : `${effect.code}cupelEffect();\n`,
    ].join("\n"),
    predicates: promise === undefined ? [] : [promise],
  };
}

/** The report as it would be if the module itself had these defects; an error where some watch did not see them. */
export function withPlants(report: TestRunReport): TestReport {
  const { coverage, predicates, counterexamples, effects, beside } = report;
  if (coverage === undefined || beside?.coverage === undefined)
    return { kind: "no-report", why: "the planted source was not seen in the run", timedOut: false };
  return {
    ...report,
    coverage: codeCoverage([...coverage.files, beside.coverage]),
    ...(predicates === undefined
      ? {}
      : {
          predicates: [...predicates, ...(beside.predicates ?? [])],
          counterexamples: [...(counterexamples ?? []), ...(beside.counterexamples ?? [])],
        }),
    ...(effects === undefined ? {} : { effects: [...effects, ...(beside.effects ?? [])] }),
  };
}

/**
 * As TypeScript, JavaScript or CommonJS; as large as it must be to bring any module below the threshold. Under the usual
 * thresholds it is the same, so that what was seen under one of them can be judged by the others.
 */
function uncoveredFunction(lines: number, { minCoverage }: Rigor): string {
  const least = Math.min(Math.max(minCoverage.lines, 0.01), USUAL);
  const count = Math.ceil((lines * (1 - least)) / least) + 5;
  const body = Array.from({ length: count }, (_, index) => `  planted.push(${index});`);
  return `export const loaded = true;\nexport function cupelUncovered(planted) {\n${body.join("\n")}\n}\n`;
}

const USUAL = 0.5;

interface PlantedEffect {
  type: SeenEffect["type"];
  /** A function of its own. */
  code: string;
}

/** Undefined when the contract declares every kind of effect. */
export function undeclaredEffect(contract: MicroModuleContract): PlantedEffect | undefined {
  return EFFECTS.find(({ type }) => !declares(contract, type));
}

const EFFECTS: readonly PlantedEffect[] = [
  { type: "RANDOM", code: "function cupelEffect() {\n  return Math.random();\n}\n" },
  { type: "CLOCK", code: "function cupelEffect() {\n  return Date.now();\n}\n" },
  { type: "WRITE", code: 'function cupelEffect() {\n  console.log("planted");\n}\n' },
];

/** Undefined without an output to promise something of. */
export function brokenPromise({ outputs, entry_points }: MicroModuleContract): Predicate | undefined {
  const [output] = outputs;
  const [entry] = entry_points;
  if (output === undefined || entry === undefined) return undefined;
  return {
    id: "cupel-planted",
    of: `outputs.0.invariants.${output.invariants.length}`,
    entry: entry.name,
    kind: "ensures",
    expr: 'result === "cupel planted"',
  };
}

/** The entry with a guard at its end whose mutants all survive. */
export function withGuard(site: Site): Edits {
  const { entry } = site.layout;
  return { [entry]: `${site.files()[entry] ?? ""}\n${UNGUARDED}` };
}

/** As TypeScript, JavaScript or CommonJS. */
const UNGUARDED = `function cupelPlanted(value) {
  if (value < 0) throw new Error("planted");
  return value;
}
`;

/**
 * A test that passes whatever the module does, or undefined where there is no test to stand beside. In a file of its own,
 * under a name that nobody has: what a file does before each of its tests would happen to the planted one, too.
 */
export function plantedTest(
  site: Pick<Site, "layout" | "files">,
): { path: string; edits: Edits } | undefined {
  return testBeside(site, `import { test } from "vitest";\ntest("planted", () => {});\n`);
}

/** Nobody who lies looks at them, but they may be taken apart on the way in, and lists can be taken for objects as well. */
const GIVEN = JSON.stringify(Array.from({ length: 8 }, () => []));

/** A test that calls an entry point and asks for nothing. */
export function carelessTest(
  site: Pick<Site, "layout" | "files">,
  called: Pick<EntryPoint, "name">,
): { path: string; edits: Edits } | undefined {
  const [name = "", member] = called.name.split(".");
  const [first] = site.layout.tests;
  if (first === undefined || name === "") return undefined;
  const from = posix.relative(posix.dirname(first), site.layout.entry);
  const call =
    member === undefined
      ? `Reflect.apply(unit.${name}, undefined, ${GIVEN})`
      : `Reflect.apply(unit.${name}.prototype.${member} ?? unit.${name}.${member}, {}, ${GIVEN})`;
  const lines = [
    'import { test } from "vitest";',
    `import * as unit from ${JSON.stringify(from.startsWith(".") ? from : `./${from}`)};`,
    `test("planted", () => void ${call});`,
  ];
  return testBeside(site, `${lines.join("\n")}\n`);
}

function testBeside(
  site: Pick<Site, "layout" | "files">,
  text: string,
): { path: string; edits: Edits } | undefined {
  const [first] = site.layout.tests;
  if (first === undefined) return undefined;
  const taken = site.files();
  const pathOf = (number: number) => first.replace(/[^/]+$/, `cupel-planted${number}.test.ts`);
  let number = 1;
  while (taken[pathOf(number)] !== undefined) number += 1;
  const path = pathOf(number);
  return { path, edits: { [path]: text } };
}

/** What the same run would have said without this test file. */
export function withoutFile(report: TestReport, path: string): TestReport {
  if (report.kind === "no-report") return report;
  const { files, results, collectionErrors } = report.run;
  const run = {
    ...report.run,
    files: files.filter((file) => file !== path),
    results: results.filter(({ file }) => file !== path),
    collectionErrors: collectionErrors.filter(({ file }) => file !== path),
  };
  return { ...report, run };
}

export function lineCount(site: Site, path: string): number {
  return (site.files()[path] ?? "").split("\n").length;
}
