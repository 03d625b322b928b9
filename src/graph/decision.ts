// What a node returns is believed only after it was checked: the keys and values of the state, and where it wants to go.
import { CupelError } from "../domain/error.ts";
import { preview } from "../domain/parse.ts";
import { toBytes } from "./checkpoint/stored-value.ts";
import type { Decision } from "./compile.ts";
import type { StateShape } from "./port.ts";
import { checkUpdate } from "./state.ts";

export function decide(
  shape: StateShape,
  node: string,
  routes: readonly string[] | undefined,
  returned: unknown,
): Decision {
  if (typeof returned !== "object" || returned === null) {
    throw new CupelError("invalid_input", `${node} returned ${preview(returned)}`, { expected: "an update" });
  }
  const update = checkUpdate(shape, Reflect.get(returned, "update"), node);
  const goto = checkGoto(node, routes, Reflect.get(returned, "goto"));
  // What cannot be kept is the node's mistake, and must not show only when the engine keeps it.
  toBytes(update);
  return { update, goto };
}

function checkGoto(node: string, routes: readonly string[] | undefined, goto: unknown): string | undefined {
  if (routes === undefined && goto === undefined) return undefined;
  if (typeof goto === "string" && routes?.includes(goto) === true) return goto;
  throw new CupelError("invalid_input", `${node} wants to go to ${preview(goto)}`, {
    expected: routes === undefined ? "no goto, because it has no routes" : `one of ${routes.join(", ")}`,
  });
}
