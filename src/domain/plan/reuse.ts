// Reuse before making anew: what the Code Index holds, how it is asked, and the report that justifies a new module.
import { z } from "zod";
import { ArtifactRef } from "../artifact/artifact-type.ts";
import { DIMENSIONS } from "../contract/contract.ts";
import { refuse } from "../parse.ts";
import { isPlaceholder } from "../product/placeholder.ts";
import { ModuleId, ModuleRange, ModuleRef, PayloadRef, Semver, Text } from "../refs.ts";

export const IndexStatus = z.enum(["SHIPPED", "DEPRECATED", "SUPERSEDED"]);
export type IndexStatus = z.infer<typeof IndexStatus>;

const StoredRef = z.union([ArtifactRef, PayloadRef]);

/** Unlike the lists of a plan these may be empty: they are derived from a locked contract, where empty means none. */
export const IoSummary = z.strictObject({
  inputs: z.array(Text),
  outputs: z.array(Text),
  error_surfaces: z.array(Text),
  effects: z.array(Text),
  modes: z.array(Text),
});

/** One shipped version of a module. Appended once; afterwards only its status, successor and notes may change. */
export const CodeIndexEntry = z
  .strictObject({
    module_id: ModuleId,
    version: Semver,
    name: Text,
    purpose: Text,
    tags: z.array(Text),
    contract_ref: StoredRef,
    examples_ref: StoredRef,
    ship_ref: StoredRef,
    io_summary: IoSummary,
    dependencies: z.array(ModuleRange),
    status: IndexStatus,
    superseded_by: ModuleRef.optional(),
    notes: z.string(),
  })
  .superRefine((entry, context) => {
    const successor = entry.superseded_by;
    if (entry.status === "SUPERSEDED" && successor === undefined) {
      refuse(context, ["superseded_by"], "the module that replaces this one", "nothing");
    }
    if (entry.status === "SHIPPED" && successor !== undefined) {
      refuse(context, ["superseded_by"], "nothing while the status is SHIPPED", successor);
    }
    if (successor === `${entry.module_id}@${entry.version}`) {
      refuse(context, ["superseded_by"], "another module or version", "the entry itself");
    }
  });
export type CodeIndexEntry = z.infer<typeof CodeIndexEntry>;

/**
 * The input of `search_code_index`. A filter that is left out or empty filters nothing; otherwise an entry must match
 * at least one value of each filter. Filters apply before ranking by meaning; there is no threshold on similarity.
 */
export const CodeIndexQuery = z.strictObject({
  /** The desired purpose in plain words; this is what is compared by meaning. */
  query: Text,
  tags: z.array(Text).optional(),
  input_types: z.array(Text).optional(),
  output_types: z.array(Text).optional(),
  /** Also finds DEPRECATED and SUPERSEDED entries; by default only SHIPPED ones. */
  include_inactive: z.boolean().default(false),
  /** How many results at most; 10 unless told. */
  top_k: z.int().min(1).max(100).default(10),
});
export type CodeIndexQuery = z.infer<typeof CodeIndexQuery>;

export const CodeIndexHit = CodeIndexEntry.safeExtend({ similarity_score: z.number().min(0).max(1) });
export type CodeIndexHit = z.infer<typeof CodeIndexHit>;

/** Must exist before a new module is accepted. */
export const ReuseSearchReport = z
  .strictObject({
    query: Text,
    candidates_considered: z.array(
      z.strictObject({
        module_ref: ModuleRef,
        /** Empty for the candidate that is reused, and only for that. */
        why_rejected: z.string(),
      }),
    ),
    conclusion: z.enum(["REUSE_EXISTING", "CREATE_NEW"]),
    justification: Text,
  })
  .superRefine((report, context) => {
    const refs = report.candidates_considered.map((candidate) => candidate.module_ref);
    let reused = 0;
    report.candidates_considered.forEach(({ module_ref, why_rejected }, index) => {
      const path = ["candidates_considered", index];
      const first = refs.indexOf(module_ref);
      if (first !== index) {
        const expected = `a candidate that candidates_considered[${first}] does not name`;
        refuse(context, [...path, "module_ref"], expected, `${module_ref} again`);
      }
      if (why_rejected.trim() === "") reused += 1;
      if (isPlaceholder(why_rejected) && (report.conclusion === "CREATE_NEW" || why_rejected.trim() !== "")) {
        const expected = "the reason why this candidate will not do";
        refuse(context, [...path, "why_rejected"], expected, JSON.stringify(why_rejected));
      }
    });
    if (report.conclusion === "REUSE_EXISTING" && reused === 0) {
      const expected = "the candidate that is reused, with an empty why_rejected";
      refuse(context, ["candidates_considered"], expected, "none");
    }
    if (isPlaceholder(report.justification)) {
      refuse(context, ["justification"], "a real justification", JSON.stringify(report.justification));
    }
  });
export type ReuseSearchReport = z.infer<typeof ReuseSearchReport>;

/** The only text that is embedded, to the byte: changing it means indexing everything again. */
export function embeddingText(entry: Pick<CodeIndexEntry, "purpose" | "tags" | "io_summary">): string {
  const summary = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, entry.io_summary[dimension]]));
  return `${entry.purpose}\n${entry.tags.join(", ")}\n${JSON.stringify(summary)}`;
}

const ADVANCES: Record<IndexStatus, readonly IndexStatus[]> = {
  SHIPPED: ["DEPRECATED", "SUPERSEDED"],
  DEPRECATED: ["SUPERSEDED"],
  SUPERSEDED: [],
};

/** One way only: a module that was given up may find a successor later, but never comes back. */
export function mayChangeIndexStatus(from: IndexStatus, to: IndexStatus): boolean {
  return ADVANCES[from].includes(to);
}
