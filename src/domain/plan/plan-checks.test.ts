import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPlan, type PlanViolation } from "./plan-checks.ts";

const IO = {
  inputs: ["title: string, not blank"],
  outputs: ["slug: string, lowercase"],
  error_surfaces: ["BlankTitle when the title is blank"],
  effects: ["none"],
  modes: ["sync"],
};

function moduleOf(id: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    module_id: `MM-${id}`,
    name: id,
    purpose: "Turns a title into a slug.",
    io_contract: IO,
    error_cases: [],
    depends_on: [],
    reuse_candidate_refs: [],
    reuse_decision: "CREATE_NEW",
    reuse_justification: "Nothing of the kind is in the index.",
    ...change,
  };
}

function planOf(...modules: unknown[]): Record<string, unknown> {
  return { micro_plan_id: "MP-1", parent_task_ref: "T-a-b-001@1.0.0", modules };
}

function violationsOf(input: unknown): PlanViolation[] {
  const checked = checkPlan(input);
  return checked.kind === "valid" ? [] : checked.violations;
}

/** `check path: message / found`, one line per violation. */
function report(input: unknown): string[] {
  return violationsOf(input).map((v) => `${v.check} ${v.path}: ${v.message} / ${v.found}`);
}

function withIo(change: Record<string, unknown>): unknown {
  return planOf(moduleOf("a", { io_contract: { ...IO, ...change } }));
}

describe("checkPlan", () => {
  it("gives back a valid plan with its order", () => {
    const plan = planOf(moduleOf("a", { depends_on: ["MM-b@1.0.0", "MM-elsewhere@3.2.1"] }), moduleOf("b"));
    expect(checkPlan(plan)).toEqual({ kind: "valid", plan, order: ["MM-b", "MM-a"] });
  });

  it("runs every check as far as the input can be read and reports all together", () => {
    const broken = planOf(
      moduleOf("a", { name: 7, io_contract: { ...IO, inputs: [] }, depends_on: ["MM-b", "MM-a@1.0.0"] }),
      moduleOf("a", { purpose: "Parses. Prints." }),
      null,
    );
    expect(report(broken)).toEqual([
      "1 $.modules[0].name: a string / 7",
      "1 $.modules[2]: an object / null",
      "2 $.modules[0].io_contract.inputs: at least one entry / an empty list",
      '3 $.modules[0].depends_on[0]: a module and its version, such as MM-name@1.0.0 / "MM-b"',
      '4 $.modules[1].module_id: an id of its own: modules[0] and modules[1] have the same / "MM-a"',
      '5 $.modules[0].depends_on: no cycle: MM-a → MM-a / ["MM-b","MM-a@1.0.0"]',
      '6 $.modules[1].purpose: one sentence only; split the module if it needs more / "Parses. Prints."',
    ]);
    expect(violationsOf(broken).map((v) => v.name)).toEqual([
      "schema conformance",
      "schema conformance",
      "I/O dimension completeness",
      "dependency well-formedness",
      "unique module ids",
      "acyclic dependencies",
      "decomposition rubric",
    ]);
  });

  it.each([undefined, null, 5, "plan", [], {}, { modules: 3 }, { modules: [[]] }])("refuses %j", (input) => {
    const violations = violationsOf(input);
    expect(violations.length).toBeGreaterThan(0);
    expect(new Set(violations.map((v) => v.check))).toEqual(new Set([1]));
  });

  it("never throws and never calls anything valid that has a module without a purpose", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (module, modules) => {
        expect(checkPlan(planOf(module)).kind).toBe("invalid");
        expect(checkPlan({ ...planOf(), modules }).kind).toBe("invalid");
      }),
    );
  });
});

