// The suite has every layer that the rigor asks for, by what its tests were seen to do and never by what they are called.
import { type MicroModuleContract, PredicateKind } from "../../domain/contract/contract.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import { provable } from "../../domain/evidence/predicate-proof.ts";
import { falseClaims, lackFinding, lackingLayers, layerCounts } from "../../domain/evidence/seen-layers.ts";
import type { SeenTest } from "../../domain/evidence/seen-layers.ts";
import { type LayerCounts, requiredLayers, TestLayer } from "../../domain/evidence/test-layer.ts";
import type { SurfaceEntry, TestContact, TestReport, TestRunReport } from "../../toolchains/port.ts";
import { type Facts, SURFACE, TRUTH, WATCHED } from "../facts.ts";
import type { GateDefinition } from "../port.ts";
import { seenTests } from "../seen-tests.ts";
import { placeOfTest } from "./test-line.ts";

export const layers: GateDefinition = {
  name: "layers",
  look: async (facts) => {
    const report = await facts.watchedRun();
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    const seen = await seenTests(facts, report);
    if (seen.kind === "error") return seen;
    const seenCounts = layerCounts(seen.tests, (await facts.inspection()).files);
    const counts = { ...seenCounts, ...(everyKindHeld(facts, report) ? {} : { contract: 0 }) };
    const notApplicable = await derived(facts);
    const lacking = lackingLayers(asked(facts), counts, notApplicable);
    const findings = [
      ...lacking.map(lackFinding),
      ...placed(facts, falseClaims(seen.tests)),
      ...(await uncalled(facts, report, seen.tests)),
    ];
    return {
      kind: "looked",
      looked: report.run.results.length,
      summary: summaryOf(counts, lacking),
      findings: facts.module.contract === undefined ? findings.map(unlessAsked) : findings,
      figures: counts,
      evidence: { counts, required: asked(facts), notApplicable, tests: seen.tests },
    };
  },
  plant: async (facts) => {
    const report = await facts.watchedRun();
    const idle = report.kind === "ran" ? report.beside?.idle : undefined;
    if (report.kind === "no-report" || idle === undefined)
      return { kind: "impossible", why: "no test that does nothing with the module was seen in the run" };
    const spoiled = await facts.spoiled({});
    await Promise.all([
      spoiled.once(WATCHED, () => Promise.resolve(onlyIdle(report, idle))),
      spoiled.once(SURFACE, () => facts.surface()),
      spoiled.once(TRUTH, async () => ({
        ...(await facts.truth()),
        tests: [{ name: idle.test, calls: [] }],
      })),
    ]);
    const notApplicable = await derived(facts);
    const wanted = asked(facts).filter(
      (layer) => (layer === "unit" || layer === "property") && notApplicable[layer] === undefined,
    );
    return {
      kind: "planted",
      what: "a suite whose only test does nothing with the module",
      facts: spoiled,
      refusedBy: [
        ({ rule, file }) => rule === "claimed-layer" && file === IDLE_FILE,
        ...wanted.map(
          (layer) =>
            ({ message }: Finding) =>
              message === lackFinding(layer).message,
        ),
      ],
    };
  },
};

function asked({ module: { rigor, contract, product } }: Facts): TestLayer[] {
  const hasDependencies = (contract?.dependencies.length ?? 0) > 0;
  const required = requiredLayers(rigor, { hasDependencies, allVerified: typeof product === "object" });
  return required.filter(
    (layer) => !OWN_GATES.includes(layer) && (contract !== undefined || layer !== "contract"),
  );
}

/** What is measured or run elsewhere, by gates that belong to these layers. */
const OWN_GATES: readonly TestLayer[] = ["e2e", "budget"];

/** A contract was put to the test only when requirements were broken and answered, results judged and errors seen. */
function everyKindHeld({ module: { contract } }: Facts, { predicates = [] }: TestRunReport): boolean {
  const held = new Set(predicates.flatMap(({ predicate, upheld }) => (upheld > 0 ? [predicate] : [])));
  const promised = contract?.predicates ?? [];
  return PredicateKind.options.every((kind) => {
    const ofKind = promised.filter((each) => each.kind === kind);
    return ofKind.length === 0 || ofKind.some(({ id }) => held.has(id));
  });
}

