// What an honest agent of each role does, from the case alone: the same at every attempt.
import type { Role } from "../domain/artifact/role.ts";
import type { Files } from "../toolchains/port.ts";
import type { ContractDraft } from "../domain/contract/contract-draft.ts";
import { codeOfExample } from "./cases/case-from.ts";
import { KITCHEN_E2E } from "./cases/kitchen-e2e.ts";
import { KITCHEN } from "./cases/kitchen.ts";
import { IN_A_TREE, isOfATree } from "./honest-tree.ts";
import { APPROVED, passing } from "./judgements.ts";
import type { CaseExample, Performance, SimulatedCall, SimulatedCase } from "./port.ts";

type OnCase = (about: SimulatedCase, call: SimulatedCall) => Performance;

/** Undefined for a role that no simulated agent plays. */
export function honest(call: SimulatedCall, cases: readonly SimulatedCase[]): Performance | undefined {
  if (call.role === "product_researcher") return researched();
  if (call.role === "micro_planner") return planned(call, cases);
  if (call.role === "architect" && call.key.task === null) return triedAsAWhole();
  if (call.case === undefined || (NEEDS_CRITERIA.has(call.role) && call.case.criteria === undefined))
    return undefined;
  return ON_CASE[call.role]?.(call.case, call);
}

const NEEDS_CRITERIA: ReadonlySet<Role> = new Set(["scaffold", "test_author", "reviewer"]);

const ON_CASE: Readonly<Partial<Record<Role, OnCase>>> = {
  scaffold: (about) => says(IN_A_TREE.scaffold(about)),
  test_author: (about) => says(IN_A_TREE.testAuthor(about), inFolder(about, about.tests)),
  reviewer: () => says(IN_A_TREE.reviewer),
  // The same role drafts the contract, where it has no files, and builds the module, where it has.
  proposer: (about, call) =>
    call.workspace === undefined
      ? says({ contract: about.contract, ...proposed(about) })
      : says(proposed(about), inFolder(about, everything(about))),
  challenger: ({ name, task }) => says(passing(name, task.acceptance_criteria[0] ?? "")),
  arbiter: () => says(APPROVED),
  // Who cannot run tests writes none: in the gatekeeper protocol they are a tester's, and examples.md is the architect's.
  builder: (about, { tools }) => {
    const files = tools.includes("run_tests") ? everything(about) : about.sources;
    return says({ claim: claimOf(about) }, inFolder(about, files));
  },
  researcher: (about) => says(researchOf(about)),
  architect: (about) => says(designOf(about)),
  tester: (about) => says(testedOf(about), inFolder(about, about.tests)),
  verifier: () =>
    says({ rationale: "Every way through the code was followed.", verdict: "PASS", findings: [] }),
  types: (about) => {
    const { applied_amendments: _, ...said } = proposed(about);
    return says({ contract: about.contract, ...said, ...about.types });
  },
  type_adversary: () =>
    says({ holes: [], analysis: "Every kind of value was gone through.", confident: true }),
  tests: (about) => {
    const told = {
      properties: about.properties,
      selfVerified: true,
      strategy: "Examples, a property, errors.",
    };
    return says(told, inFolder(about, about.tests));
  },
  impl: (about, call) => {
    const files = inFolder(about, { ...about.sources, ...about.documents });
    if (isOfATree(call)) return says(IN_A_TREE.impl, files);
    const functions = about.contract.entry_points.map(({ name }) => ({
      name,
      approach: "as its specification says",
      complexity: null,
      handlesEdges: about.contract.error_cases,
    }));
    const told = {
      functions,
      dataRepresentation: "plain values",
      designNotes: "One pass.",
      buildPassed: true,
    };
    return says(told, files);
  },
  fix: (about) => {
    const changes = about.contract.entry_points.map(({ name }) => ({
      function: name,
      whatChanged: "it was written as its specification says",
      whyFailed: "it was not",
      fixType: "LogicFix",
    }));
    return says({ changes, buildPassed: true }, inFolder(about, { ...about.sources, ...about.documents }));
  },
  mutation_adversary: () =>
    says({ equivalent: [], gaps: [], analysis: "None of them is a mistake anybody makes." }),
  witness: (_, { prompt }) => says(witnessed(prompt)),
};

