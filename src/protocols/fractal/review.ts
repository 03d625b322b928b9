// The gates look at a node first, then somebody reads it. Who approves, sends on; who misses something says what.
import { reviewer } from "../../agents/roles/reviewer.ts";
import { tddReview } from "../../agents/roles/tdd-review.ts";
import type { ReviewInput } from "../../domain/agent/fractal-roles.ts";
import type { NodeContext } from "../../graph/port.ts";
import { isAboutTests } from "../about-tests.ts";
import { stoppedBy } from "../halt-reasons.ts";
import { codeExhausted, type Halted, halted, rejected } from "./halt.ts";
import type { NodePorts } from "./port.ts";
import type { FractalState, FractalUpdate } from "./state.ts";
import { present } from "../present.ts";

type Reviewed = { update: FractalUpdate; goto: "enqueue" | "impl" | "author" } | Halted;

const IN_A_TREE = { protocol: "fractal" } as const;

export async function review(state: FractalState, ports: NodePorts, context: NodeContext): Promise<Reviewed> {
  const contract = present(state.contract, "contract");
  const commit = present(state.commit, "commit");
  const { findings, evidence } = await ports.examine(context, {
    contract,
    commit,
    grounds: groundsOf(state),
  });
  // Whoever writes the code may not touch tests, so what only tests can mend goes to their author.
  const wrong = findings.filter((finding) => !isAboutTests(finding));
  if (wrong.length > 0) return sentBack(state, ports, { findings: wrong });
  if (findings.length > 0) return testsFirst(state, ports, { findings, concluded: false });
  if (evidence === undefined) return sentBack(state, ports, { findings: ["no test ran; write tests"] });
  const text = await ports.read(context, commit);
  if (text.kind === "too-large") return sentBack(state, ports, { findings: [text.problem] });
  const asked = state.asked + 1;
  const input: ReviewInput = {
    spec: ports.node.spec,
    contract,
    files: Object.entries(text.files).map(([path, code]) => ({ path, text: code })),
    evidence,
    coverage: present(state.coverage, "coverage"),
  };
  const after = { ...state, asked, evidence };
  return ports.node.rhythm === "batch"
    ? afterBatch(after, ports, context, input)
    : afterPingPong(after, ports, context, input);
}

async function afterBatch(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
  input: ReviewInput,
): Promise<Reviewed> {
  const { asked, evidence } = state;
  const answer = await ports.ask(context, { role: tddReview, attempt: asked, input, situation: IN_A_TREE });
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), { asked });
  const { exit } = answer.output;
  switch (exit.kind) {
    case "Approved":
      return { update: { asked, evidence, signOff: exit.signOff }, goto: "enqueue" };
    case "MoreTests":
      return moreTests(state, ports, exit.critiques, exit.additionalTests);
    case "Reject":
      return halted(state, rejected(ports.node.spec.id, exit.reason, exit.missingCriteria), {
        asked,
        evidence,
      });
  }
}

async function afterPingPong(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
  input: ReviewInput,
): Promise<Reviewed> {
  const { asked, evidence } = state;
  const answer = await ports.ask(context, { role: reviewer, attempt: asked, input, situation: IN_A_TREE });
  if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), { asked });
  const { exit } = answer.output;
  switch (exit.kind) {
    case "Approve":
      return { update: { asked, evidence, signOff: exit.signOff }, goto: "enqueue" };
    case "RequestChanges":
      return sentBack(state, ports, { critiques: exit.critiques });
    case "Reject": {
      const findings = [
        exit.reason,
        ...exit.missingCriteria.map((id) => `${id} has no test that could fail`),
      ];
      return testsFirst(state, ports, { findings, concluded: false });
    }
  }
}

function moreTests(
  state: FractalState,
  ports: NodePorts,
  critiques: FractalState["critiques"],
  additional: FractalState["testPlan"],
): Reviewed {
  const testPlan = [...state.testPlan, ...additional];
  return testsFirst(state, ports, {
    critiques,
    testPlan,
    findings: additional.map(({ plannedTestName, approach }) => `write "${plannedTestName}": ${approach}`),
  });
}

/** Reviews that send back count like tests that had to be mended. */
function testsFirst(state: FractalState, { assignment, node }: NodePorts, more: FractalUpdate): Reviewed {
  const { asked, testFixes } = state;
  if (testFixes >= assignment.rigor.maxFixAttempts)
    return halted(state, codeExhausted(node.spec.id, testFixes, more.findings ?? []), { asked });
  return { update: { asked, testFixes: testFixes + 1, ...more }, goto: "author" };
}

function sentBack(
  state: FractalState,
  { assignment, node }: NodePorts,
  more: Pick<FractalUpdate, "findings" | "critiques">,
): Reviewed {
  const { asked, attempts } = state;
  const why = [...(more.findings ?? []), ...(more.critiques ?? []).map(({ issue }) => issue)];
  if (state.reviews >= assignment.rigor.maxFixAttempts)
    return halted(state, codeExhausted(node.spec.id, state.reviews, why), { asked });
  return { update: { asked, attempts, reviews: state.reviews + 1, ...more }, goto: "impl" };
}

export function groundsOf({ tests, scaffold }: FractalState) {
  return { tests: present(tests, "tests"), skeleton: present(scaffold, "scaffold") };
}

/** From here on the parent's queue has it. */
export async function enqueue(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
): Promise<{ update: FractalUpdate }> {
  const commit = present(state.commit, "commit");
  await ports.tree.post(context, { kind: "approved", node: ports.node.spec.id, commit });
  return { update: {} };
}
