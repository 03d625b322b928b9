// Formatted, without orphaned notes, and every public function has a test.
import type { GateDefinition } from "../port.ts";

export const tidy: GateDefinition = {
  name: "tidy",
  look: async (facts) => {
    const { files, findings } = await facts.tidiness();
    const untested = await facts.untestedExports();
    return {
      kind: "looked",
      looked: files,
      summary: `${files} files`,
      findings: [
        ...findings.map(({ rule, file, line, message }) => ({ rule, file, line, message })),
        ...untested.map(({ name, file, line }) => ({
          rule: "untested-export",
          file,
          line,
          message: `no test reaches ${name}`,
        })),
      ],
    };
  },
  plant: async (facts) => {
    const { site } = facts.module;
    const { entry } = site.layout;
    const code = `export function cupelPlanted(value) {\n  return value;\n}\n`;
    const edits = { [entry]: `${site.files()[entry] ?? ""}\n${code}` };
    return { kind: "planted", what: "an export that no test reaches", facts: await facts.spoiled({ edits }) };
  },
};
