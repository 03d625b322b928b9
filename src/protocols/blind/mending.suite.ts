// Ways through the blind protocol after tests and code have met: failures, fixes and the reasons to stop fixing.
import { FIX, failing, HONEST } from "./blind.suite.ts";
import { type Scenario, SHAPE, SHIP, stop } from "./scenarios.suite.ts";

const A = failing("a");
const TWO_FAIL = {
  kind: "ran" as const,
  passed: 1,
  failures: [...ofRun(failing("a")), ...ofRun(failing("b"))],
};

/** Worse each time, and no failure comes a third time. */
const WORSE = { ...TWO_FAIL, failures: [...ofRun(failing("a")), ...ofRun(failing("b"))] };
const WORST = { ...TWO_FAIL, failures: ["c", "d", "e"].flatMap((name) => ofRun(failing(name))) };

function ofRun(tested: ReturnType<typeof failing>) {
  return tested.kind === "ran" ? tested.failures : [];
}

const CODE = (hash: string): ReadonlyMap<string, string> => new Map([["slugify", hash]]);

export const MENDING: Scenario[] = [
  {
    name: "a failure is mended",
    play: { answers: { ...HONEST, fix: [FIX] }, tests: [A] },
    way: `${SHAPE} merge validate fix validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "the same failure for the third time",
    play: { answers: { ...HONEST, fix: [FIX, FIX] }, tests: [A, A, A] },
    way: `${SHAPE} merge validate fix validate fix validate halt exit`,
    ends: /The fix loop is stuck on a\./,
  },
  {
    name: "fixes that make it worse twice",
    play: { answers: { ...HONEST, fix: [FIX, FIX] }, tests: [A, WORSE, WORST] },
    way: `${SHAPE} merge validate fix validate fix validate halt exit`,
    ends: /does not converge.*made it worse/,
  },
  {
    name: "the budget of fixes is spent",
    rigor: { base: "standard", maxFixAttempts: 1 },
    play: { answers: { ...HONEST, fix: [FIX] }, tests: [TWO_FAIL, A] },
    way: `${SHAPE} merge validate fix validate halt exit`,
    ends: /After 1 attempts it is still wrong/,
  },
  {
    name: "a fix breaks the build",
    play: {
      answers: { ...HONEST, fix: [FIX] },
      tests: [A, { kind: "broken", errors: ["src/index.ts:3: no such name"] }],
    },
    way: `${SHAPE} merge validate fix validate halt exit`,
    ends: /A fix broke the build: src\/index.ts:3/,
  },
  {
    name: "an implementation that never built is mended like any failure",
    play: { answers: { ...HONEST, fix: [FIX] }, tests: [{ kind: "broken", errors: ["no such name"] }] },
    way: `${SHAPE} merge validate fix validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a run without a report, and one in which nothing ran, are failures",
    play: {
      answers: { ...HONEST, fix: [FIX, FIX] },
      tests: [
        { kind: "no-report", why: "it hung", timedOut: true },
        { kind: "ran", passed: 0, failures: [] },
      ],
    },
    way: `${SHAPE} merge validate fix validate fix validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a fix that touches a test is thrown away, and counts",
    play: {
      answers: { ...HONEST, fix: [FIX, FIX] },
      tests: [A],
      changed: { fix: [["src/index.ts", "test/slugify.test.ts"]] },
    },
    way: `${SHAPE} merge validate fix fix validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a fix that was tried before is refused, until the budget is spent",
    rigor: { base: "standard", maxFixAttempts: 3 },
    play: {
      answers: { ...HONEST, fix: [FIX, FIX, FIX] },
      tests: [TWO_FAIL, A],
      contents: [CODE("one"), CODE("one"), CODE("one")],
    },
    way: `${SHAPE} merge validate fix validate fix fix halt exit`,
    ends: /After 3 attempts it is still wrong\. Attempt 3 was thrown away: the code of slugify is what was tried before/,
  },
  {
    name: "a fixer that changes nothing, and then is blocked",
    play: { answers: { ...HONEST, fix: [FIX, stop("fix")] }, tests: [A], idle: ["fix 1"] },
    way: `${SHAPE} merge validate fix fix halt exit`,
    ends: /fix ended with blocked/,
  },
];