describe("check 1, schema conformance", () => {
  it.each([
    ["a plan without modules", planOf(), "$.modules: at least 1 entry / []"],
    [
      "an unknown key",
      planOf(moduleOf("a", { porpose: "" })),
      '$.modules[0].porpose: the key "purpose" / the unknown key "porpose"',
    ],
    [
      "a missing dimension",
      withIo({ effects: undefined }),
      "$.modules[0].io_contract.effects: an array / nothing",
    ],
    [
      "a dimension that is no list",
      withIo({ effects: "none" }),
      '$.modules[0].io_contract.effects: an array / "none"',
    ],
    [
      "an input that is no text",
      withIo({ inputs: ["title: string", 5] }),
      "$.modules[0].io_contract.inputs[1]: a string / 5",
    ],
    [
      "a dependency that is no text",
      planOf(moduleOf("a", { depends_on: [1] })),
      "$.modules[0].depends_on[0]: a string / 1",
    ],
    [
      "a missing purpose",
      planOf(moduleOf("a", { purpose: undefined })),
      "$.modules[0].purpose: a string / nothing",
    ],
    [
      "a bad id",
      planOf(moduleOf("a b")),
      '$.modules[0].module_id: a module id such as MM-slugify / "MM-a b"',
    ],
    [
      "a new module without a justification",
      planOf(moduleOf("a", { reuse_justification: "" })),
      '$.modules[0].reuse_justification: the reason why nothing in the Code Index will do, because reuse_decision is CREATE_NEW / ""',
    ],
    [
      "reuse of nothing",
      planOf(moduleOf("a", { reuse_decision: "REUSE" })),
      "$.modules[0].reuse_candidate_refs: at least one module to reuse, because reuse_decision is REUSE / an empty list",
    ],
  ])("refuses %s", (_, input, line) => {
    expect(report(input)).toEqual([`1 ${line}`]);
  });
});

describe("check 2, I/O dimension completeness", () => {
  it.each(["inputs", "outputs", "modes"])("refuses empty %s", (dimension) => {
    expect(report(withIo({ [dimension]: [] }))).toEqual([
      `2 $.modules[0].io_contract.${dimension}: at least one entry / an empty list`,
    ]);
  });

  it.each(["error_surfaces", "effects"])("refuses empty %s and says how to say none", (dimension) => {
    expect(report(withIo({ [dimension]: [] }))).toEqual([
      `2 $.modules[0].io_contract.${dimension}: at least one entry; "none" if there are none / an empty list`,
    ]);
  });

  it.each(
    ["inputs", "outputs", "error_surfaces", "effects", "modes"].flatMap((dimension) =>
      ["", "  ", "TBD", "n/a", "not applicable", "???"].map((text) => [dimension, text] as const),
    ),
  )("refuses the %s %j", (dimension, text) => {
    expect(report(withIo({ [dimension]: ["sync", text] }))).toEqual([
      `2 $.modules[0].io_contract.${dimension}[1]: a real entry, not a blank or a placeholder / ${JSON.stringify(text)}`,
    ]);
  });

  it.each(["none", "None.", " NONE ", "effects: none", "errors: none", "error surfaces: none"])(
    "lets errors, effects and error cases be %j, but only alone",
    (none) => {
      const io_contract = { ...IO, error_surfaces: [none], effects: [none] };
      expect(report(planOf(moduleOf("a", { io_contract, error_cases: [none] })))).toEqual([]);
      expect(report(withIo({ effects: ["WRITE cache", none] }))).toEqual([
        `2 $.modules[0].io_contract.effects[1]: "none" as the only entry, or not at all / ${JSON.stringify(none)}`,
      ]);
    },
  );

  it.each(["inputs", "outputs", "modes"])("does not let %s be none", (dimension) => {
    expect(report(withIo({ [dimension]: ["none"] }))).toEqual([
      `2 $.modules[0].io_contract.${dimension}[0]: a real entry; only errors and effects may be "none" / "none"`,
    ]);
  });

  it("refuses a placeholder among the error cases", () => {
    expect(report(planOf(moduleOf("a", { error_cases: ["a blank title", "TODO"] })))).toEqual([
      '2 $.modules[0].error_cases[1]: a real entry, not a blank or a placeholder / "TODO"',
    ]);
  });
});

