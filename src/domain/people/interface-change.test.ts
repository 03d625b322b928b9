import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Author } from "../artifact/role.ts";
import { parse } from "../parse.ts";
import {
  InterfaceChangeDecision,
  InterfaceChangeException,
  mayRaise,
  ProposedContractDelta,
} from "./interface-change.ts";
import { spoil } from "../../../test/spoil.ts";

const empty = {
  added_inputs: [],
  removed_inputs: [],
  modified_inputs: [],
  added_outputs: [],
  removed_outputs: [],
  modified_outputs: [],
  added_error_surfaces: [],
  added_effects: [],
  mode_changes: null,
};
const input = { name: "locale", type: "string", constraints: [] };
const output = { name: "slug", type: "string", invariants: ["lower case"] };
const surface = { name: "TooLong", when: "over 1000 characters", surface: "exception" };
const effect = { type: "WRITE", target: "cache", description: "stores the slug" };
const modes = { sync: true, async: true, notes: "" };
const entry = {
  name: "slugify",
  signature: "() => string",
  inputs: [],
  outputs: [],
  errors: [],
  effects: [],
};

describe("ProposedContractDelta", () => {
  it.each([
    { added_inputs: [input] },
    { removed_inputs: ["locale"] },
    { modified_inputs: [input] },
    { added_outputs: [output] },
    { removed_outputs: ["slug"] },
    { modified_outputs: [output] },
    { added_error_surfaces: [surface] },
    { added_effects: [effect] },
    { mode_changes: modes },
    { changed_entry_points: [entry] },
  ])("accepts the single change %j, and fills in that nothing else changes", (change) => {
    expect(parse(ProposedContractDelta, change)).toEqual({ kind: "ok", value: { ...empty, ...change } });
  });

  it.each([{}, empty, { ...empty, changed_entry_points: [] }])("refuses the empty delta %j", (delta) => {
    expect(parse(ProposedContractDelta, delta)).toEqual({
      kind: "invalid",
      problems: [{ path: "$", expected: "at least one change", found: "none" }],
    });
  });

  it.each([
    [{ added_inputs: [input, input] }, "$.added_inputs[1]", "added_inputs[0]", '"locale" again'],
    [
      { added_inputs: [input], removed_inputs: ["locale"] },
      "$.removed_inputs[0]",
      "added_inputs[0]",
      '"locale" again',
    ],
    [
      { removed_inputs: ["locale"], modified_inputs: [input] },
      "$.modified_inputs[0]",
      "removed_inputs[0]",
      '"locale" again',
    ],
    [
      { modified_outputs: [output], removed_outputs: ["slug"] },
      "$.modified_outputs[0]",
      "removed_outputs[0]",
      '"slug" again',
    ],
    [
      { added_outputs: [output], modified_outputs: [output] },
      "$.modified_outputs[0]",
      "added_outputs[0]",
      '"slug" again',
    ],
    [
      { added_error_surfaces: [surface, surface] },
      "$.added_error_surfaces[1]",
      "added_error_surfaces[0]",
      '"TooLong" again',
    ],
    [{ added_effects: [effect, effect] }, "$.added_effects[1]", "added_effects[0]", '"WRITE cache" again'],
    [
      { changed_entry_points: [entry, entry] },
      "$.changed_entry_points[1]",
      "changed_entry_points[0]",
      '"slugify" again',
    ],
  ])("refuses %j, which changes one thing twice", (delta, path, first, found) => {
    expect(parse(ProposedContractDelta, delta)).toEqual({
      kind: "invalid",
      problems: [{ path, expected: `a name that ${first} does not have`, found }],
    });
  });

  it("keeps inputs and outputs of one name apart, and effects of one target", () => {
    const delta = {
      added_inputs: [input],
      removed_outputs: ["locale"],
      added_effects: [effect, { ...effect, type: "READ" }],
    };
    expect(parse(ProposedContractDelta, delta).kind).toBe("ok");
  });

  it.each([
    [{ removed_outputs: ["slug"], added_input: [input] }, "$.added_input"],
    [{ removed_inputs: [input] }, "$.removed_inputs[0]"],
    [{ removed_inputs: [" "] }, "$.removed_inputs[0]"],
    [{ added_effects: [{ ...effect, type: "DELETE" }] }, "$.added_effects[0].type"],
    [{ mode_changes: { sync: false, async: false, notes: "" } }, "$.mode_changes"],
  ])("refuses %j at %s", (delta, path) => {
    expect(parse(ProposedContractDelta, delta)).toMatchObject({ problems: [{ path }] });
  });
});

