import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planCycles, type ModuleOutcome, type PlanNode, planOrder, planProgress } from "./plan-order.ts";

/** `{ a: "b c" }`: MM-a depends on MM-b and MM-c. */
function planOf(edges: Record<string, string>): { modules: PlanNode[] } {
  return { modules: Object.entries(edges).map(([id, needs]) => node(id, needs.split(" ").filter(Boolean))) };
}

function node(id: string, needs: string[]): PlanNode {
  return { module_id: `MM-${id}`, depends_on: needs.map((need) => `MM-${need}@1.0.0`) };
}

/** A random graph without cycles, declared in any order, with edges to modules outside it and repeated edges. */
const acyclic = fc
  .array(fc.array(fc.nat(20), { maxLength: 4 }), { minLength: 1, maxLength: 12 })
  .chain((rows) => {
    const nodes = rows.map((targets, index) =>
      node(`m${index}`, [
        ...targets.map((target) => (index === 0 ? "outside" : `m${target % index}`)),
        "outside",
      ]),
    );
    return fc.shuffledSubarray(nodes, { minLength: nodes.length });
  })
  .map((modules) => ({ modules }));

const anyGraph = fc
  .array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
  .map((rows) => ({
    modules: rows.map((targets, index) =>
      node(
        `m${index}`,
        targets.map((target) => `m${target}`),
      ),
    ),
  }));

/** Asks again and again which modules wait for nothing that is still to come. */
function naiveOrder({ modules }: { modules: PlanNode[] }): string[] {
  const done: string[] = [];
  for (let left = modules; left.length > 0;) {
    const wave = left.filter((module) =>
      module.depends_on.every((ref) => !left.some((other) => ref === `${other.module_id}@1.0.0`)),
    );
    if (wave.length === 0) return [];
    done.push(...wave.map((module) => module.module_id));
    left = left.filter((module) => !wave.includes(module));
  }
  return done;
}

function reaches(modules: PlanNode[], from: string, goal: (id: string) => boolean): boolean {
  const found = modules.find((module) => module.module_id === from);
  return (found?.depends_on ?? []).some((ref) => {
    const id = ref.replace("@1.0.0", "");
    return goal(id) || reaches(modules, id, goal);
  });
}

function naiveProgress(plan: { modules: PlanNode[] }, outcomes: Record<string, ModuleOutcome>): unknown {
  const pending = naiveOrder(plan).filter((id) => outcomes[id] === undefined);
  const abandoned = pending.filter((id) =>
    reaches(plan.modules, id, (other) => outcomes[other] === "failed"),
  );
  const next = pending
    .filter((id) => !abandoned.includes(id))
    .filter((id) => !reaches(plan.modules, id, (other) => pending.includes(other)));
  const ending = Object.values(outcomes).includes("failed") ? "halted" : "shipped";
  return { next, abandoned, finished: pending.length > abandoned.length ? undefined : ending };
}

