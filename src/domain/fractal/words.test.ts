// The words of a tree: specifications that divide, routes without gaps, impacts nobody can talk down, manifests that hold.
import { describe, expect, test } from "vitest";
import { MergeEvent } from "../run/merge-event.ts";
import { clarifiedBy, EXCEPTION_ROUTES, ExceptionType, supplierOf } from "./exceptions.ts";
import {
  ImplExit,
  MergerExit,
  RebaserExit,
  ReviewerExit,
  ScaffoldExit,
  TddExit,
  TestAuthorExit,
} from "./exits.ts";
import { mergeEventOf, rebaseKind } from "./impact.ts";
import { DEFAULT_LIMITS, type ChildSpec, unfoldingProblems } from "./node-spec.ts";
import { exitName, ROUTES } from "./routing.ts";
import { checkManifest } from "./test-manifest.ts";

const criteria = (...ids: string[]) => ids.map((id) => ({ id, text: `what ${id} says` }));
const parent = {
  id: "shop",
  description: "a shop",
  acceptanceCriteria: criteria("AC-1", "AC-2"),
  complexityConstraints: null,
};
const child = (id: string, given: string[], uses: string[] = []): ChildSpec => ({
  id,
  description: id,
  acceptanceCriteria: criteria(...given),
  complexityConstraints: null,
  exports: [{ name: "go", signature: "() => void" }],
  uses,
});

const problems = (children: ChildSpec[], more: object = {}) =>
  unfoldingProblems({
    parent,
    children,
    depth: 1,
    taken: new Set(["shop"]),
    limits: DEFAULT_LIMITS,
    ...more,
  });

describe("unfolding", () => {
  test("divides the criteria of the parent, as they are or refined", () => {
    expect(problems([child("cart", ["AC-1"]), child("till", ["AC-2.1", "AC-2.2"], ["cart"])])).toEqual([]);
    expect(problems([])).toEqual([]);
    const spaced = [{ id: "AC-1", text: "what  AC-1 says " }];
    expect(problems([{ ...child("cart", ["AC-1"]), acceptanceCriteria: spaced }])).toEqual([]);
  });

  test.each<[string, ChildSpec[], object, string]>([
    ["an invented criterion", [child("cart", ["AC-9"])], {}, "AC-9 of cart is no criterion"],
    [
      "one criterion for two",
      [child("cart", ["AC-1"]), child("till", ["AC-1"])],
      {},
      "given to cart and to till",
    ],
    [
      "a criterion that asks a child for less",
      [{ ...child("cart", ["AC-1"]), acceptanceCriteria: [{ id: "AC-1", text: "something is there" }] }],
      {},
      'AC-1 of cart says "something is there", and here it is "what AC-1 says"',
    ],
    ["a name twice", [child("cart", ["AC-1"]), child("cart", ["AC-2"])], {}, "a node cart already"],
    ["a name of the tree", [child("shop", ["AC-1"])], {}, "a node shop already"],
    ["a stranger that is used", [child("cart", ["AC-1"], ["bank"])], {}, "cart uses bank"],
    [
      "siblings that use each other",
      [child("cart", ["AC-1"], ["till"]), child("till", ["AC-2"], ["cart"])],
      {},
      "these use each other: cart → till → cart",
    ],
    ["itself being used", [child("cart", ["AC-1"], ["cart"])], {}, "cart uses cart"],
    ["too deep", [child("cart", ["AC-1"])], { depth: 4 }, "level 4 of at most 4"],
    [
      "too broad",
      [child("a", ["AC-1"]), child("b", ["AC-2"])],
      { limits: { ...DEFAULT_LIMITS, breadth: 1 } },
      "2 children",
    ],
    ["too many", [child("a", ["AC-1"])], { limits: { ...DEFAULT_LIMITS, nodes: 1 } }, "2 nodes"],
  ])("refuses %s", (_, children, more, message) => {
    expect(problems(children, more).join("\n")).toContain(message);
  });
});

const kinds = (union: { options: readonly { shape: { kind: { value: string } } }[] }): string[] =>
  union.options.map(({ shape }) => shape.kind.value);

describe("routes", () => {
  const SCHEMAS = {
    scaffold: ScaffoldExit,
    tdd: TddExit,
    test_author: TestAuthorExit,
    impl: ImplExit,
    reviewer: ReviewerExit,
    merger: MergerExit,
    rebaser: RebaserExit,
  };

  test("there is one for every exit of everybody who takes part, and none for anything else", () => {
    for (const table of Object.values(ROUTES))
      for (const [actor, exits] of Object.entries(table)) {
        const schema = Object.entries(SCHEMAS).find(([name]) => name === actor)?.[1];
        if (schema === undefined) throw new Error(`nobody knows how ${actor} ends`);
        const routed = new Set(Object.keys(exits).map((name) => name.replace(/^Stuck\..*/, "Stuck")));
        expect([...routed].toSorted()).toEqual(kinds(schema).toSorted());
      }
    expect(Object.keys(ROUTES.batch.impl).filter((name) => name.startsWith("Stuck"))).toHaveLength(4);
  });

  test("a rejection leaves to a person in one rhythm and to the author of the tests in the other", () => {
    expect(ROUTES.batch.tdd.Reject.to).toEqual(["person"]);
    expect(ROUTES["ping-pong"].reviewer.Reject.to).toEqual(["test_author"]);
    expect(ROUTES.batch.tdd.MoreTests.to).toEqual(["write_tests"]);
  });

  test("stuck is routed by its kind", () => {
    const stuck = { kind: "Stuck", diagnosis: "d", recommendation: "r", attempts: 5 } as const;
    expect(exitName({ ...stuck, subtype: "SkillCeiling" })).toBe("Stuck.SkillCeiling");
  });
});

