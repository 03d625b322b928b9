// Ways through the gatekeeper protocol, as data: what everybody does, which nodes that leads to, and how it ends.
import { SHIPS } from "../played-ports.suite.ts";
import {
  APPROVED,
  BUILT,
  failing,
  type GatekeeperPlay,
  HONEST,
  OBJECTED,
  refusedBy,
  RESEARCH,
  SHORT,
  SPEC,
  stop,
  TESTS,
  THIN,
} from "./gatekeeper.suite.ts";

export interface Scenario {
  name: string;
  play: GatekeeperPlay;
  /** The nodes that were started, in order. */
  way: string;
  /** What shipped, or what the person is told. */
  ends: "shipped" | RegExp;
}

const SHAPE = "research architect lay_out";
const MAKE = `${SHAPE} build test judge`;
const SHIP = "verify challenge ship exit";
const END = "halt exit";
const THREE = [BUILT, BUILT, BUILT];
const SUITES = [TESTS, TESTS, TESTS];
const STRAY = ["test/slugify.test.ts"];
const WEAK = refusedBy(
  "red-on-skeleton",
  "modules/slugify/test/a.test.ts:1: cuts words passes (green-on-stubs)",
);
const LEAKY = refusedBy("static", "modules/slugify/src/index.ts:1: imports child_process (forbidden-import)");
const REFUSED = { kind: "refused" as const, findings: ["regression: an old test fails"] };

const SHAPING: Scenario[] = [
  {
    name: "everybody does what is asked",
    play: { answers: HONEST },
    way: `${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "research without an edge goes back, and is mended",
    play: { answers: { ...HONEST, researcher: [THIN, RESEARCH] } },
    way: `research ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "research is unsound three times",
    play: { answers: { researcher: [THIN, THIN, THIN] } },
    way: `research research research ${END}`,
    ends: /After 3 attempts the research is still unsound: there is no edge_case/,
  },
  {
    name: "the researcher gives up",
    play: { answers: { researcher: [stop("researcher")] } },
    way: `research ${END}`,
    ends: /researcher ended with blocked/,
  },
  {
    name: "a specification that drops an example goes back",
    play: { answers: { ...HONEST, architect: [SHORT, SPEC] } },
    way: `research architect ${MAKE.slice("research ".length)} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a contract that cannot be built three times",
    play: {
      answers: { ...HONEST, architect: [SPEC, SPEC, SPEC] },
      inspections: [["stubs do not compile"], ["stubs do not compile"], ["stubs do not compile"]],
    },
    way: `research architect architect architect ${END}`,
    ends: /still cannot be built on: stubs do not compile/,
  },
  {
    name: "the architect gives up",
    play: { answers: { ...HONEST, architect: [stop("architect")] } },
    way: `research architect ${END}`,
    ends: /architect ended with blocked/,
  },
];

const BUILDING: Scenario[] = [
  {
    name: "a builder that edits a test loses its work, and does it again",
    play: { answers: { ...HONEST, builder_gated: [BUILT, BUILT] }, changes: [STRAY] },
    way: `${SHAPE} build build test judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a builder that writes nothing three times",
    play: {
      answers: { ...HONEST, builder_gated: THREE },
      work: [{ kind: "nothing" }, { kind: "nothing" }, { kind: "refused", problems: ["src/x: a link"] }],
    },
    way: `${SHAPE} build build build ${END}`,
    ends: /the code is still wrong: src\/x: a link/,
  },
  {
    name: "the builder gives up",
    play: { answers: { ...HONEST, builder_gated: [stop("builder")] } },
    way: `${SHAPE} build ${END}`,
    ends: /builder ended with blocked/,
  },
  {
    name: "wrong twice, then right: the tests are there already",
    play: { answers: { ...HONEST, builder_gated: THREE }, tests: [failing(), failing()] },
    way: `${MAKE} build judge build judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "wrong three times",
    play: { answers: { ...HONEST, builder_gated: THREE }, tests: [failing(), failing(), failing()] },
    way: `${MAKE} build judge build judge ${END}`,
    ends: /the code is still wrong: cuts words: calls slugify; for \["a\\tb"\]; expected "a-b"; got "a\\tb"/,
  },
  {
    name: "code that does not build, then code that never ends",
    play: {
      answers: { ...HONEST, builder_gated: THREE },
      tests: [
        { kind: "broken", errors: ["src/index.ts:1: no"] },
        { kind: "no-report", why: "too late", timedOut: true },
      ],
    },
    way: `${MAKE} build judge build judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a gate finds something that the code can mend",
    play: {
      answers: { ...HONEST, builder_gated: [BUILT, BUILT] },
      examined: [refusedBy("examples", "examples.md:3: gives 2 (wrong)")],
    },
    way: `${MAKE} build judge ${SHIP}`,
    ends: "shipped",
  },
];