/** Why a layer has nothing to be about, from the code and its contract. */
async function derived(facts: Facts): Promise<Partial<Record<TestLayer, string>>> {
  const { contract, broken } = facts.module;
  const callable = await callableEntries(facts);
  return {
    ...(callable.length === 0 ? { unit: NOTHING_TO_CALL, property: NOTHING_TO_CALL } : {}),
    ...(callable.length > 0 && takesNothing(contract, callable)
      ? { property: "no entry point takes an input" }
      : {}),
    ...(contract !== undefined && provable(contract).length === 0
      ? { contract: "the contract has no constraint, invariant or error" }
      : {}),
    // Where nobody handed in dependencies that do not work, the integration gate says what is missing.
    ...(broken === undefined ? { integration: "there is nothing to see it with" } : {}),
  };
}

const NOTHING_TO_CALL = "the module has nothing that could be called";

/** Errors are made by being thrown. */
async function callableEntries(facts: Facts): Promise<SurfaceEntry[]> {
  const { entries } = await facts.surface();
  const thrown = new Set(entries.flatMap(({ throws }) => throws));
  return entries.filter(({ kind, name }) => kind === "function" || (kind === "class" && !thrown.has(name)));
}

function takesNothing(contract: MicroModuleContract | undefined, callable: readonly SurfaceEntry[]): boolean {
  if (contract !== undefined) return contract.entry_points.every(({ inputs }) => inputs.length === 0);
  return callable.every(({ kind, signature }) => kind === "function" && /^\(\)\s*=>/.test(signature));
}

/** Every entry point that can be called is called in a test that passed, whatever else mentions it. */
async function uncalled(
  facts: Facts,
  { contacts }: TestRunReport,
  passing: readonly SeenTest[],
): Promise<Finding[]> {
  if (contacts === undefined) return [];
  const isPassing = (test: TestContact) =>
    passing.some(({ file, name }) => file === test.file && name === test.test);
  const called = new Set([
    ...contacts.tests.filter(isPassing).flatMap(({ entries }) => entries),
    ...contacts.loading.flatMap(({ entries }) => entries),
  ]);
  const errors = new Set(facts.module.contract?.error_surfaces.map(({ name }) => name));
  const missing = contacts.watched.filter((name) => !called.has(name) && !errors.has(name));
  const { entries } = missing.length === 0 ? { entries: [] } : await facts.surface();
  return missing.map((name) => {
    const place = entries.find((entry) => entry.name === name);
    return {
      rule: "uncalled-entry",
      ...(place === undefined ? {} : { file: place.file, line: place.line }),
      message: `no test that passes calls ${name}`,
    };
  });
}

function placed(facts: Facts, claims: ReturnType<typeof falseClaims>): Finding[] {
  const files = facts.module.site.files();
  return claims.map(({ rule, message, file, test }) => ({
    rule,
    message,
    ...placeOfTest(files, file, test),
  }));
}

function unlessAsked(finding: Finding): Finding {
  return { ...finding, settledBy: "layers" };
}

function summaryOf(counts: LayerCounts, lacking: readonly TestLayer[]): string {
  const shown = TestLayer.options.flatMap((layer) =>
    (counts[layer] ?? 0) === 0 ? [] : [`${layer} ${counts[layer]}`],
  );
  return `${shown.join(", ")}${lacking.length === 0 ? "" : `; lacks ${lacking.join(", ")}`}`;
}

/** Whose name claims what the test in it is not. */
const IDLE_FILE = "test/cupel-planted.unit.test.ts";

/** As if the test that does nothing were all there is. */
function onlyIdle(report: TestRunReport, idle: TestContact): TestReport {
  const result = {
    name: idle.test,
    file: IDLE_FILE,
    layer: "unit" as const,
    outcome: "passed" as const,
    durationMs: 0,
    retries: 0,
  };
  return {
    ...report,
    run: { ...report.run, results: [result] },
    properties: idle.properties.map((property) => ({ ...property, file: IDLE_FILE })),
    ...(report.contacts === undefined
      ? {}
      : { contacts: { ...report.contacts, tests: [{ ...idle, file: IDLE_FILE }], loading: [] } }),
  };
}
