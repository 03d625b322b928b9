// The access of every role, as data.
import type { Grant, Material, RoleAccess, Situation, Tool } from "./material.ts";
import type { Role } from "./role.ts";

/** Other modules are closed services, to everyone. */
export const SEALED = never(["other_module_source"]);

const DEPENDENCIES: Grant = { material: "dependency_contracts", permission: "CONTRACT_ONLY" };
/** Where a role writes; its dependencies lie in it as contracts. */
const OWN_WORKSPACE = [...full(["workspace"]), DEPENDENCIES];
/** What sent the work back: failures, holes, critiques, refusals. */
const CRITIQUES = full(["critiques"], { when: { phase: "revise" } });
/** The fractal protocol's two workers go on from the conversation that made their scaffold, and know its contract. */
const FORKED = full(["scaffold_transcript", "module_contract"], { when: { protocol: "fractal" } });

const SOURCE: Material[] = ["implementation_source", "merged_code", "diffs", "conflicting_hunks"];
const FILES: Material[] = [...SOURCE, "workspace", "skeleton", "committed_tests", "test_challenge"];
const TRANSCRIPTS: Material[] = [
  "scaffold_transcript",
  "tester_transcript",
  "implementer_transcript",
  "other_transcripts",
];

/** End-to-end tests, when every task has shipped. */
const WHOLE_PRODUCT: Situation = { scope: "product" };

const TESTERS_OWN: Material[] = ["committed_tests", "test_challenge", "tester_transcript"];

const SHAPES: RoleAccess = {
  grants: [
    ...full(["task_file", "sketch", "research"]),
    ...full(["parent_interface"], { readonly: true }),
    ...OWN_WORKSPACE,
    ...CRITIQUES,
  ],
  tools: tools("read_file", "write_file", "build"),
};

const WRITES_TESTS: RoleAccess = {
  grants: [...full(["function_specs", "skeleton", "hints", "echoes"]), ...OWN_WORKSPACE, ...CRITIQUES],
  never: never([...SOURCE, "implementer_transcript"]),
  tools: tools("read_file", "write_file", "build", "run_tests"),
};

const WRITES_CODE: RoleAccess = {
  grants: [
    ...full(["function_specs", "skeleton", "hints", "echoes"]),
    ...full(["committed_tests"], { readonly: true, when: { protocol: "fractal", rhythm: "batch" } }),
    ...full(["test_challenge"], { readonly: true, when: { protocol: "fractal", rhythm: "ping-pong" } }),
    ...OWN_WORKSPACE,
    ...CRITIQUES,
  ],
  never: [
    ...never(TESTERS_OWN, { protocol: "blind" }),
    // It hears which test failed and how, never how it is written.
    ...never(TESTERS_OWN, { protocol: "gatekeeper" }),
  ],
  // Running tests shows what they ask for, so only those who may read them run them.
  tools: [...tools("read_file", "write_file", "build"), { tool: "run_tests", when: { protocol: "fractal" } }],
};

const JUDGES: RoleAccess = {
  grants: [...full(["merged_code"], { readonly: true }), ...full(["evidence_report"])],
  never: never(TRANSCRIPTS),
  tools: tools("read_file"),
};

