import { describe, expect, it } from "vitest";
import { Material, type Situation, type Tool } from "./material.ts";
import { grantFor, toolsFor } from "./role-access.ts";
import { ROLE_GRANTS } from "./role-grants.ts";
import { Author, isRole, Role } from "./role.ts";

const PROTOCOLS = [undefined, "debate", "blind", "fractal", "gatekeeper", "solo"] as const;
const RHYTHMS = [undefined, "batch", "ping-pong"] as const;
const PHASES = [undefined, "revise", "amend"] as const;
const SITUATIONS: Situation[] = PROTOCOLS.flatMap((protocol) =>
  RHYTHMS.flatMap((rhythm) =>
    PHASES.map((phase) => ({
      ...(protocol === undefined ? {} : { protocol }),
      ...(rhythm === undefined ? {} : { rhythm }),
      ...(phase === undefined ? {} : { phase }),
    })),
  ),
);

/** A cell as people read it: the permission, `self`, `never` or `no`. */
function cell(role: Role, material: Material, situation?: Situation): string {
  const access = grantFor(role, material, situation);
  if (access.kind === "self") return "self";
  if (access.kind === "refused") return access.reason.includes(" never sees ") ? "never" : "no";
  const { permission, readonly, parts } = access.grant;
  return [permission, readonly === true ? "read-only" : "", parts?.join("+") ?? ""].filter(Boolean).join(" ");
}

describe("the debate's table (§9.7)", () => {
  const rows: [Material, string, string, string][] = [
    ["task_file", "FULL", "no", "FULL"],
    ["module_contract", "FULL", "FULL", "FULL"],
    ["dependency_contracts", "CONTRACT_ONLY", "CONTRACT_ONLY", "no"],
    ["code_index_results", "FULL", "no", "no"],
    ["harness_schemas", "FULL", "no", "no"],
    ["workspace", "FULL", "no", "no"],
    ["proposal", "self", "FULL", "FULL"],
    ["challenge", "no", "self", "FULL"],
    ["adjudication", "no", "no", "self"],
    ["implementation_source", "FULL", "never", "never"],
    ["evaluation_rubric", "no", "FULL", "no"],
    ["decomposition_rubric", "no", "FULL", "no"],
    ["debate_trail", "no", "FULL proposals+challenges", "FULL proposals+challenges+adjudications"],
  ];

  it.each(rows)("%s: proposer %s, challenger %s, arbiter %s", (material, proposer, challenger, arbiter) => {
    const seen = [cell("proposer", material), cell("challenger", material), cell("arbiter", material)];
    expect(seen).toEqual([proposer, challenger, arbiter]);
  });

  it("gives the proposer the failures only while revising, never the whole challenge", () => {
    expect(PHASES.map((phase) => cell("proposer", "critiques", phase && { phase }))).toEqual([
      "no",
      "FULL",
      "no",
    ]);
    expect(PHASES.map((phase) => cell("proposer", "challenge", phase && { phase }))).toEqual([
      "no",
      "no",
      "no",
    ]);
  });

  it("gives the proposer the adjudication only while applying amendments", () => {
    const seen = PHASES.map((phase) => cell("proposer", "adjudication", phase && { phase }));
    expect(seen).toEqual(["no", "no", "FULL"]);
  });

  it("gives the challenger, and nobody else of the three, the evidence and the criteria's wording", () => {
    for (const material of ["evidence_report", "acceptance_criteria"] as const) {
      const seen = [cell("proposer", material), cell("challenger", material), cell("arbiter", material)];
      expect(seen).toEqual(["no", "FULL", "no"]);
    }
  });
});

