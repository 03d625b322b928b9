// Looks for states that the types allow and nobody wants; says what it found, never what follows from it.
import { TypeAdversaryInput, TypeAdversaryOutput } from "../../domain/agent/blind-roles.ts";
import { defineRole } from "./define-role.ts";

export const typeAdversary = defineRole({
  name: "type_adversary",
  purpose: "looks for values and calls that the types allow although the specification forbids them",
  input: TypeAdversaryInput,
  output: TypeAdversaryOutput,
  tools: [],
  tier: "strong",
});
