// What a role's prompt and tools give it is what the access table grants it, and nothing more.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { INPUT_MATERIAL } from "../../domain/agent/input-material.ts";
import type { Situation } from "../../domain/artifact/material.ts";
import { grantFor, toolsFor } from "../../domain/artifact/role-access.ts";
import { TOOL_PERMISSION } from "../../engineering/calls/granted-tools.ts";
import type { RoleDefinition } from "../port.ts";
import { packagedPrompts } from "../prompting/prompt-source.ts";
import { templateOf } from "../prompting/render-prompt.ts";
import { EVERY_ROLE } from "./every-role.ts";

const ROLES = EVERY_ROLE.flatMap((role) =>
  role.input instanceof z.ZodObject ? [{ ...role, input: role.input }] : [],
);

test("every role of the folder is in the list", () => {
  const files = readdirSync(new URL(".", import.meta.url))
    .filter((file) => !/^(define-role|every-role)|\.test\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, "").replaceAll("-", "_"));
  expect(ROLES.map(templateOf).toSorted()).toEqual(files.toSorted());
});

const given = ROLES.flatMap((role) =>
  [...Object.keys(role.input.shape), ...Object.keys(role.facts ?? {})].map(
    (key): [string, string, RoleDefinition] => [role.name, key, role],
  ),
);

const IN_A_TREE = ["test_author", "test_challenge", "impl_fractal"];

/** Some work in one protocol alone, and where two write blind to each other the table is at its strictest. */
function situationOf(role: Pick<RoleDefinition, "name" | "prompt">): Situation {
  const template = templateOf(role);
  if (IN_A_TREE.includes(template)) return { protocol: "fractal", rhythm: "batch" };
  if (template === "builder" || template === "verifier") return { protocol: "solo" };
  if (template === "architect_e2e") return { scope: "product" };
  return template === "builder_gated" ? { protocol: "gatekeeper" } : { protocol: "blind" };
}

describe("access", () => {
  test.each(given)("the %s may be given %s", (_, key, role) => {
    const material = INPUT_MATERIAL[key];
    expect(material, `${key} is not in the table of materials`).toBeDefined();
    const when = { ...situationOf(role), ...material?.when };
    if (material) expect(grantFor(role.name, material.of, when).kind).toBe("granted");
  });

  test.each(ROLES)("the $name has no tool that the table does not grant", (role) => {
    const granted = toolsFor(role.name, situationOf(role));
    for (const tool of role.tools) expect(granted).toContain(TOOL_PERMISSION[tool]);
  });
});

test.each(ROLES)("the $name has a prompt and a purpose of one line", (role) => {
  const template = `${templateOf(role)}.jinja`;
  expect(packagedPrompts(template)?.file).toBe(`prompts/${template}`);
  expect(role.purpose).toMatch(/^[a-z][^\n.]{10,110}$/);
});
