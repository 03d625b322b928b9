// One copy with several defects for the gates that judge what was watched in a run: what they judge rode along in it.
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import { ALONE, type Facts, WATCHED } from "./facts.ts";
import { brokenPromise, undeclaredEffect } from "./plants-beside.ts";

export interface CommonPlant {
  facts: Facts;
  uncovered: string;
  /** Undefined when the contract declares every kind of effect, or there is none. */
  effect: string | undefined;
  /** Undefined without an output to promise something of. */
  promise: string | undefined;
}

export function commonPlant(facts: Facts): Promise<CommonPlant> {
  return facts.once("common-plant", async () => {
    const { contract, site } = facts.module;
    const effect = contract === undefined ? undefined : undeclaredEffect(contract);
    const promised = contract === undefined ? undefined : withPromise(contract);
    const { entry } = site.layout;
    const code = [site.files()[entry] ?? "", effect?.code ?? ""].join("\n");
    const spoiled = await facts.spoiled({
      edits: { [entry]: code },
      ...(promised === undefined ? {} : { contract: promised }),
    });
    await Promise.all([
      spoiled.once(WATCHED, () => facts.runWithPlants()),
      spoiled.once(ALONE, () => facts.alone()),
    ]);
    return {
      facts: spoiled,
      uncovered: "a function that no test runs",
      effect: effect === undefined ? undefined : `an undeclared ${effect.type} in ${entry} and in the run`,
      promise: promised === undefined ? undefined : "an invariant that no result keeps",
    };
  });
}

function withPromise(contract: MicroModuleContract): MicroModuleContract | undefined {
  const [first, ...others] = contract.outputs;
  const promise = brokenPromise(contract);
  if (first === undefined || promise === undefined) return undefined;
  return {
    ...contract,
    outputs: [{ ...first, invariants: [...first.invariants, "cannot be kept"] }, ...others],
    predicates: [...contract.predicates, promise],
  };
}
