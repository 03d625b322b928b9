// What callers can reach is what the locked contract promises, entry point by entry point.
import type { GateDefinition } from "../port.ts";

/** What to do about it, which the two lists do not say. */
const ERRORS =
  "; throw only errors that the contract names for it, here and in what it calls, and each of those that it names";

export const surface: GateDefinition = {
  name: "surface",
  look: async (facts) => {
    const { contract, toolchain, site } = facts.module;
    if (contract === undefined) return { kind: "error", message: "there is no contract" };
    const { compared, differences } = await toolchain.compareSurface(site, contract.entry_points);
    return {
      kind: "looked",
      looked: compared,
      summary: `${compared} entry points`,
      evidence: differences,
      findings: differences.map(({ entry, what, expected, found, file, line }) => ({
        rule: `surface-${what}`,
        message: `${entry}: expected ${expected}, found ${found}${what === "errors" ? ERRORS : ""}`,
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
      })),
    };
  },
  plant: async (facts) => {
    const { contract } = facts.module;
    const [first, ...others] = contract?.entry_points ?? [];
    if (contract === undefined || first === undefined)
      return { kind: "impossible", why: "there is no entry point" };
    const changed = { ...first, signature: "(cupelPlanted: { readonly planted: unique symbol }) => never" };
    const spoiled = await facts.spoiled({ contract: { ...contract, entry_points: [changed, ...others] } });
    return { kind: "planted", what: `a changed signature of ${first.name}`, facts: spoiled };
  },
};
