// Ways through the blind protocol once the tests pass: survivors, gates, canaries and the door.
import { certificateOf } from "../../domain/evidence/blindness-certificate.ts";
import type { Mutant } from "../../domain/evidence/mutant.ts";
import { HELD } from "../played-ports.suite.ts";
import type { Examination } from "../seen.ts";
import { FIX, failing, HONEST, PASSED, refusedBy, type Setting, TESTS } from "./blind.suite.ts";
import { JUDGE, type Scenario, SHAPE, SHIP, stop } from "./scenarios.suite.ts";

const A = failing("a");
const MUTANT: Mutant = {
  id: "7",
  file: "src/index.ts",
  line: 3,
  function: "slugify",
  operator: "ArithmeticOperator",
  kind: "ChangedOperator",
  original: "a + b",
  replacement: "a - b",
  status: "survived",
  killedBy: [],
};
const CRITICAL: Mutant = { ...MUTANT, operator: "ConditionalExpression", kind: "RemovedCheck" };
const SKETCH = { name: "blankThrows", description: "d", invariant: "blank titles throw", type: "Boundary" };
export const GAPS = {
  equivalent: [],
  gaps: [
    { mutant: "7", function: "slugify", whyDangerous: "w", missingTest: "no blank title", suggested: SKETCH },
  ],
  analysis: "one gap",
};
const COVERING = {
  ...TESTS,
  properties: [
    ...TESTS.properties,
    { ...TESTS.properties[0], name: "blank titles throw", coversSketch: "blankThrows" },
  ],
};
const ADVISORY: Setting["rigor"] = { base: "standard", mutation: { blocking: false } };

function surviving(mutant: Mutant, examination: Examination = PASSED): Examination {
  return { ...examination, survivors: [mutant] };
}

const SURVIVED = surviving(MUTANT, refusedBy("mutation", "1 of 2 mutants survived (survivor)"));
const AGAIN = `verify_tdd merge validate post_validate`;

export const ATTACKING: Scenario[] = [
  {
    name: "survivors block: tests are added first, verified, and then the code has to pass them",
    play: {
      answers: { ...HONEST, tests: [TESTS, COVERING], mutation_adversary: [GAPS], fix: [FIX] },
      examined: [SURVIVED],
      tests: [{ kind: "ran", passed: 3, failures: [] }, A],
    },
    way: `${SHAPE} merge validate post_validate mutation_adversary mutation_fix verify_tdd merge validate fix validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a critical survivor blocks although mutation only advises",
    rigor: ADVISORY,
    play: {
      answers: { ...HONEST, tests: [TESTS, COVERING], mutation_adversary: [GAPS] },
      examined: [surviving(CRITICAL)],
    },
    way: `${SHAPE} merge validate post_validate mutation_adversary mutation_fix ${AGAIN} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "other survivors advise: nobody waits, and the result has what the adversary said",
    rigor: ADVISORY,
    play: { answers: { ...HONEST, mutation_adversary: [GAPS] }, examined: [surviving(MUTANT)] },
    way: `${SHAPE} ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "an adviser that is blocked holds nobody up",
    rigor: ADVISORY,
    play: {
      answers: { ...HONEST, mutation_adversary: [stop("mutation_adversary")] },
      examined: [surviving(MUTANT)],
    },
    way: `${SHAPE} ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "survivors that stay after two rounds",
    play: {
      answers: { ...HONEST, tests: [TESTS, COVERING, COVERING], mutation_adversary: [GAPS, GAPS] },
      examined: [SURVIVED, SURVIVED, SURVIVED],
    },
    way: `${SHAPE} merge validate post_validate mutation_adversary mutation_fix ${AGAIN} mutation_adversary mutation_fix ${AGAIN} halt exit`,
    ends: /After 2 rounds mutants still survive/,
  },
  {
    name: "the mutation adversary is blocked",
    play: { answers: { ...HONEST, mutation_adversary: [stop("mutation_adversary")] }, examined: [SURVIVED] },
    way: `${SHAPE} merge validate post_validate mutation_adversary halt exit`,
    ends: /mutation_adversary ended with blocked/,
  },
  {
    name: "an adversary that calls every survivor equivalent decides nothing",
    play: {
      answers: {
        ...HONEST,
        mutation_adversary: [
          { equivalent: [{ mutant: "7", reason: "unlikely" }], gaps: [], analysis: "fine" },
        ],
      },
      examined: [SURVIVED],
    },
    way: `${SHAPE} merge validate post_validate mutation_adversary halt exit`,
    ends: /mutants still survive: all are called equivalent/,
  },
  {
    name: "lines that no test runs need tests, not an adversary",
    play: {
      answers: { ...HONEST, tests: [TESTS, TESTS] },
      examined: [{ ...PASSED, findings: ["coverage: 60 % of the lines"] }],
    },
    way: `${SHAPE} merge validate post_validate mutation_fix ${AGAIN} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a tester that is blocked when survivors come back to it",
    play: {
      answers: { ...HONEST, tests: [TESTS, stop("tests")], mutation_adversary: [GAPS] },
      examined: [SURVIVED],
    },
    way: `${SHAPE} merge validate post_validate mutation_adversary mutation_fix halt exit`,
    ends: /tests ended with blocked/,
  },
  {
    name: "what the gates find in the code is mended by the fixer",
    play: {
      answers: { ...HONEST, fix: [FIX] },
      examined: [refusedBy("static", "a forbidden import")],
    },
    way: `${SHAPE} merge validate post_validate fix validate post_validate ${SHIP}`,
    ends: "shipped",
  },
];

export const LEAK = certificateOf({
  ...withoutResult(HELD),
  leaks: [
    {
      kind: "transcript",
      name: "tests 1",
      of: "impl-1",
      path: "transcript.jsonl",
      disguise: "plain",
      offset: 3,
    },
  ],
});

function withoutResult(certificate: typeof HELD) {
  const { result, doubts, ...facts } = certificate;
  return result === "held" && doubts.length === 0 ? facts : fail();
}

function fail(): never {
  throw new Error("the certificate to begin with is not clean");
}

export const SHIPPING: Scenario[] = [
  {
    name: "a canary on the wrong side",
    play: { answers: HONEST, certificates: [LEAK] },
    way: `${SHAPE} merge validate post_validate certify halt exit`,
    ends: /The barrier between tests and implementation was broken 1 times/,
  },
  {
    name: "the door refuses, and what it found is mended",
    play: {
      answers: { ...HONEST, fix: [FIX] },
      ships: [{ kind: "refused", findings: ["surface: another name"] }],
    },
    way: `${SHAPE} merge validate post_validate certify challenge ship fix validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "the door refuses and nothing is left to mend it with",
    rigor: { base: "standard", maxFixAttempts: 0 },
    play: { answers: HONEST, ships: [{ kind: "refused", findings: ["surface: another name"] }] },
    way: `${SHAPE} merge validate post_validate certify challenge ship halt exit`,
    ends: /the harness still refuses the work: surface: another name/,
  },
  {
    name: "something else has shipped in its place",
    play: { answers: HONEST, ships: [{ kind: "barred", why: "MM-slugify@1.0.0 has shipped" }] },
    way: `${SHAPE} merge validate post_validate certify challenge ship halt exit`,
    ends: /The module was made, but MM-slugify@1.0.0 has shipped/,
  },
];
