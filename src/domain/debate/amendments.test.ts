import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyAmendments } from "./amendments.ts";
import { isVague, vagueness } from "./vagueness.ts";
import type { Amendment, AppliedAmendment } from "./debate-records.ts";

const ACTIONS = ["MODIFY", "ADD", "REMOVE"] as const;

function amendment(action: Amendment["action"], target: string, detail = "Return EmptyText"): Amendment {
  return { action, target, detail };
}

function done(amendment_index: number, note = ""): AppliedAmendment {
  return { amendment_index, applied: true, note };
}

function deliverable(parts: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(parts));
}

function holding(text: string | undefined): Map<string, string> {
  return deliverable(text === undefined ? { other: "1" } : { x: text, other: "2" });
}

describe("verifyAmendments", () => {
  const before = deliverable({ parse: "1", print: "1", "rejects blank text": "1" });

  it("accepts what was asked for, was done and can be seen", () => {
    const asked = [amendment("MODIFY", "parse"), amendment("ADD", "trim"), amendment("REMOVE", "print")];
    const after = deliverable({ parse: "2", trim: "1", "rejects blank text": "1" });
    expect(verifyAmendments(asked, [done(2), done(0), done(1)], before, after)).toEqual({ kind: "applied" });
  });

  it.each([
    ["MODIFY", "parse", { parse: "1" }, '"parse" is unchanged'],
    ["MODIFY", "parse", { print: "1" }, '"parse" was removed instead of modified'],
    ["MODIFY", "trim", { trim: "1" }, '"trim" did not exist, so it cannot have been modified'],
    ["ADD", "parse", { parse: "2" }, '"parse" existed already, so it cannot have been added'],
    ["ADD", "trim", { parse: "1" }, '"trim" was not added'],
    ["REMOVE", "parse", { parse: "2" }, '"parse" is still there'],
    ["REMOVE", "trim", {}, '"trim" did not exist, so it cannot have been removed'],
    ["MODIFY", "constructor", {}, '"constructor" did not exist, so it cannot have been modified'],
  ] as const)("does not believe that %s %s was done when it was not", (action, target, after, reason) => {
    const asked = amendment(action, target);
    expect(verifyAmendments([asked], [done(0, "Done.")], before, deliverable(after))).toEqual({
      kind: "unapplied",
      unapplied: [{ amendment_index: 0, amendment: asked, reason, note: "Done." }],
    });
  });

  it("passes on the Proposer's explanation of what it could not do, whatever the difference shows", () => {
    const asked = [amendment("ADD", "trim"), amendment("MODIFY", "parse")];
    const after = deliverable({ parse: "2", trim: "1" });
    const applied = [done(0), { amendment_index: 1, applied: false, note: "It contradicts the contract." }];
    expect(verifyAmendments(asked, applied, before, after)).toEqual({
      kind: "unapplied",
      unapplied: [
        {
          amendment_index: 1,
          amendment: asked[1],
          reason: "the Proposer could not apply it",
          note: "It contradicts the contract.",
        },
      ],
    });
  });

  it.each([
    [[], [[0, "the Proposer left no record of it"]]],
    [[done(0), done(0)], [[0, "the Proposer left 2 records of it"]]],
    [[done(0), { ...done(0), applied: false }], [[0, "the Proposer left 2 records of it"]]],
    [[done(0), done(1)], [[1, "there is no amendment 1"]]],
    [[done(0), done(-1)], [[-1, "there is no amendment -1"]]],
    [
      [done(0.5)],
      [
        [0, "the Proposer left no record of it"],
        [0.5, "there is no amendment 0.5"],
      ],
    ],
  ])("wants exactly one record of each amendment: %j", (applied, expected) => {
    const check = verifyAmendments([amendment("ADD", "trim")], applied, before, deliverable({ trim: "1" }));
    const unapplied = check.kind === "applied" ? [] : check.unapplied;
    expect(unapplied.map((found) => [found.amendment_index, found.reason])).toEqual(expected);
  });

  it("passes on no explanation where none was given", () => {
    const check = verifyAmendments([amendment("ADD", "trim")], [done(0, " ")], before, before);
    expect(check).toEqual({
      kind: "unapplied",
      unapplied: [
        { amendment_index: 0, amendment: amendment("ADD", "trim"), reason: '"trim" was not added' },
      ],
    });
  });

  it("cannot be satisfied with contradictory amendments", () => {
    const asked = [amendment("ADD", "trim"), amendment("REMOVE", "trim")];
    for (const after of [{ trim: "1" }, {}]) {
      expect(verifyAmendments(asked, [done(0), done(1)], before, deliverable(after)).kind).toBe("unapplied");
    }
  });

  it("throws when there is nothing to verify", () => {
    expect(() => verifyAmendments([], [], before, before)).toThrow("there are no amendments to verify");
  });

  it("agrees with a truth table over what was there before and is there after", () => {
    const text = fc.constantFrom("1", "2", undefined);
    const truth: Record<Amendment["action"], string[]> = {
      MODIFY: ["1→2", "2→1"],
      ADD: ["undefined→1", "undefined→2"],
      REMOVE: ["1→undefined", "2→undefined"],
    };
    fc.assert(
      fc.property(fc.constantFrom(...ACTIONS), text, text, (action, was, is) => {
        const { kind } = verifyAmendments([amendment(action, "x")], [done(0)], holding(was), holding(is));
        expect(kind === "applied").toBe(truth[action].includes(`${was}→${is}`));
      }),
    );
  });
});

describe("isVague", () => {
  it.each([
    "improve error handling",
    "Improve the error handling.",
    "add more tests",
    "Please make it better and more robust",
    "clean up the code",
    "fix the bug",
    "handle edge cases properly",
    "improve parseDate",
    "parseDate should be improved",
    "make it faster",
    "IMPROVE ERROR HANDLING",
    "improve determinism",
    "Determinism! More determinism!",
    "TBD",
    "…",
    "Refactor for readability and maintainability",
  ])("calls it vague to modify parseDate by %j", (detail) => {
    expect(vagueness(amendment("MODIFY", "parseDate", detail))).toEqual({
      field: "detail",
      expected: "the exact change, in words that would not fit any other code",
      found: detail,
    });
    expect(isVague(amendment("ADD", "parseDate", detail))).toBe(true);
  });

  it.each([
    "Return EmptyText when the text is blank",
    "add a test for EmptyText",
    "sort ascending",
    "Accept at most 20 entries",
    "check max_length",
    "handle utf8",
    "Leere Eingaben ablehnen",
    "空の文字列を 拒否する",
  ])("lets %j stand", (detail) => {
    expect(isVague(amendment("MODIFY", "parseDate", detail))).toBe(false);
  });

  it.each(["the code", "Everything", "error handling", "all the tests", "TBD", "→"])(
    "wants a target with a name, not %j",
    (target) => {
      for (const action of ACTIONS) {
        expect(vagueness(amendment(action, target))).toEqual({
          field: "target",
          expected: "the name of one function, contract field, test or file",
          found: target,
        });
      }
    },
  );

  it.each(["add", "validate", "handles errors", "error_surfaces", "src/index.ts", "inputs.0.constraints.1"])(
    "takes %j for a name",
    (target) => expect(isVague(amendment("MODIFY", target))).toBe(false),
  );

  it("lets a removal be brief, but not empty", () => {
    expect(isVague(amendment("REMOVE", "parseDate", "remove it"))).toBe(false);
    expect(isVague(amendment("REMOVE", "parseDate", "n/a"))).toBe(true);
  });
});