const TESTING: Scenario[] = [
  {
    name: "tests that pass on stubs go back to the tester, and the code is not built twice",
    play: { answers: { ...HONEST, tester: SUITES }, believed: [WEAK] },
    way: `${MAKE} test judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "tests that overlook mutants go back to the tester",
    play: {
      answers: { ...HONEST, tester: SUITES },
      examined: [refusedBy("mutation", "modules/slugify/src/index.ts:2: survives (critical-survivor)")],
    },
    way: `${MAKE} test judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a skipped test goes back to the tester",
    play: { answers: { ...HONEST, tester: SUITES }, tests: [failing("cuts words", "ParseError")] },
    way: `${MAKE} test judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "tests are weak three times",
    play: { answers: { ...HONEST, tester: SUITES }, believed: [WEAK, WEAK, WEAK] },
    way: `${MAKE} test judge test judge ${END}`,
    ends: /its tests still do not count: red-on-skeleton/,
  },
  {
    name: "a tester that edits the code loses its work, three times",
    play: {
      answers: { ...HONEST, tester: SUITES },
      changes: [[], ["src/index.ts"], ["src/index.ts"], ["src/index.ts"]],
    },
    way: `${SHAPE} build test test test ${END}`,
    ends: /src\/index\.ts is not yours to change/,
  },
  {
    name: "the tester gives up",
    play: { answers: { ...HONEST, tester: [stop("tester")] } },
    way: `${SHAPE} build test ${END}`,
    ends: /tester ended with blocked/,
  },
  {
    name: "something critical ends it at once",
    play: { answers: HONEST, examined: [LEAKY] },
    way: `${MAKE} ${END}`,
    ends: /no revision makes good: static: .*child_process/,
  },
  {
    name: "something critical ends it at once, also where tests fail",
    play: { answers: HONEST, tests: [failing()], quick: [LEAKY] },
    way: `${MAKE} ${END}`,
    ends: /no revision makes good: static: .*child_process/,
  },
  {
    name: "a report that cannot be believed",
    play: {
      answers: HONEST,
      tests: [{ kind: "no-report", why: "the report is not signed", timedOut: false }],
    },
    way: `${MAKE} ${END}`,
    ends: /the report cannot be believed: the report is not signed/,
  },
  {
    name: "code and tests that changed the same file",
    play: { answers: HONEST, merges: [{ kind: "conflict", files: ["src/index.ts"] }] },
    way: `${MAKE} ${END}`,
    ends: /code and tests both changed src\/index\.ts/,
  },
];

const SHIPPING: Scenario[] = [
  {
    name: "the verifier objects once",
    play: { answers: { ...HONEST, builder_gated: [BUILT, BUILT], verifier: [OBJECTED, APPROVED] } },
    way: `${MAKE} verify challenge build judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "the verifier objects three times",
    play: { answers: { ...HONEST, builder_gated: THREE, verifier: [OBJECTED, OBJECTED, OBJECTED] } },
    way: `${MAKE} verify challenge build judge verify challenge build judge verify challenge ${END}`,
    ends: /a tab stays in the slug/,
  },
  {
    name: "the verifier gives up",
    play: { answers: { ...HONEST, verifier: [stop("verifier")] } },
    way: `${MAKE} verify ${END}`,
    ends: /verifier ended with blocked/,
  },
  {
    name: "a module that nobody could read goes back, and no verifier is asked",
    play: { answers: { ...HONEST, builder_gated: [BUILT, BUILT] }, reads: ["make it smaller"] },
    way: `${MAKE} verify challenge build judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "the door refuses once",
    play: {
      answers: { ...HONEST, builder_gated: [BUILT, BUILT], verifier: [APPROVED, APPROVED] },
      ships: [REFUSED, SHIPS],
    },
    way: `${MAKE} verify challenge ship build judge ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "the door is closed for good",
    play: {
      answers: HONEST,
      ships: [{ kind: "barred", why: "MM-slugify@1.0.0 has shipped with other content" }],
    },
    way: `${MAKE} verify challenge ship ${END}`,
    ends: /other content/,
  },
];

export const SCENARIOS: Scenario[] = [...SHAPING, ...BUILDING, ...TESTING, ...SHIPPING];
