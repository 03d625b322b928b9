// Which material each input of a role is, so that what an agent is told can be held against what it may see.
import type { Material, Situation } from "../artifact/material.ts";

export interface InputMaterial {
  of: Material;
  /** The only circumstances in which it is handed over. */
  when?: Situation;
}

/** By the names that inputs and facts have in prompts; null where the harness speaks of its own doing. */
export const INPUT_MATERIAL: Readonly<Record<string, InputMaterial | null>> = {
  phase: null,
  decisions_open: null,
  violations: null,
  min_evidence_words: null,
  spec_criteria: null,
  spec_errors: null,
  has_draft: null,
  documents: null,
  flavour: null,
  write_in: null,
  spec_md: { of: "spec_md" },
  person_feedback: { of: "person_feedback" },
  task_file: { of: "task_file" },
  module: { of: "sketch" },
  files: { of: "merged_code" },
  contract: { of: "module_contract" },
  dependencies: { of: "dependency_contracts" },
  code_index_results: { of: "code_index_results" },
  harness_schemas: { of: "harness_schemas" },
  failures: { of: "critiques", when: { phase: "revise" } },
  findings: { of: "critiques", when: { phase: "revise" } },
  plan_violations: { of: "critiques", when: { phase: "revise" } },
  refused_plan: { of: "critiques", when: { phase: "revise" } },
  amendments: { of: "adjudication", when: { phase: "amend" } },
  proposal: { of: "proposal" },
  challenge: { of: "challenge" },
  evidence: { of: "evidence_report" },
  acceptance_criteria: { of: "acceptance_criteria" },
  debate_trail: { of: "debate_trail" },
  types: { of: "types_output" },
  holes: { of: "critiques", when: { phase: "revise" } },
  symbols: { of: "symbols" },
  skeleton: { of: "skeleton" },
  type_name: { of: "function_specs" },
  constructors: { of: "function_specs" },
  functions: { of: "function_specs" },
  hints: { of: "hints" },
  echoes: { of: "echoes" },
  structured_failures: { of: "structured_failures" },
  gate_findings: { of: "structured_failures" },
  understanding: { of: "understanding" },
  survivors: { of: "evidence_report" },
  events: { of: "journal" },
  rubric: { of: "evaluation_rubric" },
  decomposition_rubric: { of: "decomposition_rubric" },
};
