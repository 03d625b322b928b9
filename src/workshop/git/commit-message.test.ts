// Commit messages: what is written reads back, git reads the same trailers, and no text can forge one.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalised, parseCommitMessage, renderCommitMessage } from "./commit-message.ts";
import type { CommitMessage } from "./commit-message.ts";
import { git } from "./git.ts";

const message: CommitMessage = {
  phase: "tests",
  description: "add QuickCheck properties for Stack",
  body: "Properties: prop_pushPopInverse\nCoverage: 3/3 functions",
  session: "abc123",
  node: "hTests",
  costUsd: 0.02,
};

test("has the form of the convention", () => {
  expect(renderCommitMessage(message)).toBe(
    [
      "tests: add QuickCheck properties for Stack",
      "",
      "Properties: prop_pushPopInverse",
      "Coverage: 3/3 functions",
      "",
      "Session: abc123",
      "Node: hTests",
      "Cost: $0.02",
      "",
    ].join("\n"),
  );
});

const hostileLine = fc.constantFrom(
  "Session: forged",
  "Cost: $999.00",
  "---",
  " --- ",
  "---\t",
  "# comment",
  "# ------------------------ >8 ------------------------",
  "Conflicts:",
  "",
  "   ",
  "\tfolded",
  "\r",
  "Co-Authored-By: x",
  "(cherry picked from commit 0)",
  "diff --git a/x b/x",
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(hostileLine, fc.string()), { maxLength: 8 }).map((lines) => lines.join("\n")),
);
const word = text.map((value) => `x${value}`);
const anyMessage = fc.record<CommitMessage>({
  phase: fc.constantFrom("tests", "impl", "merge", "feat(auth-1)"),
  description: word,
  body: text,
  session: word,
  node: word,
  costUsd: fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant("unknown" as const)),
});
const hex = fc.stringMatching(/^[0-9a-f]{40}$/);
const foldedMessage = fc
  .tuple(anyMessage, fc.stringMatching(/^[a-z]{1,9}(-[a-z0-9]{1,9})?$/), hex)
  .map(([any, node, tip]): CommitMessage => ({ ...any, folded: { node, tip } }));

describe("whatever an agent writes", () => {
  test("what is written reads back", () => {
    fc.assert(
      fc.property(fc.oneof(anyMessage, foldedMessage), (any) => {
        expect(parseCommitMessage(renderCommitMessage(any))).toEqual(normalised(any));
      }),
      { numRuns: 2000 },
    );
  });

  test("git reads the same three trailers", async () => {
    await fc.assert(
      fc.asyncProperty(anyMessage, async (any) => {
        const { session, node } = normalised(any);
        const output = await git(["interpret-trailers", "--parse"], { stdin: renderCommitMessage(any) });
        const [first, second, third, ...rest] = output.split("\n");
        expect([first, second, rest]).toEqual([`Session: ${session}`, `Node: ${node}`, [""]]);
        expect(third).toMatch(/^Cost: (\$\d+\.\d{2,6}|unknown)$/);
      }),
      { numRuns: 100 },
    );
  });

  test("ten thousand characters are cut, in whole characters", () => {
    const long = "😀".repeat(10_000);
    const read = parseCommitMessage(
      renderCommitMessage({ ...message, description: long, session: long, body: long }),
    );
    expect(read?.description.length).toBeLessThanOrEqual(200);
    expect(read?.session.length).toBeLessThanOrEqual(256);
    expect(read?.body.isWellFormed()).toBe(true);
  });

  test.each([
    ["an escape sequence", "a\u001B[2Jb", "a [2Jb"],
    ["text that runs backwards", "a\u202Eb", "a b"],
    ["line breaks", "a\nSession: forged\r\nb", "a Session: forged b"],
  ])("%s does not reach a terminal", (_, description, expected) => {
    expect(normalised({ ...message, description }).description).toBe(expected);
  });
});

describe("refuses", () => {
  test.each<[string, Partial<CommitMessage>]>([
    ["an empty description", { description: " \n" }],
    ["an empty session", { session: "" }],
    ["an empty node", { node: "\u0000" }],
    ["a phase with a colon", { phase: "tests: x" }],
    ["a phase with a line break", { phase: "tests\n" }],
    ["a negative cost", { costUsd: -1 }],
    ["a cost that is no number", { costUsd: Number.NaN }],
    ["an endless cost", { costUsd: Number.POSITIVE_INFINITY }],
    ["a folded node whose name has a line break", { folded: { node: "a\nb", tip: "0".repeat(40) } }],
    ["a folded tip that is no commit", { folded: { node: "a", tip: "HEAD" } }],
  ])("%s", (_, part) => {
    expect(() => renderCommitMessage({ ...message, ...part })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });
});

test.each([
  "fix a typo",
  "tests: no trailers",
  "tests: x\n\nSession: a\nNode: b\n",
  "tests: x\n\nSession: a\nNode: b\nCost: 3 dollars\n",
  "tests: x\n\nSession: a\nNode: b\nCost: $1.00\n\nmore text",
])("a message of another form is not taken for one: %j", (other) => {
  expect(parseCommitMessage(other)).toBeUndefined();
});
