// What a role can be handed and which tools it can have; the words in which access is written down.
import { z } from "zod";
import type { ProtocolName } from "../evidence/rigor.ts";
import type { Permission } from "./context-pack.ts";

/** Everything a role could be handed. */
export const Material = z.enum([
  "spec_md",
  "spec_draft",
  "person_feedback",
  "task_file",
  "sketch",
  "acceptance_criteria",
  "task_history",
  "research",
  "module_contract",
  "dependency_contracts",
  "code_index_results",
  "harness_schemas",
  "decomposition_rubric",
  "evaluation_rubric",
  "proposal",
  "challenge",
  "adjudication",
  "debate_trail",
  "critiques",
  "evidence_report",
  "structured_failures",
  "understanding",
  "parent_interface",
  "types_output",
  "symbols",
  "function_specs",
  "hints",
  "echoes",
  "merge_event",
  "journal",
  "workspace",
  "skeleton",
  "implementation_source",
  "merged_code",
  "committed_tests",
  "test_challenge",
  "diffs",
  "conflicting_hunks",
  "other_module_source",
  "scaffold_transcript",
  "tester_transcript",
  "implementer_transcript",
  "other_transcripts",
]);
export type Material = z.infer<typeof Material>;

export const Tool = z.enum([
  "web_search",
  "read_file",
  "write_file",
  "search_code_index",
  "validate_spec",
  "emit_structured_spec",
  "build",
  "run_tests",
  "raise_interface_change_exception",
]);
export type Tool = z.infer<typeof Tool>;

/** The circumstances of one invocation; what is left out is not known to hold. */
export interface Situation {
  readonly protocol?: ProtocolName;
  readonly rhythm?: "batch" | "ping-pong";
  /** `revise`: the work came back. `amend`: approved with amendments that must now be applied. */
  readonly phase?: "revise" | "amend";
  /** The work is on the whole product and on none of its modules. */
  readonly scope?: "product";
}

export interface Grant {
  readonly material: Material;
  readonly permission: Permission;
  readonly readonly?: true;
  readonly when?: Situation;
  /** Where only some of the material is meant. */
  readonly parts?: readonly string[];
}

export interface RoleAccess {
  readonly grants: readonly Grant[];
  /** What the role itself makes; it is not handed in. */
  readonly makes?: readonly Material[];
  /** Stronger than any grant: no configuration may open these. */
  readonly never?: readonly { readonly material: Material; readonly when?: Situation }[];
  readonly tools: readonly { readonly tool: Tool; readonly when?: Situation }[];
}
