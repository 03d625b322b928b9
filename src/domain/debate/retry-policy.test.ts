import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { challengeAgain, type DebateEvent, decisionsOpen, type Route, route } from "./retry-policy.ts";

const EVENTS = {
  pass: { kind: "challenged", verdict: "PASS" },
  fail: { kind: "challenged", verdict: "FAIL" },
  approve: { kind: "adjudicated", decision: "APPROVE", standing: "PASS" },
  amend: { kind: "adjudicated", decision: "APPROVE_WITH_AMENDMENTS", standing: "PASS" },
  reject: { kind: "adjudicated", decision: "REJECT", standing: "PASS" },
  approveOverFail: { kind: "adjudicated", decision: "APPROVE", standing: "FAIL" },
  amendOverFail: { kind: "adjudicated", decision: "APPROVE_WITH_AMENDMENTS", standing: "FAIL" },
  rejectOverFail: { kind: "adjudicated", decision: "REJECT", standing: "FAIL" },
  amended: { kind: "amendments_applied" },
  applied: { kind: "amendments_verified", result: "applied" },
  unapplied: { kind: "amendments_verified", result: "unapplied" },
  refused: { kind: "ship_refused" },
  shipped: { kind: "shipped" },
} as const satisfies Record<string, DebateEvent>;
type EventName = keyof typeof EVENTS;
const NAMES = Object.keys(EVENTS).filter((name): name is EventName => name in EVENTS);

/** Where each event leads with 0, 1 and 2 revisions used. */
const TABLE: Record<EventName, [Route["goto"], Route["goto"], Route["goto"]]> = {
  pass: ["adjudicate", "adjudicate", "adjudicate"],
  fail: ["revise", "revise", "adjudicate"],
  approve: ["ship", "ship", "ship"],
  amend: ["apply_amendments", "apply_amendments", "apply_amendments"],
  reject: ["revise", "revise", "halt"],
  approveOverFail: ["halt", "halt", "halt"],
  amendOverFail: ["apply_amendments", "apply_amendments", "apply_amendments"],
  rejectOverFail: ["revise", "revise", "halt"],
  amended: ["validate_amendments", "validate_amendments", "validate_amendments"],
  applied: ["ship", "ship", "ship"],
  unapplied: ["halt", "halt", "halt"],
  refused: ["revise", "revise", "halt"],
  shipped: ["shipped", "shipped", "shipped"],
};

/** What can happen at each node; after a FAIL only decisions over a FAIL, after a PASS only those over a PASS. */
const HAPPENS: Record<string, EventName[]> = {
  challenge: ["pass", "fail"],
  "adjudicate PASS": ["approve", "amend", "reject"],
  "adjudicate FAIL": ["approveOverFail", "amendOverFail", "rejectOverFail"],
  apply_amendments: ["amended"],
  validate_amendments: ["applied", "unapplied"],
  ship: ["shipped", "refused"],
};

/** Every way a debate can go from the first challenge on, as the names of the events and where it ended. */
function everyDebate(
  node: string,
  revisionsUsed: number,
  trail: string[],
): { trail: string[]; end: string }[] {
  const happens = HAPPENS[node];
  if (happens === undefined || trail.length > 30) return [{ trail, end: node }];
  return happens.flatMap((name) => {
    const next = route(EVENTS[name], { revisionsUsed });
    const nodes: Partial<Record<Route["goto"], string>> = {
      revise: "challenge",
      adjudicate: name === "pass" ? "adjudicate PASS" : "adjudicate FAIL",
    };
    return everyDebate(nodes[next.goto] ?? next.goto, next.revisionsUsed, [
      ...trail,
      next.goto === "revise" ? `${name} revise` : name,
    ]);
  });
}

describe("route", () => {
  it.each(NAMES.flatMap((name) => [0, 1, 2].map((used) => [name, used] as const)))(
    "leads from %s with %i revisions used to the place in the table",
    (name, revisionsUsed) => {
      const goto = TABLE[name][revisionsUsed];
      const paid = goto === "revise" ? 1 : 0;
      expect(route(EVENTS[name], { revisionsUsed })).toEqual({ goto, revisionsUsed: revisionsUsed + paid });
    },
  );

  it("ends every possible debate in shipped or halt, with two revisions at most", () => {
    const debates = everyDebate("challenge", 0, []);
    expect(debates.length).toBeGreaterThan(100);
    expect(new Set(debates.map((debate) => debate.end))).toEqual(new Set(["shipped", "halt"]));
    const revisions = debates.map(({ trail }) => trail.filter((name) => name.endsWith("revise")).length);
    expect(new Set(revisions)).toEqual(new Set([0, 1, 2]));
    // Three rounds of challenge, adjudicate, apply, validate and ship.
    expect(Math.max(...debates.map(({ trail }) => trail.length))).toBe(15);
  });

  it("ships nothing that was not approved after its last revision", () => {
    for (const { trail, end } of everyDebate("challenge", 0, [])) {
      const last = trail.slice(trail.findLastIndex((name) => name.endsWith("revise")) + 1).join(" ");
      const approved = /^(pass approve|(pass amend|fail amendOverFail) amended applied) shipped$/.test(last);
      expect([end, approved]).toEqual(end === "shipped" ? ["shipped", true] : ["halt", false]);
    }
  });

  it("never pays for more than two revisions, whatever events come in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...NAMES), { maxLength: 60 }), (names) => {
        let budget = { revisionsUsed: 0 };
        let left = 2;
        const asks: EventName[] = ["fail", "reject", "rejectOverFail", "refused"];
        for (const name of names) {
          const next = route(EVENTS[name], budget);
          const granted = asks.includes(name) && left > 0;
          expect(next.goto === "revise").toBe(granted);
          if (granted) left -= 1;
          budget = next;
          expect(budget.revisionsUsed).toBe(2 - left);
        }
      }),
    );
  });

  it.each([-1, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "throws on %s revisions used",
    (revisionsUsed) => {
      expect(() => route(EVENTS.fail, { revisionsUsed })).toThrow(
        expect.objectContaining({
          code: "usage",
          message: `${revisionsUsed} cannot be the number of revisions used`,
          expected: "a whole number from 0 to 2",
        }),
      );
    },
  );
});

describe("decisionsOpen", () => {
  it("leaves plain approval only over a PASS", () => {
    expect(decisionsOpen("PASS")).toEqual(["APPROVE", "APPROVE_WITH_AMENDMENTS", "REJECT"]);
    expect(decisionsOpen("FAIL")).toEqual(["APPROVE_WITH_AMENDMENTS", "REJECT"]);
  });
});

describe("challengeAgain", () => {
  it.each([
    [0, { goto: "challenge", retriesUsed: 1 }],
    [1, { goto: "challenge", retriesUsed: 2 }],
    [2, { goto: "auto_fail", retriesUsed: 2 }],
  ])("after %i retries goes on as it must", (used, expected) => {
    expect(challengeAgain(used)).toEqual(expected);
  });

  it.each([-1, 3, 1.5, Number.NaN])("throws on %s retries used", (used) => {
    expect(() => challengeAgain(used)).toThrow(`${used} cannot be the number of compliance retries used`);
  });
});
