// What stands in the way of building on a contract, before anybody debates it: also a version that could never ship.
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { EngineeringPorts } from "../port.ts";
import { nextVersion } from "../ship/next-version.ts";
import { shelfOf } from "../ship/shelf.ts";

export async function inspect(
  { store, toolchain }: Pick<EngineeringPorts, "store" | "toolchain">,
  contract: MicroModuleContract,
): Promise<string[]> {
  const problems = await toolchain.checkContract(contract);
  return [...problems, ...(await versionProblems(store, contract))];
}

/** The door would be closed, and nobody who drafts could do anything about it any more. */
async function versionProblems(
  store: EngineeringPorts["store"],
  contract: MicroModuleContract,
): Promise<string[]> {
  const next = await nextVersion(store, await shelfOf({ store }), contract);
  return next.kind === "follows"
    ? []
    : [`${next.why}; draft a contract that fits the version, which is settled`];
}