describe("check 3, dependency well-formedness", () => {
  it.each(["MM-b", "MM-b@", "MM-b@1", "MM-b@^1.0.0", "b@1.0.0", "MM-b@1.0.0 ", "", "__proto__"])(
    "refuses %j",
    (ref) => {
      expect(report(planOf(moduleOf("a", { depends_on: [ref] })))).toEqual([
        `3 $.modules[0].depends_on[0]: a module and its version, such as MM-name@1.0.0 / ${JSON.stringify(ref)}`,
      ]);
    },
  );

  it("knows only the first version of a module that the plan creates", () => {
    expect(report(planOf(moduleOf("a", { depends_on: ["MM-b@1.1.0"] }), moduleOf("b")))).toEqual([
      '3 $.modules[0].depends_on[0]: MM-b@1.0.0, because this plan provides that module / "MM-b@1.1.0"',
    ]);
  });

  it("knows the versions that were found of a module reused under its own id", () => {
    const reused = {
      reuse_decision: "REUSE",
      reuse_candidate_refs: ["MM-b@2.1.0", "MM-other@4.0.0", "MM-b@3.0.0"],
    };
    const plan = (ref: string): unknown =>
      planOf(moduleOf("a", { depends_on: [ref] }), moduleOf("b", reused));
    expect(report(plan("MM-b@2.1.0"))).toEqual([]);
    expect(report(plan("MM-b@4.0.0"))).toEqual([
      '3 $.modules[0].depends_on[0]: MM-b@2.1.0 or MM-b@3.0.0, because this plan provides that module / "MM-b@4.0.0"',
    ]);
  });

  it("counts a module reused under a new id, or considered and not reused, as new", () => {
    const renamed = { reuse_decision: "REUSE", reuse_candidate_refs: ["MM-other@4.0.0"] };
    const refused = { reuse_candidate_refs: ["MM-b@2.0.0"] };
    for (const change of [renamed, refused]) {
      const plan = (ref: string): unknown =>
        planOf(moduleOf("a", { depends_on: [ref] }), moduleOf("b", change));
      expect(report(plan("MM-b@1.0.0"))).toEqual([]);
      expect(report(plan("MM-b@2.0.0"))).toHaveLength(1);
    }
  });
});

describe("check 4, unique module ids", () => {
  it("names both places of every repetition", () => {
    expect(report(planOf(moduleOf("a"), moduleOf("b"), moduleOf("a"), moduleOf("a")))).toEqual([
      '4 $.modules[2].module_id: an id of its own: modules[0] and modules[2] have the same / "MM-a"',
      '4 $.modules[3].module_id: an id of its own: modules[0] and modules[3] have the same / "MM-a"',
    ]);
  });

  it("does not take two modules without an id for the same", () => {
    const nameless = moduleOf("a", { module_id: undefined });
    expect(violationsOf(planOf(nameless, nameless)).map((v) => v.check)).toEqual([1, 1]);
  });

  it("does not let one fault of an id hide another", () => {
    const lines = report(planOf(moduleOf("a b"), moduleOf("a b")));
    expect(lines.map((line) => line.slice(0, 25))).toEqual([
      "1 $.modules[0].module_id:",
      "1 $.modules[1].module_id:",
      "4 $.modules[1].module_id:",
    ]);
  });
});

describe("check 5, acyclic dependencies", () => {
  it("names the cycle, also where a reference has the wrong version", () => {
    const plan = planOf(
      moduleOf("a", { depends_on: ["MM-b@1.0.0"] }),
      moduleOf("b", { depends_on: ["MM-a@2.0.0"] }),
    );
    expect(report(plan)).toEqual([
      '3 $.modules[1].depends_on[0]: MM-a@1.0.0, because this plan provides that module / "MM-a@2.0.0"',
      '5 $.modules[0].depends_on: no cycle: MM-a → MM-b → MM-a / ["MM-b@1.0.0"]',
    ]);
  });
});

