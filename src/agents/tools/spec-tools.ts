// Checking a draft of the product specification and handing over the finished one; both are done by functions handed in.
import { z } from "zod";
import { SpecDraft } from "../../domain/product/product-spec.ts";
import type { Deficiency, ValidationReport } from "../../domain/product/validation-report.ts";
import type { AgentTool } from "../port.ts";
import { defineTool } from "./define-tool.ts";

/** Reads the draft through the backend of the agent who asks; `unreadable` is told to it as it is. */
export type ValidateSpec = (
  path: string,
  signal: AbortSignal,
) => Promise<{ kind: "checked"; report: ValidationReport } | { kind: "unreadable"; why: string }>;

export type EmitSpec = (
  spec: SpecDraft,
  signal: AbortSignal,
) => Promise<
  | { kind: "kept"; artifactRef: string; warnings: readonly Deficiency[] }
  | { kind: "refused"; report: ValidationReport }
>;

export function validateSpecTool(validate: ValidateSpec): AgentTool {
  return defineTool({
    name: "validate_spec",
    description:
      "Checks a draft of the specification, a JSON file, against its schema and the completeness criteria. Use it after " +
      "every round of work; go on until there are no errors. Warnings do not block, a person will read them.",
    input: z.strictObject({
      spec_path: z.string().min(1).max(4096).describe("The draft, for example /spec/draft.json."),
    }),
    narrow: "remove the first deficiencies and check again",
    async run({ spec_path }, signal) {
      const result = await validate(spec_path, signal);
      return result.kind === "unreadable" ? `Not checked: ${result.why}` : reported(result.report);
    },
  });
}

export function emitSpecTool(emit: EmitSpec): AgentTool {
  return defineTool({
    name: "emit_structured_spec",
    description:
      "Hands over the finished specification as a whole. Only after validate_spec has found no errors. It is checked once " +
      "more; when it is kept your work is done.",
    input: z.strictObject({ spec: SpecDraft }),
    narrow: "remove the first deficiencies and hand it over again",
    async run({ spec }, signal) {
      const result = await emit(spec, signal);
      if (result.kind === "refused") return `Not kept. ${reported(result.report)}`;
      const count = result.warnings.length;
      return (
        `Kept as ${result.artifactRef} with ${count} ${count === 1 ? "warning" : "warnings"}. ` +
        "Your work is done: give your answer."
      );
    },
  });
}

function reported({ errors, warnings }: ValidationReport): string {
  const counts = `${errors.length} errors, ${warnings.length} warnings.`;
  const verdict =
    errors.length === 0 ? "It may be handed over." : "Every error must go before it is handed over.";
  return [`${counts} ${verdict}`, ...[...errors, ...warnings].map(line)].join("\n");
}

function line({ severity, path, message, criterion }: Deficiency): string {
  return `${severity} ${path}: ${message} (criterion ${criterion})`;
}
