// A tree under random events: somebody can always go on, nothing happens twice, and at its end everything was merged.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { childSpec, nodeSpec } from "../../../test/tree-samples.ts";
import { dueIn, foldOrder, queuesIn, shiftedBy } from "./next-in-tree.ts";
import { advance, below, isMerged, type Tree, treeOf, waitsFor } from "./tree.ts";

const COMMIT = "a".repeat(40);

function unfold(tree: Tree, node: string, ...children: string[]): Tree {
  return advance(tree, { kind: "unfolded", node, children: children.map(childSpec) });
}

const FAMILY = unfold(unfold(treeOf(nodeSpec("root")), "root", "left", "right"), "left", "leaf");

/** Takes a leaf from its scaffold to its parent. */
function folded(tree: Tree, node: string): Tree {
  const start = tree[node]?.place;
  let next = start?.kind === "due" && start.at === "scaffold" ? unfold(tree, node) : tree;
  if (dueIn(next).some((due) => due.node === node && due.at === "write_tests"))
    next = advance(next, { kind: "tests_ready", node });
  next = advance(next, { kind: "approved", node, commit: COMMIT });
  return advance(next, { kind: "merged", node, commit: COMMIT });
}

test("a parent writes its tests while its children work, though what others wait for comes first, and its code when all of them are merged", () => {
  expect(dueIn(FAMILY)).toEqual([
    { node: "right", at: "scaffold" },
    { node: "leaf", at: "scaffold" },
    { node: "left", at: "write_tests" },
    { node: "root", at: "write_tests" },
  ]);
  const ready = advance(FAMILY, { kind: "tests_ready", node: "root" });
  expect(ready["root"]?.place).toEqual({ kind: "holding", before: "impl" });
  const right = folded(ready, "right");
  expect(right["root"]?.place).toEqual({ kind: "holding", before: "impl" });
  const all = folded(folded(right, "leaf"), "left");
  expect(dueIn(all)).toEqual([{ node: "root", at: "impl" }]);
});

test("what a parent sends back goes to its own tests and holds the parent up again only until it is merged again", () => {
  const merged = folded(FAMILY, "right");
  const back = advance(merged, { kind: "sent_back", node: "right" });
  expect(back["right"]?.place).toEqual({ kind: "due", at: "write_tests" });
  const rest = advance(folded(folded(merged, "leaf"), "left"), { kind: "tests_ready", node: "root" });
  expect(dueIn(rest)).toEqual([{ node: "root", at: "impl" }]);
  const held = advance(rest, { kind: "sent_back", node: "right" });
  expect(held["root"]?.place).toEqual({ kind: "holding", before: "impl" });
  expect(folded(back, "right")["right"]).toMatchObject({ merges: 2, place: { kind: "merged" } });
});

test("who is blocked goes on when the sibling is merged; two never wait for each other", () => {
  const started = unfold(FAMILY, "right");
  const blocked = advance(started, { kind: "blocked", node: "right", on: "left" });
  expect(waitsFor(blocked, "right", "left")).toBe(true);
  expect(() => advance(blocked, { kind: "blocked", node: "left", on: "right" })).toThrow("left itself");
  expect(() => advance(blocked, { kind: "blocked", node: "leaf", on: "right" })).toThrow("leaf itself");
  expect(dueIn(folded(folded(blocked, "leaf"), "left"))).toContainEqual({ node: "right", at: "impl" });
});

test("a merge shifts siblings that are not merged yet, with everything below them", () => {
  expect(shiftedBy(FAMILY, "right")).toEqual(["left", "leaf"]);
  expect(shiftedBy(FAMILY, "leaf")).toEqual([]);
  expect(shiftedBy(folded(FAMILY, "leaf"), "right")).toEqual(["left"]);
});

test("another plan keeps the children that stay and drops the others with all they had", () => {
  const asked = advance(FAMILY, { kind: "asked", node: "root", question: "which?" });
  const again = advance(asked, { kind: "answered", node: "root" });
  const replanned = unfold(again, "root", "right", "third");
  expect(Object.keys(replanned)).toEqual(["root", "right", "third"]);
  expect(replanned["right"]).toEqual(FAMILY["right"]);
});

