// The researcher's two tools for its specification: checking the draft, and handing over what is finished.
import type { AgentTool } from "../agents/port.ts";
import { emitSpecTool, validateSpecTool } from "../agents/tools/spec-tools.ts";
import { validateSpec } from "../domain/product/spec-criteria.ts";
import type { PayloadRef } from "../domain/refs.ts";
import { thrownText } from "../domain/thrown.ts";
import type { Backend } from "../store/backends/port.ts";
import type { ProductPorts } from "./port.ts";

/** What the harness fills in, because an agent knows neither the time nor how often it was asked. */
export interface Stamp {
  artifact: string;
  version: string;
  createdAt: string;
  updatedAt: string;
}

export interface SpecTools {
  tools: AgentTool[];
  /** What was handed over last and kept. */
  emitted(): PayloadRef | null;
}

export function specTools({ store, redact }: ProductPorts, files: Backend, stamp: Stamp): SpecTools {
  let emitted: PayloadRef | null = null;
  const validate = validateSpecTool(async (path) => {
    const { data, error } = await files.readRaw(path.startsWith("/") ? path : `/${path}`);
    if (typeof data?.content !== "string") return { kind: "unreadable", why: error ?? `${path} is no text` };
    try {
      return { kind: "checked", report: validateSpec(stamped(JSON.parse(data.content), stamp)) };
    } catch (cause) {
      return { kind: "unreadable", why: `${path} is not JSON: ${thrownText(cause, 300)}` };
    }
  });
  const emit = emitSpecTool(async (given) => {
    const spec = stamped(redact(given), stamp);
    const report = validateSpec(spec);
    if (report.errors.length > 0) return { kind: "refused", report };
    emitted = await store.payloads.put(`${JSON.stringify(spec, null, 2)}\n`);
    return {
      kind: "kept",
      artifactRef: `${stamp.artifact}@${stamp.version}`,
      warnings: report.warnings,
    };
  });
  return { tools: [validate, emit], emitted: () => emitted };
}

export function stamped(spec: unknown, { version, createdAt, updatedAt }: Stamp): unknown {
  if (typeof spec !== "object" || spec === null || Array.isArray(spec)) return spec;
  return { ...spec, spec_version: version, created_at: createdAt, updated_at: updatedAt };
}