// One line per grant: role(s) | material | permission | the situation it needs, if any.
const GRANTS = `
  product_researcher | spec_md | FULL read-only
  product_researcher | person_feedback code_index_results harness_schemas workspace | FULL
  product_researcher | spec_draft | self
  micro_planner | task_file code_index_results harness_schemas decomposition_rubric | FULL
  micro_planner | dependency_contracts | CONTRACT_ONLY
  proposer | sketch task_file module_contract code_index_results harness_schemas workspace implementation_source | FULL
  proposer | dependency_contracts | CONTRACT_ONLY
  proposer | adjudication | FULL | amend
  proposer | proposal | self
  challenger | sketch module_contract proposal evaluation_rubric decomposition_rubric evidence_report acceptance_criteria | FULL
  challenger | dependency_contracts | CONTRACT_ONLY
  challenger | debate_trail | FULL proposals+challenges
  challenger | challenge | self
  arbiter | task_file module_contract proposal challenge | FULL
  arbiter | debate_trail | FULL proposals+challenges+adjudications
  arbiter | adjudication | self
  researcher | task_file sketch | FULL
  researcher | dependency_contracts | CONTRACT_ONLY
  researcher | research | self
  types scaffold architect | task_file sketch research workspace | FULL
  types scaffold architect | parent_interface | FULL read-only
  types | types_output module_contract | FULL
  architect | module_contract | FULL
  scaffold | function_specs module_contract | FULL
  type_adversary | types_output symbols | FULL
  type_adversary | skeleton | FULL read-only
  tests test_author impl builder | function_specs skeleton hints echoes workspace | FULL
  impl builder | committed_tests | FULL read-only | fractal batch
  impl builder | test_challenge | FULL read-only | fractal ping-pong
  test_author impl | scaffold_transcript module_contract | FULL | fractal
  impl | structured_failures | FULL | fractal
  fix | merged_code function_specs structured_failures understanding workspace | FULL
  fix | committed_tests | FULL read-only
  tester | implementation_source | FULL read-only
  tester | research task_file module_contract structured_failures workspace | FULL
  mutation_adversary reviewer verifier | merged_code | FULL read-only
  mutation_adversary reviewer verifier | evidence_report | FULL
  mutation_adversary | function_specs symbols | FULL
  reviewer | function_specs module_contract sketch | FULL
  merger rebaser | diffs merge_event evidence_report | FULL
  rebaser | conflicting_hunks structured_failures workspace | FULL
  types scaffold architect tests test_author impl builder fix tester rebaser | dependency_contracts | CONTRACT_ONLY
  micro_planner proposer researcher types scaffold architect tests test_author impl builder tester | critiques | FULL | revise
  witness | journal | FULL read-only
  builder | task_file module_contract | FULL | solo
  verifier | module_contract acceptance_criteria | FULL | solo
  builder | module_contract | FULL | gatekeeper
  verifier | module_contract acceptance_criteria | FULL | gatekeeper
`;

const NEVER = `
  challenger arbiter tests test_author | implementation_source merged_code diffs conflicting_hunks
  tests test_author tester | implementer_transcript
  type_adversary | task_history
  impl builder | committed_tests test_challenge tester_transcript | blind
  impl builder | committed_tests test_challenge tester_transcript | gatekeeper
  mutation_adversary reviewer verifier | scaffold_transcript tester_transcript implementer_transcript other_transcripts
  witness | workspace skeleton implementation_source merged_code committed_tests test_challenge diffs conflicting_hunks
`;

interface Line {
  roles: Set<string>;
  materials: Set<string>;
  cell: string;
  needs: string[];
}

function linesOf(table: string, cellOf: (third: string) => string, needsColumn: 2 | 3): Line[] {
  return table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((part) => part.trim()))
    .map((columns) => ({
      roles: new Set(columns[0]?.split(" ")),
      materials: new Set(columns[1]?.split(" ")),
      cell: cellOf(columns[2] ?? ""),
      needs: columns[needsColumn]?.split(" ") ?? [],
    }));
}

const LINES = [...linesOf(NEVER, () => "never", 2), ...linesOf(GRANTS, (permission) => permission, 3)];

function expectedCell(role: Role, material: Material, situation: Situation): string {
  if (material === "other_module_source") return "never";
  const now = new Set<string>(Object.values(situation));
  const line = LINES.find(
    ({ roles, materials, needs }) =>
      roles.has(role) && materials.has(material) && needs.every((word) => now.has(word)),
  );
  return line?.cell ?? "no";
}

