// Who works in the factory: every role an agent can play, and the two authors that are no agents.
import { z } from "zod";

/** Closed: an agent without one of these roles is not started. */
export const Role = z.enum([
  "product_researcher",
  "micro_planner",
  "proposer",
  "challenger",
  "arbiter",
  "types",
  "scaffold",
  "architect",
  "researcher",
  "type_adversary",
  "tests",
  "test_author",
  "impl",
  "builder",
  "fix",
  "tester",
  "mutation_adversary",
  "reviewer",
  "verifier",
  "merger",
  "rebaser",
  "witness",
]);
export type Role = z.infer<typeof Role>;

/** Whoever can make an artifact: a role, the harness itself (ship evidence, merges) or a person (fixes, overrides). */
export const Author = z.enum([...Role.options, "harness", "person"]);
export type Author = z.infer<typeof Author>;

export function isRole(author: Author): author is Role {
  return author !== "harness" && author !== "person";
}
