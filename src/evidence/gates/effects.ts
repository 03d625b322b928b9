// The module touches no file, network, clock or chance that its contract does not declare.
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { AloneReport } from "../../toolchains/alone-report.ts";
import type { SeenEffect } from "../../toolchains/port.ts";
import { declares } from "../effect-kinds.ts";
import { commonPlant } from "../common-plant.ts";
import type { GateDefinition } from "../port.ts";

export const effects: GateDefinition = {
  name: "effects",
  look: async (facts) => {
    const { contract, toolchain, site } = facts.module;
    if (contract === undefined) return { kind: "error", message: "there is no contract" };
    const inCode = await toolchain.effectsInCode(site);
    const report = await facts.watchedRun();
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    if (report.effects === undefined) return { kind: "error", message: "the run watched no effect" };
    const seen = [...inCode.effects, ...report.effects];
    const alone = await facts.alone();
    const changes = undeclaredChanges(alone, contract, site.layout.entry);
    // Whoever sees to it that nothing can be changed any more has changed that.
    if (alone.kind === "ran" && !alone.alive && changes.length === 0)
      return { kind: "error", message: "the run alone saw no change" };
    const declared = contract.effects.map(({ type }) => type);
    return {
      kind: "looked",
      looked: inCode.functions,
      summary: `${inCode.functions} functions, ${declared.length === 0 ? "no effect" : declared.join(", ")} declared`,
      findings: [...undeclared(seen, contract), ...changes],
      evidence: seen,
    };
  },
  plant: async (facts) => {
    const { facts: spoiled, effect } = await commonPlant(facts);
    if (effect === undefined)
      return { kind: "impossible", why: "the contract declares every kind of effect" };
    const { entry } = facts.module.site.layout;
    // Both ways to see an effect have to.
    return {
      kind: "planted",
      what: effect,
      facts: spoiled,
      refusedBy: [({ file }) => file === entry, ({ file }) => file !== entry],
    };
  },
};

/** Where it stands in the code is not known; where callers come in is. */
function undeclaredChanges(alone: AloneReport, contract: MicroModuleContract, file: string): Finding[] {
  if (alone.kind !== "ran" || declares(contract, "WRITE")) return [];
  return alone.changed.map((what) => ({ rule: "undeclared-mutation", file, message: `changes ${what}` }));
}

function undeclared(seen: readonly SeenEffect[], contract: MicroModuleContract): Finding[] {
  const findings = seen
    .filter(({ type }) => !declares(contract, type))
    .map(({ type, what, file, line }) => ({
      rule: `undeclared-${type.toLowerCase()}`,
      file,
      line,
      message: `uses ${what}`,
    }));
  return [...new Map(findings.map((one) => [`${one.file}:${one.line} ${one.message}`, one])).values()];
}
