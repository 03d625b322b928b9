import { expect, test } from "vitest";
import { RoleCallOutcome } from "../../domain/agent/role-call-outcome.ts";
import { exitStatusOfCall } from "../exit-codes.ts";
import { renderBeginning, renderEnding } from "./ask-text.ts";

const ABOUT = {
  role: "proposer",
  runtime: "model",
  model: "a:b",
  tools: ["read", "ls"],
  run: "r-1",
  project: "/home/a b",
  temporary: false,
} as const;
const SPENT = { usage: "unknown", costUsd: "unknown", asked: 2, transcriptRef: null } as const;
const REF = `sha256:${"a".repeat(64)}`;
const request = { kind: "request_retry", why: "one test fails", strategy: "another algorithm" };

test("who is asked, with what, and where it is kept", () => {
  expect(renderBeginning(ABOUT, undefined)).toBe(
    "asking the proposer: a:b, runtime model; tools: read, ls\nrun r-1, kept in /home/a b",
  );
});

/** Those that no script can play quickly; the others are played in test/cli-ask.test.ts. */
test.each([
  [
    { kind: "stuck", request },
    21,
    "✕ the proposer wants another attempt: one test fails\n  it would: another",
  ],
  [{ kind: "retry", request }, 21, "✕ the proposer wants another attempt"],
  [{ kind: "timed-out", why: "silent" }, 25, "✕ the proposer took too long: silent"],
  [{ kind: "unavailable", why: "429" }, 26, "✕ the proposer could not be asked: 429"],
  [{ kind: "aborted" }, 130, "✕ the proposer was stopped\n"],
])("%j", (ending, status, text) => {
  const outcome = RoleCallOutcome.parse({ ...ending, ...SPENT });
  const lines = renderEnding(ABOUT, outcome, { ms: 1234, directory: "/" });
  expect(lines).toContain(text);
  expect(lines).toContain("\n  tokens unknown · cost unknown · asked 2 times · 1.2 s");
  expect(exitStatusOfCall(outcome.kind)).toBe(status);
});

test("costs are never rounded to nothing, and the way to the transcript can be typed as it stands", () => {
  const spent = {
    usage: { inputTokens: 1, outputTokens: 2 },
    costUsd: 0.000_004,
    asked: 1,
    transcriptRef: REF,
  };
  const outcome = RoleCallOutcome.parse({ kind: "refused", why: "no", ...spent });
  const text = renderEnding(ABOUT, outcome, { ms: 0, directory: "/" });
  expect(text).toContain("  1 token read, 2 written · $0.0001 · asked 1 time · 0.0 s\n");
  expect(text).toContain(`  transcript: cd '/home/a b' && cupel store show ${REF}\n`);
  const there = renderEnding(ABOUT, outcome, { ms: 0, directory: "/home/a b" });
  expect(there).toContain(`  transcript: cupel store show ${REF}\n`);
});

test("a task's and a role's caps are named as they are set", () => {
  const cap = { unit: "usd", cap: 1, spent: 0.5, reserved: 0, asked: 1.12 };
  const text = (change: object) => {
    const outcome = RoleCallOutcome.parse({ kind: "over-budget", cap: { ...cap, ...change }, ...SPENT });
    return renderEnding(ABOUT, outcome, { ms: 0, directory: "/" });
  };
  expect(text({ scope: "task", subject: "T-a-001" })).toContain("next: raise budget.task.usd in cupel");
  expect(text({ scope: "role", subject: "arbiter" })).toContain("next: raise roles.arbiter.budget.usd in");
});