describe("check 6, decomposition rubric", () => {
  it.each([
    "Turns a title into a slug.",
    "Turns a title into a slug",
    "Is it a slug?",
    "Turns a date, e.g. 2024-01-31, into its week, i.e. a number from 1 to 53, etc.",
    "Compares versions such as 1.2.3 and 1.10.0 by RFC 8785.",
    "Reads src/index.ts into lines…",
    "  Turns a title into a slug.\n",
    "題名をスラッグに変える。",
  ])("takes %j for one sentence", (purpose) => {
    expect(report(planOf(moduleOf("a", { purpose })))).toEqual([]);
  });

  it.each([
    "Parses a title. Prints it.",
    "Parses a title. Prints it",
    "Parses a title!  And prints it.",
    'It says "parse." Then it prints.',
    "Parses a title\nPrints it",
    "題名を読む。題名を書く。",
  ])("refuses %j as more than one", (purpose) => {
    expect(report(planOf(moduleOf("a", { purpose })))).toEqual([
      `6 $.modules[0].purpose: one sentence only; split the module if it needs more / ${JSON.stringify(purpose)}`,
    ]);
  });

  it.each(["", " ", ".", "123", "TBD", "to be determined"])("refuses %j as saying nothing", (purpose) => {
    expect(report(planOf(moduleOf("a", { purpose })))).toEqual([
      `6 $.modules[0].purpose: one sentence that says what the module does / ${JSON.stringify(purpose)}`,
    ]);
  });

  it("answers quickly on huge text", () => {
    const started = performance.now();
    for (const text of ["a. ", ".'", "\n ", "e.g. "])
      checkPlan(planOf(moduleOf("a", { purpose: text.repeat(100_000) })));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("a new version of a module that has shipped", () => {
  const known = new Map([["MM-a", ["1.0.0", "1.2.0"]]]);
  const check = (change: Record<string, unknown>, ref = "MM-a@1.3.0") => {
    const plan = planOf(moduleOf("a", change), moduleOf("b", { depends_on: [ref] }));
    const checked = checkPlan(plan, known);
    return checked.kind === "valid" ? [] : checked.violations.map((v) => `${v.path}: ${v.message}`);
  };

  it.each([["1.2.1"], ["1.3.0"], ["2.0.0"]])("may be %s", (version) => {
    expect(check({ module_version: version }, `MM-a@${version}`)).toEqual([]);
  });

  it.each([[undefined], ["1.0.0"], ["1.2.0"], ["3.0.0"]])("cannot be %s", (version) => {
    expect(check({ module_version: version }, `MM-a@${version ?? "1.0.0"}`)).toEqual([
      "$.modules[0].module_version: 1.2.1, 1.3.0, 2.0.0 or another id, because MM-a@1.2.0 has shipped",
    ]);
  });

  it("is the one that the plan's own modules mean", () => {
    expect(check({ module_version: "1.3.0" }, "MM-a@1.2.0")).toEqual([
      "$.modules[1].depends_on[0]: MM-a@1.3.0, because this plan provides that module",
    ]);
  });

  it("is no matter of new modules and of reused ones", () => {
    const reuse = { reuse_decision: "REUSE", reuse_candidate_refs: ["MM-a@1.2.0"] };
    expect(check(reuse, "MM-a@1.2.0")).toEqual([]);
    expect(check({ ...reuse, module_version: "1.3.0" }, "MM-a@1.2.0")).toEqual([
      "$.modules[0].module_version: no version, because reuse_candidate_refs names what is reused",
    ]);
    expect(report(planOf(moduleOf("x", { module_version: "2.0.0" })))).toEqual([
      '3 $.modules[0].module_version: 1.0.0 or nothing, because MM-x does not exist yet / "2.0.0"',
    ]);
  });
});