describe("every role, material and situation", () => {
  it.each(Role.options)("%s sees what its lines in the table say and nothing else", (role) => {
    const cells = Material.options.flatMap((material) =>
      SITUATIONS.map((situation) => ({
        where: `${material} ${JSON.stringify(situation)}`,
        seen: cell(role, material, situation),
        expected: expectedCell(role, material, situation),
      })),
    );
    expect(cells).toHaveLength(43 * 54);
    expect(cells.filter(({ seen, expected }) => seen !== expected)).toEqual([]);
  });

  it("keeps each conditional grant out of reach when nothing is known of the situation", () => {
    expect(cell("impl", "committed_tests")).toBe("no");
    expect(cell("impl", "committed_tests", { rhythm: "batch" })).toBe("no");
    expect(cell("impl", "committed_tests", { protocol: "blind", rhythm: "batch" })).toBe("never");
    expect(cell("proposer", "critiques")).toBe("no");
  });

  it.each([
    ["challenger", "implementation_source", {}, "the challenger never sees implementation source"],
    ["arbiter", "code_index_results", {}, "the arbiter is not given code index results"],
    ["proposer", "adjudication", {}, "the proposer is not given adjudication, except in: amend"],
    ["impl", "committed_tests", {}, "the impl is not given committed tests, except in: fractal batch"],
    ["impl", "committed_tests", { protocol: "blind" }, "the impl never sees committed tests"],
  ] as const)("refuses the %s %s with a reason", (role, material, situation, reason) => {
    expect(grantFor(role, material, situation)).toEqual({ kind: "refused", reason });
  });

  it("never grants outright what it also forbids outright", () => {
    for (const access of Object.values(ROLE_GRANTS)) {
      const forbidden = (access.never ?? []).filter(({ when }) => Object.keys(when ?? {}).length === 0);
      const granted = access.grants.map(({ material }) => material);
      for (const { material } of forbidden) expect(granted).not.toContain(material);
    }
  });
});

describe("the architect on the whole product", () => {
  const whole: Situation = { scope: "product" };

  it("is shown criteria, a person's words and contracts, and never code or the tests of modules", () => {
    const materials: Material[] = ["acceptance_criteria", "person_feedback", "dependency_contracts"];
    expect(materials.map((material) => cell("architect", material, whole))).toEqual([
      "FULL",
      "FULL",
      "CONTRACT_ONLY",
    ]);
    const sealed: Material[] = ["implementation_source", "merged_code", "diffs", "committed_tests"];
    for (const material of sealed) expect(cell("architect", material, whole)).toBe("never");
    expect(toolsFor("architect", whole)).toContain("run_tests");
  });

  it("is another duty than the design of a module", () => {
    expect(cell("architect", "acceptance_criteria", { protocol: "gatekeeper" })).toBe("no");
    expect(cell("tester", "acceptance_criteria", whole)).toBe("no");
  });
});

describe("tools", () => {
  const always: Record<Role, string> = {
    product_researcher:
      "web_search search_code_index read_file write_file validate_spec emit_structured_spec",
    micro_planner: "search_code_index",
    proposer: "read_file write_file build run_tests search_code_index raise_interface_change_exception",
    challenger: "raise_interface_change_exception",
    arbiter: "",
    types: "read_file write_file build",
    scaffold: "read_file write_file build",
    architect: "read_file write_file build",
    researcher: "web_search",
    type_adversary: "read_file",
    tests: "read_file write_file build run_tests",
    test_author: "read_file write_file build run_tests",
    impl: "read_file write_file build",
    builder: "read_file write_file build",
    fix: "read_file write_file build run_tests",
    tester: "read_file write_file build run_tests",
    mutation_adversary: "read_file",
    reviewer: "read_file",
    verifier: "read_file",
    merger: "",
    rebaser: "read_file write_file build run_tests",
    witness: "",
  };

  it.each(Role.options)("of the %s are those listed", (role) => {
    expect(toolsFor(role).join(" ")).toBe(always[role]);
  });

  it("let implementers run tests only where they may read them", () => {
    for (const situation of SITUATIONS) {
      for (const role of ["impl", "builder"] as const) {
        const alone = role === "builder" && situation.protocol === "solo";
        const mayRun = situation.protocol === "fractal" || alone;
        expect(toolsFor(role, situation).includes("run_tests")).toBe(mayRun);
      }
    }
  });

  it("follow the grants: who writes has a workspace, who searches gets results", () => {
    for (const role of Role.options) {
      const has = (tool: Tool) => toolsFor(role).includes(tool);
      expect([role, has("write_file")]).toEqual([role, cell(role, "workspace") === "FULL"]);
      expect([role, has("search_code_index")]).toEqual([role, cell(role, "code_index_results") === "FULL"]);
    }
  });

  it("reserve the interface change exception for proposer and challenger", () => {
    const raisers = Role.options.filter((role) =>
      SITUATIONS.some((situation) => toolsFor(role, situation).includes("raise_interface_change_exception")),
    );
    expect(raisers).toEqual(["proposer", "challenger"]);
  });
});

describe("authors", () => {
  it("are the roles, the harness and people", () => {
    expect(Author.options.filter((author) => !isRole(author))).toEqual(["harness", "person"]);
    expect(Author.options.filter(isRole)).toEqual(Role.options);
    expect(Role.options).toHaveLength(22);
  });
});