const event = (before: Record<string, string>, after: Record<string, string>, broken: string[] = []) =>
  MergeEvent.parse(
    mergeEventOf({
      author: "cart",
      before,
      after,
      broken: broken.map((symbol) => ({ test: "t", symbol })),
    }),
  );

describe("the impact of a merge", () => {
  test.each<[string, Record<string, string>, Record<string, string>, string[], string, string[]]>([
    ["nothing visible", { a: "() => void" }, { a: "()  =>\nvoid" }, [], "Trivial", []],
    ["something new", {}, { a: "() => void" }, [], "Additive", ["NewExport a"]],
    ["something gone", { a: "() => void" }, {}, [], "Breaking", ["RemovedExport a"]],
    ["another signature", { a: "() => void" }, { a: "() => number" }, [], "Breaking", ["SignatureChange a"]],
    [
      "the same surface with another behaviour",
      { a: "() => void" },
      { a: "() => void" },
      ["a"],
      "Breaking",
      ["BehaviorChange a"],
    ],
  ])("%s", (_, before, after, broken, impactLevel, changes) => {
    const made = event(before, after, broken);
    expect(made.impactLevel).toBe(impactLevel);
    expect(made.changes.map(({ changeType, symbol }) => `${changeType} ${symbol}`)).toEqual(changes);
  });

  test("wakes only those who use what moved", () => {
    const broke = event(
      { a: "() => void", b: "() => void" },
      { a: "() => number", b: "() => void", c: "() => void" },
    );
    expect(rebaseKind(broke, { "cart.a": "() => void" })).toEqual({ kind: "wakes", symbols: ["cart.a"] });
    expect(rebaseKind(broke, { "cart.b": "() => void", "cart.c": "() => void" })).toEqual({ kind: "quiet" });
    expect(rebaseKind(broke, { "till.a": "() => void" })).toEqual({ kind: "quiet" });
  });
});

test("every exception has its way, and only a contradiction goes up to the root at once", () => {
  expect(Object.keys(EXCEPTION_ROUTES)).toEqual(ExceptionType.options);
  const atRoot = ExceptionType.options.filter((type) => EXCEPTION_ROUTES[type].escalateTo === "root");
  expect(atRoot).toEqual(["Contradiction"]);
  expect(EXCEPTION_ROUTES.SkillIssue).toEqual({ action: "retry", escalateTo: "nobody" });
});

test("a question climbs to the parent, and only at the root to a person", () => {
  expect(clarifiedBy("shop")).toEqual({ kind: "node", node: "shop" });
  expect(clarifiedBy(null)).toEqual({ kind: "person" });
});

test("what is missing is looked for among siblings first", () => {
  const siblings = [
    { node: "cart", exports: ["add"], merged: false },
    { node: "till", exports: ["add", "pay"], merged: true },
  ];
  expect(supplierOf("add", siblings)).toEqual({ kind: "there", node: "till" });
  expect(supplierOf("add", siblings.slice(0, 1))).toEqual({ kind: "coming", node: "cart" });
  expect(supplierOf("sub", siblings)).toEqual({ kind: "nobody" });
});

const manifest = (map: Record<string, string>) => ({
  spec_id: "shop",
  target_file: "src/index.ts",
  test_suite: "test/shop.test.ts",
  acceptance_criteria_map: map,
});

const seen = (...names: string[]) => names.map((name) => ({ name, reaches: ["go"] }));

describe("a manifest", () => {
  test("that holds shows each criterion by a test", () => {
    const checked = checkManifest(manifest({ one: "AC-1", two: "AC-2" }), parent, seen("one", "two"));
    expect(checked).toEqual({
      coverage: {
        criteriaWithTests: [
          { criterion: "AC-1", test: "one" },
          { criterion: "AC-2", test: "two" },
        ],
        criteriaMissing: [],
      },
      problems: [],
    });
  });

  test.each<[string, Record<string, string>, { name: string; reaches: string[] }[], string]>([
    ["a test that is not there", { one: "AC-1", two: "AC-2" }, seen("one"), '"two" is in the manifest'],
    [
      "a test that nobody mapped",
      { one: "AC-1", two: "AC-2" },
      seen("one", "two", "three"),
      '"three" shows no criterion',
    ],
    [
      "a criterion that is not there",
      { one: "AC-1", two: "AC-7" },
      seen("one", "two"),
      "AC-7, which is no criterion",
    ],
    ["a criterion without a test", { one: "AC-1" }, seen("one"), "no test shows AC-2"],
    [
      "a test that reaches nothing",
      { one: "AC-1", two: "AC-2" },
      [...seen("one"), { name: "two", reaches: [] }],
      "no test shows AC-2",
    ],
    ["nothing at all", {}, [], "no test ran"],
  ])("with %s does not hold", (_, map, tests, message) => {
    expect(checkManifest(manifest(map), parent, tests).problems.join("\n")).toContain(message);
  });

  test("of another node does not hold", () => {
    const other = { ...manifest({ one: "AC-1", two: "AC-2" }), spec_id: "bank" };
    expect(checkManifest(other, parent, seen("one", "two")).problems).toEqual([
      "the manifest is about bank, the tests are of shop",
    ]);
  });
});
