// Looks at both sides' work before it comes together: each kept to its own files, every test is red on stubs because of
// them, every claim is true, and every sketch has a test.
import { coverageOf } from "../../domain/blind/suite-coverage.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { Stop } from "../outcome.ts";
import type { ProtocolPorts } from "../port.ts";
import { claimsIn } from "./candidate.ts";
import { conflict, fixesExhausted, halted } from "./halt.ts";
import { openFindings } from "../open-findings.ts";
import { flavoursOf, strayCode, strayTests } from "./settings.ts";
import { present } from "../present.ts";
import type { BlindState, BlindUpdate, Implementation, Suite } from "./state.ts";

type Going<Next extends string> = Promise<{ update: BlindUpdate; goto: Next }>;

/** Where the two ways meet: who stopped is told, before anything is judged. */
export function join(state: BlindState): { update: BlindUpdate; goto: "verify_tdd" | "halt" } {
  const stop = stopOfWriters(state);
  return stop === undefined ? { update: {}, goto: "verify_tdd" } : halted(state, stoppedBy(stop));
}

/** The first of the two sides that could not do its work. */
export function stopOfWriters({ testsEnding, implEnding }: BlindState): Stop | undefined {
  return [testsEnding, implEnding].flatMap((ending) => (ending.kind === "stopped" ? [ending.stop] : []))[0];
}

export async function verifyTdd(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Going<"merge" | "tests_reject" | "redo_impl" | "halt"> {
  const skeleton = present(state.skeleton, "skeleton");
  const suites = await Promise.all(
    state.suites.map((suite) => checkedPaths(suite, skeleton, ports, context)),
  );
  if (suites.some(({ findings }) => findings.length > 0)) return { update: { suites }, goto: "tests_reject" };
  const impls = await Promise.all(state.impls.map((one) => checkedCode(one, skeleton, ports, context)));
  if (impls.some(({ findings }) => findings.length > 0)) return redo({ ...state, impls }, ports);

  const joined = await joinSuites(suites, skeleton, ports, context);
  if (joined.kind === "conflict") return halted(state, conflict(joined.files));
  const { commit } = joined;
  const contract = present(state.contract, "contract");
  const grounds = { claims: claimsIn(suites), skeleton };
  const seen = await ports.examine(context, { contract, commit, grounds }, { gates: [...LOOK] });
  const properties = suites.flatMap((suite) => suite.properties);
  const coverage = coverageOf(state.functions, properties, seen.claims);
  const findings = [...openFindings(seen, LOOK), ...uncovered(coverage.sketchesUncovered, ports)];
  if (findings.length > 0)
    return { update: { coverage, suites: blamed(suites, findings) }, goto: "tests_reject" };
  return { update: { coverage, suites, suiteCommit: commit }, goto: "merge" };
}

const LOOK = ["red-on-skeleton", "claims"] as const;

function uncovered(sketches: readonly string[], { assignment }: ProtocolPorts): string[] {
  if (!assignment.rigor.requireSketchCoverage) return [];
  return sketches.map((name) => `no test covers the sketch ${name}; write one that calls its function`);
}

async function checkedPaths(
  suite: Suite,
  skeleton: string,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Suite> {
  const commit = suite.commits.at(-1);
  if (suite.findings.length > 0 || commit === undefined) return suite;
  const changed = await ports.changed(context, { base: skeleton, commit });
  const stray = strayTests(suite.flavour, flavoursOf(ports), changed);
  return { ...suite, findings: stray.map((path) => `${path} is not yours to change; put it back`) };
}

async function checkedCode(
  one: Implementation,
  skeleton: string,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Implementation> {
  const commit = one.commits.at(-1);
  if (one.findings.length > 0 || commit === undefined) return one;
  const stray = strayCode(await ports.changed(context, { base: skeleton, commit }));
  return { ...one, findings: stray.map((path) => `${path} is not yours to change; put it back`) };
}

/** Sending code back counts like a fix. */
function redo(
  state: BlindState,
  { assignment }: ProtocolPorts,
): { update: BlindUpdate; goto: "redo_impl" | "halt" } {
  const { impls, fixAttempts } = state;
  if (fixAttempts < assignment.rigor.maxFixAttempts)
    return { update: { impls, fixAttempts: fixAttempts + 1 }, goto: "redo_impl" };
  const gateFindings = impls.flatMap(({ findings }) => findings);
  return halted(state, fixesExhausted(fixAttempts, { ...state, gateFindings }), { impls });
}

async function joinSuites(
  suites: readonly Suite[],
  base: string,
  ports: ProtocolPorts,
  context: NodeContext,
) {
  const [only, ...others] = suites;
  const tip = only?.commits.at(-1);
  if (tip !== undefined && others.length === 0) return { kind: "merged" as const, commit: tip };
  const commits = suites.flatMap((suite) => suite.commits);
  return ports.merge(context, { base, commits, description: "all suites on the skeleton" });
}

/** Each author hears of its own tests; what names none of them concerns everybody. */
function blamed(suites: readonly Suite[], findings: readonly string[]): Suite[] {
  const whose = (finding: string): Suite[] =>
    suites.filter(({ properties }) => properties.some(({ name }) => finding.includes(name)));
  return suites.map((suite) => ({
    ...suite,
    findings: findings.filter((finding) => {
      const authors = whose(finding);
      return authors.length === 0 || authors.includes(suite);
    }),
  }));
}
