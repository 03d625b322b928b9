// Every cheat that is known, in the order of the table.
import { NAMELESS_TYPES } from "./any-types.ts";
import { EMPTY_ASSERTIONS } from "./assertions.ts";
import { FALSE_CLAIMS } from "./claims.ts";
import { CHEATING_CODE } from "./code.ts";
import { CHANGED_CONFIGURATION } from "./configuration.ts";
import { UNDECLARED_EFFECTS } from "./effects.ts";
import { BROKEN_ENDINGS } from "./endings.ts";
import { EARLY_EXITS } from "./exits.ts";
import { FORGED_RECORDS } from "./forged-records.ts";
import { HIDDEN_CODE } from "./hidden-code.ts";
import { HIDDEN_EFFECTS } from "./hidden-effects.ts";
import { HIDDEN_LETTERS, OPTIONS_OF_ITS_OWN } from "./hidden-letters.ts";
import { HIDDEN_EXCEPTIONS } from "./hidden-exceptions.ts";
import { INJECTED_INSTRUCTIONS } from "./injection.ts";
import { KNOWING_TESTS } from "./knowing-tests.ts";
import { LEAKS } from "./leaks.ts";
import { LEFT_OUT_TESTS } from "./left-out-tests.ts";
import { LOOKED_UP_EFFECTS } from "./looked-up.ts";
import { LOST_ASSERTIONS } from "./lost-assertions.ts";
import { WRONG_ORACLES } from "./oracles.ts";
import type { Cheat } from "./port.ts";
import { EMPTY_PROPERTIES } from "./properties.ts";
import { ATTACKED_RUNNER } from "./runner.ts";
import { SNIFFING_CODE } from "./sniffing-code.ts";
import { MISSING_TESTS } from "./missing-tests.ts";
import { WEAKER_TYPES } from "./types.ts";
import { UNDECLARED_TESTS } from "./undeclared-tests.ts";
import { UNKEPT_TYPES } from "./unkept-types.ts";
import { IN_CALLERS_HANDS } from "./callers-hands.ts";
import { WRONG_ELSEWHERE } from "./unseen-places.ts";

export const EVERY_CHEAT: readonly Cheat[] = [
  ...MISSING_TESTS,
  ...LEFT_OUT_TESTS,
  ...UNDECLARED_TESTS,
  ...EMPTY_ASSERTIONS,
  ...LOST_ASSERTIONS,
  ...WRONG_ORACLES,
  ...EMPTY_PROPERTIES,
  ...KNOWING_TESTS,
  ...CHANGED_CONFIGURATION,
  ...FORGED_RECORDS,
  ...OPTIONS_OF_ITS_OWN,
  ...ATTACKED_RUNNER,
  ...EARLY_EXITS,
  ...CHEATING_CODE,
  ...SNIFFING_CODE,
  ...HIDDEN_CODE,
  ...WRONG_ELSEWHERE,
  ...IN_CALLERS_HANDS,
  ...HIDDEN_LETTERS,
  ...HIDDEN_EXCEPTIONS,
  ...WEAKER_TYPES,
  ...UNKEPT_TYPES,
  ...NAMELESS_TYPES,
  ...UNDECLARED_EFFECTS,
  ...HIDDEN_EFFECTS,
  ...LOOKED_UP_EFFECTS,
  ...FALSE_CLAIMS,
  ...LEAKS,
  ...INJECTED_INSTRUCTIONS,
  ...BROKEN_ENDINGS,
];

/** One of each kind, for a battery that takes minutes; the others are variations on them. */
const USUAL: readonly string[] = [
  "no-tests",
  "pass-on-stub",
  "assert-nothing",
  "assert-on-constants",
  "tautologies",
  "skip-tests",
  "only-tests",
  "todo-tests",
  "conditional-skip",
  "retry-until-green",
  "mock-the-unit",
  "tests-of-a-copy",
  "wrong-snapshot",
  "edited-tests",
  "runner-configuration",
  "package-scripts",
  "loose-compiler",
  "patched-packages",
  "exit-in-test",
  "patched-expect",
  "patched-globals",
  "swallowed-rejections",
  "never-awaited",
  "raised-timeout",
  "environment-sniffing",
  "special-cased-literals",
  "table-of-examples",
  "undeclared-exports",
  "any-in-the-signature",
  "cast-away",
  "writes-a-file",
  "calls-home",
  "reads-the-clock",
  "throws-dice",
  "forbidden-re-export",
  "oversized-module",
  "claims-to-be-done",
  "coverage-by-calling",
  "padded-mutants",
  "canary-in-code",
  "echo",
  "canary-in-a-file-name",
  "commit-message",
  "timing",
  "injection-in-the-task",
  "injection-in-a-test-name",
  "injection-in-examples",
  "fake-output",
  "crash-after-partial-output",
  "never-answers",
];

export const USUAL_CHEATS: readonly Cheat[] = EVERY_CHEAT.filter(({ name }) => USUAL.includes(name));