export const ROLE_GRANTS: Readonly<Record<Role, RoleAccess>> = {
  product_researcher: {
    grants: [
      ...full(["spec_md"], { readonly: true }),
      ...full(["person_feedback", "code_index_results", "harness_schemas", "workspace"]),
    ],
    makes: ["spec_draft"],
    tools: [
      ...tools("web_search", "search_code_index", "read_file", "write_file"),
      ...tools("validate_spec", "emit_structured_spec"),
    ],
  },
  micro_planner: {
    grants: [
      ...full(["task_file", "code_index_results", "harness_schemas", "decomposition_rubric"]),
      DEPENDENCIES,
      ...CRITIQUES,
    ],
    tools: tools("search_code_index"),
  },
  proposer: {
    grants: [
      ...full(["task_file", "module_contract", "code_index_results", "harness_schemas"]),
      // What the plan says of the module: the contract begins as that.
      ...full(["sketch", "implementation_source"]),
      ...OWN_WORKSPACE,
      ...CRITIQUES,
      ...full(["adjudication"], { when: { phase: "amend" } }),
    ],
    makes: ["proposal"],
    tools: [
      ...tools("read_file", "write_file", "build", "run_tests"),
      ...tools("search_code_index", "raise_interface_change_exception"),
    ],
  },
  challenger: {
    grants: [
      ...full(["sketch", "module_contract", "proposal", "evaluation_rubric", "decomposition_rubric"]),
      ...full(["evidence_report", "acceptance_criteria"]),
      DEPENDENCIES,
      ...full(["debate_trail"], { parts: ["proposals", "challenges"] }),
    ],
    makes: ["challenge"],
    never: never(SOURCE),
    tools: tools("raise_interface_change_exception"),
  },
  arbiter: {
    grants: [
      ...full(["task_file", "module_contract", "proposal", "challenge"]),
      ...full(["debate_trail"], { parts: ["proposals", "challenges", "adjudications"] }),
    ],
    makes: ["adjudication"],
    never: never(SOURCE),
    tools: [],
  },
  types: {
    ...SHAPES,
    // Its own work of the round before, and a contract that was agreed upon before it was asked.
    grants: [...SHAPES.grants, ...full(["types_output", "module_contract"])],
  },
  scaffold: { ...SHAPES, grants: [...SHAPES.grants, ...full(["function_specs", "module_contract"])] },
  architect: {
    ...SHAPES,
    grants: [
      ...SHAPES.grants,
      // Its own of the round before, or one that was agreed upon before it was asked.
      ...full(["module_contract"]),
      ...full(["acceptance_criteria", "person_feedback"], { when: WHOLE_PRODUCT }),
    ],
    // Whoever tries the product from outside has not looked inside.
    never: never([...SOURCE, "committed_tests"], WHOLE_PRODUCT),
    tools: [...SHAPES.tools, { tool: "run_tests", when: WHOLE_PRODUCT }],
  },
  researcher: {
    grants: [...full(["task_file", "sketch"]), DEPENDENCIES, ...CRITIQUES],
    makes: ["research"],
    tools: tools("web_search"),
  },
  type_adversary: {
    grants: [...full(["types_output", "symbols"]), ...full(["skeleton"], { readonly: true })],
    never: never(["task_history"]),
    tools: tools("read_file"),
  },
  tests: WRITES_TESTS,
  test_author: { ...WRITES_TESTS, grants: [...WRITES_TESTS.grants, ...FORKED] },
  impl: {
    ...WRITES_CODE,
    grants: [
      ...WRITES_CODE.grants,
      ...FORKED,
      ...full(["structured_failures"], { when: { protocol: "fractal" } }),
    ],
  },
  // Alone, it writes the tests as well, and knows what everybody else together would know.
  builder: {
    ...WRITES_CODE,
    grants: [
      ...WRITES_CODE.grants,
      ...full(["task_file", "module_contract"], { when: { protocol: "solo" } }),
      ...full(["module_contract"], { when: { protocol: "gatekeeper" } }),
    ],
    tools: [...WRITES_CODE.tools, { tool: "run_tests", when: { protocol: "solo" } }],
  },
  fix: {
    grants: [
      ...full(["merged_code", "function_specs", "structured_failures", "understanding"]),
      ...full(["committed_tests"], { readonly: true }),
      ...OWN_WORKSPACE,
    ],
    tools: tools("read_file", "write_file", "build", "run_tests"),
  },
  tester: {
    grants: [
      ...full(["implementation_source"], { readonly: true }),
      ...full(["research", "task_file", "module_contract", "structured_failures"]),
      ...OWN_WORKSPACE,
      ...CRITIQUES,
    ],
    never: never(["implementer_transcript"]),
    tools: tools("read_file", "write_file", "build", "run_tests"),
  },
  mutation_adversary: {
    ...JUDGES,
    grants: [...JUDGES.grants, ...full(["function_specs", "symbols"])],
  },
  reviewer: {
    ...JUDGES,
    grants: [...JUDGES.grants, ...full(["function_specs", "module_contract", "sketch"])],
  },
  verifier: {
    ...JUDGES,
    grants: [
      ...JUDGES.grants,
      ...full(["module_contract", "acceptance_criteria"], { when: { protocol: "solo" } }),
      ...full(["module_contract", "acceptance_criteria"], { when: { protocol: "gatekeeper" } }),
    ],
  },
  merger: { grants: full(["diffs", "merge_event", "evidence_report"]), tools: [] },
  rebaser: {
    grants: [
      ...full(["diffs", "merge_event", "evidence_report", "conflicting_hunks", "structured_failures"]),
      ...OWN_WORKSPACE,
    ],
    tools: tools("read_file", "write_file", "build", "run_tests"),
  },
  witness: { grants: full(["journal"], { readonly: true }), never: never(FILES), tools: [] },
};

function full(materials: Material[], limits: Omit<Grant, "material" | "permission"> = {}): Grant[] {
  return materials.map((material) => ({ material, permission: "FULL", ...limits }));
}

function never(materials: Material[], when: Situation = {}): { material: Material; when: Situation }[] {
  return materials.map((material) => ({ material, when }));
}

function tools(...names: Tool[]): { tool: Tool }[] {
  return names.map((tool) => ({ tool }));
}
