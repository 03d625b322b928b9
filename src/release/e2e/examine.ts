// Whether end-to-end tests count: they pass on the product as it is, say what they show, and fall where it does not work.
import { join } from "node:path";
import { claimFindings, type E2eTest, fallFindings, type NotShown } from "../../domain/evidence/e2e-suite.ts";
import { fileFindings } from "../../domain/evidence/e2e-files.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import { findingsOf } from "../../evidence/gates/green.ts";
import type { Files, Site } from "../../toolchains/port.ts";
import { fallen, onLies } from "./falls.ts";
import type { E2ePorts } from "./port.ts";
import { inPlace, openSuite, runSuite, shippedPackages } from "./suite-site.ts";
import type { WholeProduct } from "./whole-product.ts";

export interface Suite {
  files: Files;
  notShown: readonly NotShown[];
}

export type Examined =
  | { kind: "accepted"; tests: E2eTest[]; planted: string; runs: TestRun[] }
  | { kind: "refused"; findings: Finding[] };

/** What is cheap comes first; a suite that has fallen is not run any further. */
export async function examineSuite(
  ports: E2ePorts,
  product: WholeProduct,
  { files, notShown }: Suite,
  signal: AbortSignal,
): Promise<Examined> {
  const wrong = fileFindings(files);
  if (wrong.length > 0) return { kind: "refused", findings: wrong };
  return inPlace(ports, async (place) => {
    const whole = await shippedPackages(ports, product.placed, join(place, "whole"));
    const site = await openSuite(ports, place, files, whole);
    const read = await staticFindings(ports, site);
    if (read.length > 0) return { kind: "refused", findings: inSuite(read) };
    const report = await runSuite(ports, site, "record", signal);
    if (report.kind === "no-report") return refused("no-report", `the tests gave no report: ${report.why}`);
    const tests = report.run.results.map(({ name, file }) => ({ name, file }));
    const said = [...findingsOf(report.run), ...claimFindings(tests, product.criteria, notShown)];
    if (said.length > 0) return { kind: "refused", findings: inSuite(said) };
    const bench = { place, files, whole, signal };
    const falls = await fallen(ports, product, tests, bench);
    if (falls.kind === "dead") return refused("no-report", falls.why);
    const green = fallFindings(tests, falls);
    if (green.length > 0) return { kind: "refused", findings: inSuite(green) };
    const lied = await onLies(ports, product, tests, bench);
    if (lied.kind === "dead") return refused("no-report", lied.why);
    if (lied.green.length > 0) return { kind: "refused", findings: inSuite(lied.green.map(careless)) };
    return { kind: "accepted", tests, planted: falls.planted, runs: [report.run, ...falls.runs] };
  });
}

function careless({ name, file }: E2eTest): Finding {
  return { rule: "green-on-lies", file, message: `${name} passes whatever the modules give back` };
}

function refused(rule: string, message: string): Examined {
  return { kind: "refused", findings: [{ rule, message }] };
}

/** As people see the files. */
function inSuite(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) =>
    finding.file === undefined ? finding : { ...finding, file: `e2e/${finding.file}` },
  );
}

/** Of code that is no module only what it loads matters; of tests, whether they are some. */
const ABOUT_IMPORTS = [
  "computed-import",
  "forbidden-import",
  "outside-import",
  "undeclared-package",
  "unparsed",
];
const PACKAGES = ["vitest", "fast-check"];

async function staticFindings({ toolchain, rigor }: E2ePorts, site: Site): Promise<Finding[]> {
  const { imports, patterns } = rigor.forbidden[toolchain.language];
  const rules = { forbiddenImports: imports, forbiddenPatterns: patterns, allowedPackages: PACKAGES };
  const { entry, sources, tests, configuration } = site.layout;
  const asCode = { entry, sources: [...sources, ...tests, ...configuration], tests: [], configuration: [] };
  const code = await toolchain.inspect({ ...site, layout: asCode }, rules);
  const asTests = await toolchain.inspect(site, rules);
  const findings = [
    ...code.findings.filter(({ rule }) => ABOUT_IMPORTS.includes(rule)),
    ...asTests.findings.filter(({ file, severity }) => tests.includes(file) && severity === "error"),
  ];
  return findings.map(({ rule, file, line, message }) => ({ rule, file, line, message }));
}
