// The tests of a node: all at once, or one at a time. They count when they fail on stubs because they call them, and when each
// shows a criterion.
import { testAuthor } from "../../agents/roles/test-author.ts";
import { testChallenge } from "../../agents/roles/test-challenge.ts";
import type { TestAuthorInput } from "../../domain/agent/fractal-roles.ts";
import { checkManifest, type TestManifest } from "../../domain/fractal/test-manifest.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { Work } from "../port.ts";
import { workProblems } from "../work-problems.ts";
import { type Halted, halted, testsExhausted } from "./halt.ts";
import { planAgain } from "./plan.ts";
import type { NodePorts } from "./port.ts";
import { forkOf, type FractalState, type FractalUpdate } from "./state.ts";
import { present } from "../present.ts";

type Authored = { update: FractalUpdate; goto: "hold" | "impl" | "author" | "scaffold" | "review" } | Halted;

export const TEST_PATHS = ["test/"];

export function author(state: FractalState, ports: NodePorts, context: NodeContext): Promise<Authored> {
  return ports.node.rhythm === "batch" ? allTests(state, ports, context) : nextTest(state, ports, context);
}

async function allTests(state: FractalState, ports: NodePorts, context: NodeContext): Promise<Authored> {
  const asked = state.asked + 1;
  const answer = await ports.write(context, { role: testAuthor, ...orderOf({ ...state, asked }, ports) });
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), { asked });
  const { exit } = answer.output;
  if (exit.kind === "InvalidScaffold") return invalidScaffold({ ...state, asked }, ports, exit);
  const map = Object.fromEntries(exit.shows.map(({ test, criterion }) => [test, criterion]));
  return believed({ ...state, asked }, ports, context, { work: answer.work, map, pack: answer.pack });
}

async function nextTest(state: FractalState, ports: NodePorts, context: NodeContext): Promise<Authored> {
  const asked = state.asked + 1;
  const answer = await ports.write(context, { role: testChallenge, ...orderOf({ ...state, asked }, ports) });
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), { asked });
  const { exit } = answer.output;
  if (exit.kind === "InvalidScaffold") return invalidScaffold({ ...state, asked }, ports, exit);
  if (exit.kind === "ConcludeSuite") return conclude({ ...state, asked }, ports);
  const { kind: _, ...challenge } = exit;
  const map = { ...state.manifest?.acceptance_criteria_map, [exit.test]: exit.criterion };
  return believed({ ...state, asked }, ports, context, {
    work: answer.work,
    map,
    pack: answer.pack,
    challenge,
  });
}

/** The same for whoever writes tests, all at once or one at a time. */
function orderOf(state: FractalState, ports: NodePorts) {
  return {
    attempt: state.asked,
    ...forkOf(state),
    base: present(state.commit, "commit"),
    input: authorInput(state, ports),
    situation: situationOf(state, ports),
  };
}

function conclude(state: FractalState, ports: NodePorts): Authored {
  const { asked, coverage } = state;
  const missing = coverage?.criteriaMissing ?? ports.node.spec.acceptanceCriteria.map(({ id }) => id);
  if (missing.length > 0)
    return testsAgain(
      state,
      ports,
      missing.map((id) => `no test shows ${id} yet`),
    );
  return { update: { asked, concluded: true, challenge: null }, goto: "review" };
}

interface Written {
  work: Work;
  map: Record<string, string>;
  pack: string;
  challenge?: { test: string; criterion: string };
}

async function believed(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
  { work, map, pack, challenge }: Written,
): Promise<Authored> {
  if (work.kind !== "taken")
    return testsAgain(
      state,
      ports,
      workProblems(work, { todo: "write the tests", standing: state.findings }),
    );
  const base = present(state.commit, "commit");
  const adopted = await ports.tree.adopt(context, { base, commit: work.commit, paths: TEST_PATHS });
  if (adopted.kind === "refused") return testsAgain(state, ports, adopted.problems);
  const { commit } = adopted;
  const contract = present(state.contract, "contract");
  const skeleton = present(state.scaffold, "scaffold");
  const { verdicts } = await ports.examine(
    context,
    { contract, commit, grounds: { skeleton, tests: commit } },
    { gates: ["red-on-skeleton"] },
  );
  const green = verdicts.filter(({ verdict }) => verdict !== "PASS").flatMap(({ findings }) => findings);
  const manifest: TestManifest = {
    spec_id: ports.node.spec.id,
    target_file: "src/index.ts",
    test_suite: "test/",
    acceptance_criteria_map: map,
    ...(ports.node.spec.complexityConstraints === null
      ? {}
      : { complexity_constraints: ports.node.spec.complexityConstraints }),
  };
  const seen = await ports.tree.reached(context, commit);
  const { coverage, problems } = checkManifest(manifest, ports.node.spec, seen);
  // One at a time: what has no test yet gets one later.
  const missing = new Set(coverage.criteriaMissing.map((id) => `no test shows ${id}`));
  const wrong = challenge === undefined ? problems : problems.filter((problem) => !missing.has(problem));
  // Whoever mends them goes on from what was written.
  if (green.length + wrong.length > 0) return testsAgain({ ...state, commit }, ports, [...green, ...wrong]);
  const { asked } = state;
  return {
    update: {
      asked,
      commit,
      tests: commit,
      manifest,
      coverage,
      pack,
      // What was criticised of the code is for whoever writes that, and stays until it passes.
      findings: [],
      ...(challenge === undefined ? {} : { challenge }),
    },
    goto: state.released ? "impl" : "hold",
  };
}

function testsAgain(state: FractalState, { assignment, node }: NodePorts, findings: string[]): Authored {
  const { asked, commit, testFixes } = state;
  if (testFixes >= assignment.rigor.maxFixAttempts)
    return halted(state, testsExhausted(node.spec.id, testFixes, findings), { asked, commit });
  return { update: { asked, commit, findings, testFixes: testFixes + 1 }, goto: "author" };
}

function invalidScaffold(
  state: FractalState,
  ports: NodePorts,
  { missingType, expectedLocation }: { missingType: string; expectedLocation: string },
): Authored {
  return planAgain(state, ports, [
    `${missingType} is missing; whoever writes the tests expects it in ${expectedLocation}`,
  ]);
}

function authorInput(state: FractalState, { node }: NodePorts): TestAuthorInput {
  return {
    phase: state.findings.length > 0 ? "repair" : "write",
    spec: node.spec,
    contract: present(state.contract, "contract"),
    test_plan: [...state.testPlan],
    covered: (state.coverage?.criteriaWithTests ?? []).map(({ criterion }) => criterion),
    critiques: [...state.critiques],
    findings: [...state.findings],
    write_in: [...TEST_PATHS],
  };
}

function situationOf({ findings, critiques }: FractalState, { node }: NodePorts) {
  const again = findings.length + critiques.length > 0;
  return {
    protocol: "fractal" as const,
    rhythm: node.rhythm,
    ...(again ? { phase: "revise" as const } : {}),
  };
}
