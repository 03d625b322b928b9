// The only way to make a role: what no runtime or prompt could work with is refused when Cupel starts, not in a call.
import type { z } from "zod";
import { CupelError } from "../../domain/error.ts";
import { adaptSchema, answerSchema } from "../output-schema.ts";
import type { RoleDefinition } from "../port.ts";
import { OWN_NAMES } from "../prompting/render-prompt.ts";

export function defineRole<Input extends z.ZodObject, Output extends z.ZodObject>(
  role: RoleDefinition<Input, Output>,
): RoleDefinition<Input, Output> {
  const names = [...Object.keys(role.input.shape), ...Object.keys(role.facts ?? {})];
  const taken = names.find((name, index) => OWN_NAMES.includes(name) || names.indexOf(name) !== index);
  if (taken !== undefined) {
    throw new CupelError("usage", `the ${role.name} has two meanings for ${taken} in its prompt`, {
      expected: `other names for inputs and facts than ${OWN_NAMES.join(", ")}, each once`,
    });
  }
  if ("kind" in role.output.shape) {
    throw new CupelError("usage", `the output of the ${role.name} has a key "kind"`, {
      expected: "a key that only a blocker and a request to retry have",
    });
  }
  const open = adaptSchema(answerSchema(role)).lost.find(({ keyword }) => OPEN.has(keyword));
  if (open !== undefined) {
    throw new CupelError("usage", `the output of the ${role.name} is open at ${open.path}: ${open.keyword}`, {
      expected: "closed objects whose every key is required; null where there is nothing",
    });
  }
  return role;
}

/** What would change the meaning of an answer, not only what is checked before it is given. */
const OPEN = new Set([
  "optional",
  "additionalProperties",
  "patternProperties",
  "propertyNames",
  "unsupported",
]);