describe("InterfaceChangeException", () => {
  const request = {
    exception_id: "ICE-0a1b2c3d",
    type: "CANNOT_SUPPORT",
    raised_by: { artifact_ref: "PROP-0a1b2c3d@1.0.0", role: "proposer", run_id: "r-1" },
    target_module: "MM-slug@1.0.0",
    reason: "slugs must depend on the language",
    evidence: ["slugify('Straße') gives 'stra-e'"],
    proposed_contract_delta: { ...empty, added_inputs: [input] },
    compatibility_expectation: "BACKWARD_COMPATIBLE",
    urgency: "BLOCKING",
  };

  it("accepts a full request", () => {
    expect(parse(InterfaceChangeException, request)).toEqual({ kind: "ok", value: request });
  });

  it.each([
    [{ evidence: [] }, "$.evidence"],
    [{ evidence: [""] }, "$.evidence[0]"],
    [{ reason: "\t" }, "$.reason"],
    [{ proposed_contract_delta: empty }, "$.proposed_contract_delta"],
    [{ target_module: "MM-slug" }, "$.target_module"],
    [{ target_module: "MM-slug@^1.0.0" }, "$.target_module"],
    [{ exception_id: "ESC-0a1b2c3d" }, "$.exception_id"],
    [{ type: "UNHAPPY" }, "$.type"],
    [{ compatibility_expectation: "MAYBE" }, "$.compatibility_expectation"],
    [{ urgency: "URGENT" }, "$.urgency"],
    [{ raised_by: { ...request.raised_by, role: "arbiter" } }, "$.raised_by.role"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(InterfaceChangeException, { ...request, ...change })).toMatchObject({
      problems: [{ path }],
    });
  });

  it.each(spoil(request))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(InterfaceChangeException, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(InterfaceChangeException)).toBeDefined();
    expect(z.toJSONSchema(InterfaceChangeDecision)).toBeDefined();
  });
});

describe("InterfaceChangeDecision", () => {
  const exception_id = "ICE-0a1b2c3d";
  const reject = { decision: "REJECT_CHANGE", exception_id, reason: "use what is there", requeue: true };

  it.each([
    { decision: "APPROVE_CHANGE", exception_id },
    reject,
    { decision: "REJECT_CHANGE", exception_id, reason: "cannot be done", requeue: false },
    { decision: "DEFER", exception_id },
  ])("accepts %j", (decision) => {
    expect(parse(InterfaceChangeDecision, decision)).toEqual({ kind: "ok", value: decision });
  });

  it.each(spoil(reject))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(InterfaceChangeDecision, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it.each(spoil({ decision: "APPROVE_CHANGE", exception_id }))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(InterfaceChangeDecision, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it.each([
    [{ decision: "REJECT_CHANGE", exception_id, requeue: true }, "$.reason"],
    [{ decision: "REJECT_CHANGE", exception_id, reason: "no" }, "$.requeue"],
    [{ decision: "DEFER", exception_id, requeue: true }, "$.requeue"],
    [{ decision: "APPROVE_CHANGE" }, "$.exception_id"],
    [{ decision: "IGNORE", exception_id }, "$.decision"],
    ["DEFER", "$"],
  ])("refuses %j at %s", (decision, path) => {
    expect(parse(InterfaceChangeDecision, decision)).toMatchObject({ problems: [{ path }] });
  });
});

describe("mayRaise", () => {
  const dependencies = ["MM-slug@^1.0.0", "MM-date@2.0.0"];

  it("allows proposer, challenger and harness, and nobody else", () => {
    const allowed = Author.options.filter(
      (role) => mayRaise(role, "MM-slug@1.2.0", "MM-page", dependencies).kind === "allowed",
    );
    expect(allowed).toEqual(["proposer", "challenger", "harness"]);
  });

  it.each([
    [
      "arbiter",
      "MM-slug@1.2.0",
      "the arbiter decides the debate at hand; reject with the reason, and the proposer may raise it",
    ],
    [
      "fix",
      "MM-slug@1.2.0",
      "the fix may not raise an interface change; only proposer, challenger, harness may",
    ],
    [
      "proposer",
      "MM-page@1.0.0",
      "MM-page is the module at hand; its own contract changes through the debate",
    ],
    ["proposer", "MM-slug@2.0.0", "MM-slug@2.0.0 is not a dependency of MM-page"],
    ["challenger", "MM-date@2.0.1", "MM-date@2.0.1 is not a dependency of MM-page"],
    ["harness", "MM-other@1.0.0", "MM-other@1.0.0 is not a dependency of MM-page"],
  ] as const)("refuses the %s against %s", (role, target, reason) => {
    expect(mayRaise(role, target, "MM-page", dependencies)).toEqual({ kind: "refused", reason });
  });

  it("refuses the module at hand even when it lists itself", () => {
    expect(mayRaise("proposer", "MM-page@1.0.0", "MM-page", ["MM-page@*"]).kind).toBe("refused");
  });

  it("refuses everything for a module without dependencies", () => {
    expect(mayRaise("proposer", "MM-slug@1.0.0", "MM-page", []).kind).toBe("refused");
  });
});