/** What an honest researcher of the gatekeeper protocol says. */
export function researchOf({ planned: { purpose }, contract, examples }: SimulatedCase) {
  const happy = examples.find(({ throws }) => throws === null);
  return {
    summary: purpose,
    inputs: contract.inputs.map(({ name, type, constraints }) => ({ name, type, constraints })),
    outputs: contract.outputs,
    examples: examples.map((each) => ({
      name: each.title,
      kind: each.throws === null ? (each === happy ? "happy_path" : "edge_case") : "error_case",
      situation: situationOf(each, contract),
      inputs: each.inputs,
      gives: each.gives,
      throws: each.throws,
      why: "This is what comes of it.",
    })),
    notes: [],
  };
}

/** Only one call of the only function says all of itself by its inputs. */
function situationOf({ entry, call, inputs }: CaseExample, { entry_points }: ContractDraft): string | null {
  const isWhole = inputs.length > 0 && !call.includes("\n") && call.startsWith(`${entry}(`);
  return isWhole && entry_points.length === 1 ? null : `${entry}: ${call}`;
}

function designOf(about: SimulatedCase) {
  const { applied_amendments: _, ...said } = proposed(about);
  const examples = about.examples.map((each) => ({
    of: each.title,
    entry: each.entry,
    code: codeOfExample(each, about),
  }));
  return { contract: about.contract, ...said, examples };
}

function testedOf({ properties }: SimulatedCase) {
  const tests = properties.map(({ name, targetFunctions, coversSketch }) => ({
    name,
    layer: coversSketch === null ? "unit" : "property",
    targets: targetFunctions,
  }));
  return { tests, strategy: "Examples, a property, errors.", expected: "PASS" };
}

function says(answer: object, files: Performance["files"] = {}): Performance {
  // Through JSON, as an answer would come.
  return { files, toolCalls: [], output: JSON.parse(JSON.stringify({ answer })), latencyMs: 0, ending: "ok" };
}

function researched(): Performance {
  const answer = {
    summary: "Quantities, the weight of a recipe on top of them, and minutes in the oven.",
    open_questions: [],
    answers: [],
  };
  const spec: unknown = KITCHEN;
  const toolCalls = [{ tool: "emit_structured_spec", input: JSON.parse(JSON.stringify({ spec })) }];
  return { ...says(answer), toolCalls };
}

function triedAsAWhole(): Performance {
  const files = Object.entries(KITCHEN_E2E).map(([path, text]) => [`e2e/${path}`, text]);
  const answer = { strategy: "What one module gives goes into the next, as a cook would do.", not_shown: [] };
  return says(answer, Object.fromEntries(files));
}

function planned({ key, prompt }: SimulatedCall, cases: readonly SimulatedCase[]): Performance | undefined {
  // Whatever the Code Index offers has been looked at.
  const offered = cases
    .map((each) => `${each.planned.module_id}@1.0.0`)
    .filter((ref) => prompt.includes(ref));
  const modules = cases
    .filter(({ task }) => task.task_id === key.task)
    .map((each) => ({
      ...each.planned,
      reuse_candidate_refs: [...new Set([...each.planned.reuse_candidate_refs, ...offered])],
    }));
  return modules.length === 0 ? undefined : says({ modules });
}

export function everything({ sources, tests, documents }: SimulatedCase): Files {
  return { ...sources, ...tests, ...documents };
}

export function folderOf({ name }: Pick<SimulatedCase, "name">): string {
  return `modules/${name}/`;
}

function inFolder(about: SimulatedCase, files: Files): Performance["files"] {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [folderOf(about) + path, text]));
}

function claimOf({ planned: { purpose } }: SimulatedCase): string {
  return `${purpose} The tests show each promise of the contract.`;
}

function proposed(about: SimulatedCase) {
  const [criterion = ""] = about.task.acceptance_criteria;
  return {
    claim: claimOf(about),
    acceptance_checks: [`\`${criterion}\`: shown by the tests of ${about.name}`],
    applied_amendments: [],
  };
}

/** Stands on the first event that the journal has. */
function witnessed(prompt: string) {
  const event = Number(/"seq":\s*(\d+)/.exec(prompt)?.[1] ?? 0);
  return { narrative: [{ text: "The module was begun.", events: [event] }], concerns: [], suggestions: [] };
}