test("everything ships after what it stands on", () => {
  expect(foldOrder(FAMILY)).toEqual(["leaf", "left", "right", "root"]);
});

describe("whatever happens in whichever order", () => {
  const step = fc.record({ pick: fc.nat(), what: fc.nat(9), size: fc.nat(3) });

  test("somebody can go on until the root is merged, and no event fits twice", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 400, maxLength: 400 }), (steps) => {
        let tree = treeOf(nodeSpec("root"));
        let named = 0;
        const once = (event: Parameters<typeof advance>[1]): void => {
          tree = advance(tree, event);
          if (event.kind === "unfolded" || event.kind === "tests_ready") return;
          expect(() => advance(tree, event)).toThrow("cannot be");
        };
        for (const { pick, what, size } of steps) {
          if (isMerged(tree, "root")) break;
          const due = dueIn(tree);
          const queued = [...queuesIn(tree).values()].flat();
          expect(due.length + queued.length).toBeGreaterThan(0);
          const waiting = queued[pick % Math.max(1, queued.length)];
          const one = due[pick % Math.max(1, due.length)];
          if (waiting !== undefined && (what < 4 || one === undefined)) {
            once(
              what === 0
                ? { kind: "rejected", node: waiting }
                : { kind: "merged", node: waiting, commit: COMMIT },
            );
          } else if (one?.at === "scaffold") {
            const room = (tree[one.node]?.depth ?? 9) < 3 && Object.keys(tree).length < 20;
            const children = Array.from({ length: room ? size : 0 }, () => childSpec(`n${(named += 1)}`));
            once({ kind: "unfolded", node: one.node, children });
          } else if (one?.at === "write_tests") once({ kind: "tests_ready", node: one.node });
          else if (one !== undefined) {
            const on = Object.keys(tree)[pick % Object.keys(tree).length] ?? "";
            if (what === 5 && !isMerged(tree, on) && !waitsFor(tree, on, one.node))
              once({ kind: "blocked", node: one.node, on });
            else once({ kind: "approved", node: one.node, commit: COMMIT });
          }
        }
        if (!isMerged(tree, "root")) return;
        for (const id of below(tree, "root")) expect(isMerged(tree, id)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

test("what siblings use ships before them, whoever was planned first", () => {
  const users = [
    { ...childSpec("first"), uses: ["second"] },
    { ...childSpec("second"), uses: ["third"] },
    childSpec("third"),
  ];
  const tree = advance(treeOf(nodeSpec("root")), { kind: "unfolded", node: "root", children: users });
  expect(foldOrder(tree)).toEqual(["third", "second", "first", "root"]);
});

describe("what a person decides about a halted node", () => {
  const word = { escalation_ref: "ESC-00000001", rationale: "good enough" };
  const event = { kind: "overridden" as const, node: "leaf", commit: COMMIT, word };

  test("a fix is reviewed when the children are there", () => {
    const stopped = advance(FAMILY, { kind: "halted", node: "left" });
    const fixed = advance(stopped, { kind: "fixed", node: "left" });
    expect(fixed["left"]?.place).toEqual({ kind: "holding", before: "review" });
    expect(folded(fixed, "leaf")["left"]?.place).toEqual({ kind: "due", at: "review" });
    expect(() => advance(fixed, { kind: "fixed", node: "left" })).toThrow("cannot be fixed");
  });

  test("a word takes the place of a review, and where it was merged already nothing is merged again", () => {
    const before = advance(advance(FAMILY, { kind: "halted", node: "leaf" }), event);
    expect(before["leaf"]).toMatchObject({ place: { kind: "queued" }, override: word });
    const merged = folded(FAMILY, "leaf");
    const after = advance(advance(merged, { kind: "halted", node: "leaf" }), event);
    expect(after["leaf"]).toMatchObject({ place: { kind: "merged" }, merges: 1, override: word });
    expect(() => advance(merged, event)).toThrow("cannot be overridden");
  });
});
