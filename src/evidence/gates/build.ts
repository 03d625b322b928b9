// The toolchain compiles the module and its tests.
import type { GateDefinition } from "../port.ts";

export const build: GateDefinition = {
  name: "build",
  look: async (facts) => {
    const report = await facts.build();
    return {
      kind: "looked",
      looked: report.files,
      summary: `${report.files} files`,
      findings:
        report.kind === "built"
          ? []
          : report.errors.map(({ file, line, message }) => ({ rule: "type-error", file, line, message })),
    };
  },
  plant: async (facts) => {
    const { layout } = facts.module.site;
    const code = facts.module.site.files()[layout.entry] ?? "";
    const edits = { [layout.entry]: `${code}\nexport const cupelPlanted: number = "a type error";\n` };
    return {
      kind: "planted",
      what: `a type error in ${layout.entry}`,
      facts: await facts.spoiled({ edits }),
    };
  },
};
