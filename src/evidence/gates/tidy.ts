// Formatted, without orphaned notes, and every public function has a test.
import { TRUTH } from "../facts.ts";
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
    const spoiled = await facts.spoiled({ edits });
    // The tests are the same, and so is what they call.
    await spoiled.once(TRUTH, () => facts.truth());
    return {
      kind: "planted",
      what: "an export that no test reaches",
      facts: spoiled,
      refusedBy: [({ rule, message }) => rule === "untested-export" && message.endsWith("cupelPlanted")],
    };
  },
};
