// No forbidden import or pattern, and no function more complex than the rigor allows.
import { complexityFindings } from "../../domain/evidence/static-finding.ts";
import type { GateDefinition } from "../port.ts";

export const staticRules: GateDefinition = {
  name: "static",
  look: async (facts) => {
    const { files, findings, complexity } = await facts.inspection();
    const worst = Math.max(0, ...complexity.map((entry) => entry.complexity));
    const tooComplex = complexityFindings(complexity, facts.module.rigor.maxComplexity);
    return {
      kind: "looked",
      looked: files,
      summary: `${files} files, ${complexity.length} functions, complexity at most ${worst}`,
      findings: [...findings, ...tooComplex].map(({ rule, file, line, message }) => ({
        rule,
        file,
        line,
        message,
      })),
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
