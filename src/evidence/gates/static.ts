// No forbidden import or pattern, and no function more complex than the rigor allows.
import { complexityFindings } from "../../domain/evidence/static-finding.ts";
import type { ModuleUnderTest } from "../module-under-test.ts";
import type { GateDefinition } from "../port.ts";

export const staticRules: GateDefinition = {
  name: "static",
  look: async (facts) => {
    const { files, findings, complexity } = await facts.inspection();
    const worst = Math.max(0, ...complexity.map((entry) => entry.complexity));
    const tooComplex = complexityFindings(complexity, facts.module.rigor.maxComplexity);
    const errors = findings.filter(({ severity }) => severity === "error");
    const advice =
      findings.length - errors.length + (asksForSimplicity(facts.module) ? 0 : tooComplex.length);
    return {
      kind: "looked",
      looked: files,
      summary: `${files} files, ${complexity.length} functions, complexity at most ${worst}${notes(advice)}`,
      evidence: [...findings, ...tooComplex],
      findings: [...errors, ...(asksForSimplicity(facts.module) ? tooComplex : [])].map(
        ({ rule, file, line, message }) => ({ rule, file, line, message }),
      ),
    };
  },
  plant: async (facts) => {
    const { site, rigor, toolchain } = facts.module;
    const [forbidden] = rigor.forbidden[toolchain.language].imports;
    if (forbidden === undefined) return { kind: "impossible", why: "the rigor forbids no import" };
    const { entry } = site.layout;
    const edits = { [entry]: `import "node:${forbidden}";\n${site.files()[entry] ?? ""}` };
    return { kind: "planted", what: `an import of ${forbidden}`, facts: await facts.spoiled({ edits }) };
  },
};

/** Code that was made without knowing the limit is not wrong for being above it, unless somebody has set the limit. */
function asksForSimplicity({ contract, rigor }: ModuleUnderTest): boolean {
  return contract !== undefined || rigor.overridden.includes("maxComplexity");
}

function notes(advice: number): string {
  return advice === 0 ? "" : `, ${advice} ${advice === 1 ? "note" : "notes"}`;
}
