// Several defects in one copy, so that gates that need all tests to be watched share one run.
import type { MicroModuleContract, Predicate } from "../domain/contract/contract.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { SeenEffect } from "../toolchains/port.ts";
import { declares } from "./effect-kinds.ts";
import type { Facts } from "./facts.ts";

export interface CommonPlant {
  facts: Facts;
  uncovered: string;
  /** Undefined when the contract declares every kind of effect, or there is none. */
  effect: string | undefined;
  /** Undefined without an output to promise something of. */
  promise: string | undefined;
}

export function commonPlant(facts: Facts): Promise<CommonPlant> {
  return facts.once("common-plant", () => plantTogether(facts));
}

/** Starts the run that looks at the copy. */
export async function runCommonPlant(facts: Facts): Promise<unknown> {
  return (await commonPlant(facts)).facts.watchedRun();
}

async function plantTogether(facts: Facts): Promise<CommonPlant> {
  const { contract, site, rigor } = facts.module;
  const files = site.files();
  const lines = site.layout.sources.reduce((sum, path) => sum + (files[path] ?? "").split("\n").length, 0);
  const effect = EFFECTS.find(({ type }) => contract !== undefined && !declares(contract, type));
  const { entry } = site.layout;
  const code = [files[entry] ?? "", uncoveredFunction(lines, rigor), effect?.code ?? ""].join("\n");
  const promised = contract === undefined ? undefined : withPromise(contract);
  const spoiled = await facts.spoiled({
    edits: { [entry]: code },
    ...(promised === undefined ? {} : { contract: promised }),
  });
  return {
    facts: spoiled,
    uncovered: `an uncovered function in ${entry}`,
    effect: effect === undefined ? undefined : `an undeclared ${effect.type} in ${entry}`,
    promise: promised === undefined ? undefined : "an invariant that no result keeps",
  };
}

/** As TypeScript, JavaScript or CommonJS; as large as it must be to bring any module below the threshold. */
function uncoveredFunction(lines: number, { minCoverage }: Rigor): string {
  const least = Math.max(minCoverage.lines, 0.01);
  const count = Math.ceil((lines * (1 - least)) / least) + 5;
  const body = Array.from({ length: count }, (_, index) => `  planted.push(${index});`);
  return `function cupelUncovered(planted) {\n${body.join("\n")}\n}\n`;
}

const EFFECTS: readonly { type: SeenEffect["type"]; code: string }[] = [
  { type: "RANDOM", code: "function cupelEffect() {\n  return Math.random();\n}\n" },
  { type: "CLOCK", code: "function cupelEffect() {\n  return Date.now();\n}\n" },
  { type: "WRITE", code: 'function cupelEffect() {\n  console.log("planted");\n}\n' },
];

function withPromise(contract: MicroModuleContract): MicroModuleContract | undefined {
  const [first, ...others] = contract.outputs;
  const [entry] = contract.entry_points;
  if (first === undefined || entry === undefined) return undefined;
  const planted: Predicate = {
    id: "cupel-planted",
    of: `outputs.0.invariants.${first.invariants.length}`,
    entry: entry.name,
    kind: "ensures",
    expr: 'result === "cupel planted"',
  };
  return {
    ...contract,
    outputs: [{ ...first, invariants: [...first.invariants, "cannot be kept"] }, ...others],
    predicates: [...contract.predicates, planted],
  };
}