describe("planOrder", () => {
  it.each([
    ["declaration order when nobody waits", { c: "", a: "", b: "" }, "MM-c MM-a MM-b"],
    ["dependencies first", { a: "b", b: "c", c: "" }, "MM-c MM-b MM-a"],
    ["all roots before the rest", { a: "", b: "a", c: "" }, "MM-a MM-c MM-b"],
    ["a wave in declaration order", { a: "", b: "", d: "b", c: "a" }, "MM-a MM-b MM-d MM-c"],
    ["outsiders as shipped", { a: "elsewhere b", b: "elsewhere" }, "MM-b MM-a"],
    ["prototype names as names", { constructor: "toString", toString: "" }, "MM-toString MM-constructor"],
  ])("gives %s", (_, edges, expected) => {
    expect(planOrder(planOf(edges)).join(" ")).toBe(expected);
  });

  it("agrees with asking again and again", () => {
    fc.assert(
      fc.property(acyclic, (plan) => {
        expect(planOrder(plan)).toEqual(naiveOrder(plan));
      }),
    );
  });

  it("throws what waits for what instead of an order when there is none", () => {
    expect(() => planOrder(planOf({ x: "a", a: "b", b: "a" }))).toThrow(
      expect.objectContaining({
        code: "dependency_cycle",
        message: "modules wait for each other: MM-a → MM-b → MM-a",
      }),
    );
  });

  it("throws on an id that is there twice", () => {
    expect(() => planOrder({ modules: [node("a", []), node("a", [])] })).toThrow(
      expect.objectContaining({ code: "id_collision" }),
    );
  });

  it("orders a chain of fifty thousand modules declared backwards in a moment", () => {
    const count = 50_000;
    const modules = Array.from({ length: count }, (_, i) =>
      node(`m${i}`, i + 1 < count ? [`m${i + 1}`] : []),
    );
    const started = performance.now();
    expect(planOrder({ modules })[0]).toBe(`MM-m${count - 1}`);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("planCycles", () => {
  it.each([
    ["none", { a: "b", b: "" }, []],
    ["a module that waits for itself", { a: "a" }, [["MM-a"]]],
    ["a cycle from the module declared first", { b: "c", c: "a", a: "b" }, [["MM-b", "MM-c", "MM-a"]]],
    ["the cycle without those behind it", { x: "c", c: "b", b: "c" }, [["MM-c", "MM-b"]]],
    ["it from the first declared, whichever is met first", { x: "c", b: "c", c: "b" }, [["MM-b", "MM-c"]]],
    [
      "two cycles apart",
      { a: "b", b: "a", c: "d", d: "c" },
      [
        ["MM-a", "MM-b"],
        ["MM-c", "MM-d"],
      ],
    ],
  ])("finds %s", (_, edges, expected) => {
    expect(planCycles(planOf(edges))).toEqual(expected);
  });

  it("finds only real cycles, and at least one exactly when there is no order", () => {
    fc.assert(
      fc.property(anyGraph, (plan) => {
        const cycles = planCycles(plan);
        expect(cycles.length > 0).toBe(naiveOrder(plan).length === 0);
        for (const cycle of cycles) {
          cycle.forEach((id, index) => {
            const needs = plan.modules.find((module) => module.module_id === id)?.depends_on;
            expect(needs).toContain(`${cycle[(index + 1) % cycle.length]}@1.0.0`);
          });
        }
      }),
    );
  });
});

describe("planProgress", () => {
  const diamond = planOf({
    top: "left right",
    left: "base",
    right: "base",
    base: "",
    alone: "",
    last: "alone",
  });

  it.each<[string, Record<string, ModuleOutcome>, ReturnType<typeof planProgress>]>([
    ["starts with all roots", {}, { next: ["MM-base", "MM-alone"], abandoned: [], finished: undefined }],
    [
      "goes on to what has become ready, in plan order",
      { "MM-base": "shipped" },
      { next: ["MM-alone", "MM-left", "MM-right"], abandoned: [], finished: undefined },
    ],
    [
      "abandons whatever waits for a failure, at any distance, and goes on with the rest",
      { "MM-base": "failed" },
      { next: ["MM-alone"], abandoned: ["MM-left", "MM-right", "MM-top"], finished: undefined },
    ],
    [
      "still attempts what has no path to the failure",
      { "MM-base": "shipped", "MM-left": "failed", "MM-alone": "shipped" },
      { next: ["MM-right", "MM-last"], abandoned: ["MM-top"], finished: undefined },
    ],
    [
      "is halted when nothing else can be attempted",
      { "MM-base": "failed", "MM-alone": "shipped", "MM-last": "shipped" },
      { next: [], abandoned: ["MM-left", "MM-right", "MM-top"], finished: "halted" },
    ],
    [
      "goes on after a failure that nobody waits for",
      { "MM-base": "shipped", "MM-left": "shipped", "MM-right": "shipped", "MM-top": "failed" },
      { next: ["MM-alone"], abandoned: [], finished: undefined },
    ],
  ])("%s", (_, outcomes, expected) => {
    expect(planProgress(diamond, outcomes)).toEqual(expected);
  });

  it("is shipped only when every module is", () => {
    const outcomes = Object.fromEntries(planOrder(diamond).map((id) => [id, "shipped" as const]));
    expect(planProgress(diamond, outcomes)).toEqual({ next: [], abandoned: [], finished: "shipped" });
    expect(planProgress(diamond, { ...outcomes, "MM-top": "failed" }).finished).toBe("halted");
  });

  it("agrees with following every path, and taking the first each time follows the plan's order", () => {
    fc.assert(
      fc.property(acyclic, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (plan, luck) => {
        const outcomes: Record<string, ModuleOutcome> = {};
        const attempted: string[] = [];
        let progress = planProgress(plan, outcomes);
        expect(progress).toEqual(naiveProgress(plan, outcomes));
        for (let [first] = progress.next; first !== undefined; [first] = progress.next) {
          outcomes[first] = luck[attempted.length] === true ? "shipped" : "failed";
          attempted.push(first);
          progress = planProgress(plan, outcomes);
          expect(progress).toEqual(naiveProgress(plan, outcomes));
        }
        expect(attempted.length + progress.abandoned.length).toBe(plan.modules.length);
        expect(attempted).toEqual(planOrder(plan).filter((id) => attempted.includes(id)));
      }),
    );
  });

  it.each(["MM-nobody", "constructor", "__proto__"])(
    "throws on an outcome of %s, which is not planned",
    (id) => {
      expect(() => planProgress(diamond, { [id]: "shipped" })).toThrow(
        expect.objectContaining({
          code: "usage",
          message: `the plan has no module ${id} that could have an outcome`,
        }),
      );
    },
  );

  it("does not take a plan without modules for a shipped one", () => {
    expect(() => planProgress({ modules: [] }, {})).toThrow("a plan without modules has no progress");
  });
});
