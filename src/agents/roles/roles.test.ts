// What a role's prompt and tools give it is what the access table grants it, and nothing more.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Material, Situation, Tool } from "../../domain/artifact/material.ts";
import { grantFor, toolsFor } from "../../domain/artifact/role-access.ts";
import type { RoleDefinition, ToolName } from "../port.ts";
import { packagedPrompts } from "../prompting/prompt-source.ts";
import { EVERY_ROLE } from "./every-role.ts";

const ROLES = EVERY_ROLE.flatMap((role) =>
  role.input instanceof z.ZodObject ? [{ ...role, input: role.input }] : [],
);

test("every role of the folder is in the list", () => {
  const files = readdirSync(new URL(".", import.meta.url))
    .filter((file) => !/^(define-role|every-role)|\.test\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, "").replaceAll("-", "_"));
  expect(ROLES.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
});

/** Null where the harness speaks of its own doing. */
const MATERIAL: Readonly<Record<string, { of: Material; when?: Situation } | null>> = {
  phase: null,
  decisions_open: null,
  violations: null,
  min_evidence_words: null,
  task_file: { of: "task_file" },
  contract: { of: "module_contract" },
  dependencies: { of: "dependency_contracts" },
  code_index_results: { of: "code_index_results" },
  harness_schemas: { of: "harness_schemas" },
  failures: { of: "critiques", when: { phase: "revise" } },
  findings: { of: "critiques", when: { phase: "revise" } },
  amendments: { of: "adjudication", when: { phase: "amend" } },
  proposal: { of: "proposal" },
  challenge: { of: "challenge" },
  evidence: { of: "evidence_report" },
  acceptance_criteria: { of: "acceptance_criteria" },
  debate_trail: { of: "debate_trail" },
  rubric: { of: "evaluation_rubric" },
  decomposition_rubric: { of: "decomposition_rubric" },
};

const PERMISSION: Readonly<Partial<Record<ToolName, Tool>>> = {
  read: "read_file",
  ls: "read_file",
  glob: "read_file",
  grep: "read_file",
  write: "write_file",
  edit: "write_file",
  build: "build",
  run_tests: "run_tests",
  search_code_index: "search_code_index",
  raise_interface_change_exception: "raise_interface_change_exception",
};

const given = ROLES.flatMap((role) =>
  [...Object.keys(role.input.shape), ...Object.keys(role.facts ?? {})].map(
    (key): [string, string, RoleDefinition] => [role.name, key, role],
  ),
);

describe("access", () => {
  test.each(given)("the %s may be given %s", (_, key, role) => {
    const material = MATERIAL[key];
    expect(material, `${key} is not in the table of this test`).toBeDefined();
    if (material) expect(grantFor(role.name, material.of, material.when).kind).toBe("granted");
  });

  test.each(ROLES)("the $name has no tool that the table does not grant", (role) => {
    const granted = toolsFor(role.name);
    for (const tool of role.tools) expect(granted).toContain(PERMISSION[tool]);
  });
});

test.each(ROLES)("the $name has a prompt and a purpose of one line", (role) => {
  expect(packagedPrompts(`${role.name}.jinja`)?.file).toBe(`prompts/${role.name}.jinja`);
  expect(role.purpose).toMatch(/^[a-z][^\n.]{10,110}$/);
});
