import { expect, test } from "vitest";
import { permissionFor } from "./acp-permission.ts";

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

test.each<[string, object, string]>([
  ["our tool", { name: "mcp__cupel__read" }, "yes"],
  ["our tool by its title", { title: "mcp__cupel__submit" }, "yes"],
  ["our tool as another agent spells it", { title: "cupel/read", kind: "read" }, "yes"],
  ["a tool of ours that this role has not", { name: "mcp__cupel__write" }, "no"],
  ["a bare name, which may be its own", { name: "read" }, "no"],
  ["a command that calls itself ours", { name: "mcp__cupel__read", kind: "execute" }, "no"],
  ["a title that only mentions ours", { title: "rm -rf . && mcp__cupel__read" }, "no"],
  ["a name that is not ours under a title that is", { name: "Bash", title: "mcp__cupel__read" }, "no"],
  ["another server", { name: "mcp__cupel2__read" }, "no"],
  ["nothing", {}, "no"],
])("an agent that asks for %s is told %3$s", (_, toolCall, expected) => {
  expect(permissionFor({ toolCall, options }, ["read", "submit"])).toEqual({
    outcome: { outcome: "selected", optionId: expected },
  });
});

test.each<[string, unknown]>([
  ["only for ever", { toolCall: { name: "mcp__cupel__read" }, options: options.slice(0, 1) }],
  ["without options", { toolCall: { name: "mcp__cupel__read" } }],
  ["with nonsense", "please"],
])("what can be allowed %s is cancelled", (_, params) => {
  expect(permissionFor(params, ["read"])).toEqual({ outcome: { outcome: "cancelled" } });
});
