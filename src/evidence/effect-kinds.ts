// Which effects that are seen in code a contract's declarations allow.
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import type { SeenEffect } from "../toolchains/port.ts";

/** Whoever declares a request declares a use of the network. */
const DECLARED_BY: Readonly<Record<SeenEffect["type"], readonly string[]>> = {
  READ: ["READ"],
  WRITE: ["WRITE", "MUTATION"],
  NETWORK: ["NETWORK", "POST", "PUT", "PATCH", "CALL"],
  CLOCK: ["CLOCK"],
  RANDOM: ["RANDOM"],
  CALL: ["CALL"],
};

export function declares(
  { effects }: Pick<MicroModuleContract, "effects">,
  type: SeenEffect["type"],
): boolean {
  return effects.some((effect) => DECLARED_BY[type].includes(effect.type));
}
