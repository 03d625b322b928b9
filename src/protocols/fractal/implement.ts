// Making the tests of a node pass. Whether they do is seen by the harness; who cannot go on says why, and each why has a route.
import { implFractal } from "../../agents/roles/impl-fractal.ts";
import type { FractalImplOutput } from "../../domain/agent/fractal-roles.ts";
import type { Situation } from "../../domain/artifact/material.ts";
import { supplierOf } from "../../domain/fractal/exceptions.ts";
import { MOST_ATTEMPTS } from "../../domain/run/retry.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { Stop } from "../outcome.ts";
import { workProblems } from "../work-problems.ts";
import { CODE_COMES, codeExhausted, type Halted, halted, resourcesExhausted, TESTS_PASS } from "./halt.ts";
import { planAgain } from "./plan.ts";
import type { NodePorts } from "./port.ts";
import { forkOf, type FractalState, type FractalUpdate } from "./state.ts";
import { present } from "../present.ts";

type Implemented =
  | { update: FractalUpdate; goto: "turn" | "impl" | "scaffold" | "wait" | "clarify" }
  | Halted;

export const CODE_PATHS = ["src/", "examples.md"];

export async function implement(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
): Promise<Implemented> {
  const asked = state.asked + 1;
  const base = present(state.commit, "commit");
  const answer = await ports.write(context, {
    role: state.upgrades === 0 ? implFractal : { ...implFractal, tier: "strong" },
    attempt: asked,
    tries: state.attempts + 1,
    ...forkOf(state),
    base,
    input: {
      phase: isAgain(state) ? "repair" : "build",
      spec: ports.node.spec,
      contract: present(state.contract, "contract"),
      test_challenge: state.challenge,
      dependencies: [...ports.assignment.dependencies],
      structured_failures: [...state.failures],
      critiques: [...state.critiques],
      findings: [...state.findings],
      history: [...state.history],
      write_in: [...CODE_PATHS],
    },
    situation: situationOf(state, ports),
  });
  const counted = { ...state, asked, attempts: state.attempts + 1 };
  if (answer.kind === "stopped") return stopped(counted, ports, answer.stop);
  const { exit } = answer.output;
  if (exit.kind !== "TestsPassed") return routed(counted, ports, context, exit);
  if (answer.work.kind !== "taken")
    return again(counted, ports, exit.strategy, {
      ...state,
      findings: workProblems(answer.work, { todo: "write the code", standing: state.findings }),
    });
  const adopted = await ports.tree.adopt(context, { base, commit: answer.work.commit, paths: CODE_PATHS });
  if (adopted.kind === "refused")
    return again(counted, ports, exit.strategy, { ...state, findings: adopted.problems });
  const { commit } = adopted;
  const tested = await ports.test(context, { contract: present(state.contract, "contract"), commit });
  const after = { ...counted, commit };
  if (tested.kind === "broken") return again(after, ports, exit.strategy, { findings: tested.errors });
  if (tested.kind === "no-report") return again(after, ports, exit.strategy, { findings: [tested.why] });
  const failures = tested.failures.map(({ failure }) => failure);
  if (failures.length > 0 || tested.passed === 0) return again(after, ports, exit.strategy, { failures });
  return {
    update: {
      asked,
      commit,
      attempts: 0,
      failures: [],
      findings: [],
      critiques: [],
      challenge: null,
      pack: answer.pack,
      next: ports.node.rhythm === "batch" || state.concluded ? "review" : "author",
    },
    goto: "turn",
  };
}

function stopped(state: FractalState, ports: NodePorts, stop: Stop): Implemented {
  if (stop.kind === "retry")
    return again(state, ports, stop.strategy ?? stop.why, { ...state, findings: [stop.why] });
  if (stop.kind === "stuck") return upgrade(state, ports, stop.why);
  return halted(state, stoppedBy(stop), { asked: state.asked });
}

function again(
  state: FractalState,
  ports: NodePorts,
  strategy: string,
  { failures = [], findings = [] }: Partial<Pick<FractalState, "failures" | "findings">>,
): Implemented {
  const { asked, commit, attempts } = state;
  const outcome = [...failures.map(({ propertyName }) => propertyName), ...findings].join("; ");
  const history = [...state.history, { strategy, outcome: `failed: ${outcome || "no test passed"}` }];
  if (attempts >= MOST_ATTEMPTS) return upgrade({ ...state, history }, ports, outcome);
  return { update: { asked, commit, attempts, failures, findings, history }, goto: "impl" };
}

/** The next tier gets as many attempts; after that a person is asked. */
function upgrade(state: FractalState, { node }: NodePorts, why: string): Implemented {
  const { asked, commit, attempts, history, upgrades } = state;
  if (upgrades > 0) {
    const invariant = commit === state.tests ? CODE_COMES : TESTS_PASS;
    return halted(state, codeExhausted(node.spec.id, attempts, [why], invariant), { asked, commit });
  }
  return { update: { asked, commit, history, attempts: 0, upgrades: upgrades + 1 }, goto: "impl" };
}

type Gone = Exclude<FractalImplOutput["exit"], { kind: "TestsPassed" }>;

async function routed(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
  exit: Gone,
): Promise<Implemented> {
  const { asked, attempts } = state;
  switch (exit.kind) {
    case "BlockedDependency": {
      if (attempts >= MOST_ATTEMPTS) return upgrade(state, ports, `${exit.missingSymbol} is missing`);
      const supplier = supplierOf(exit.missingSymbol, await ports.tree.siblings(context));
      if (supplier.kind === "there") return { update: { asked, attempts, next: "impl" }, goto: "turn" };
      if (supplier.kind === "coming" && (await mayWait(ports, context, supplier.node)))
        return { update: { asked, attempts }, goto: "wait" };
      return planAgain(state, ports, [
        `${exit.missingSymbol} is needed from ${exit.expectedImportPath}, and no sibling offers it`,
      ]);
    }
    case "SpecAmbiguity":
      return {
        update: {
          asked,
          question: {
            question: exit.question,
            ambiguityReference: exit.contradictionTrace,
            specSentence: exit.specSentence,
          },
        },
        goto: "clarify",
      };
    case "Stuck":
      return stuck(state, ports, exit);
  }
}

async function mayWait(ports: NodePorts, context: NodeContext, on: string): Promise<boolean> {
  return (await ports.tree.block(context, on)) === "waiting";
}

function stuck(state: FractalState, ports: NodePorts, exit: Extract<Gone, { kind: "Stuck" }>): Implemented {
  const { asked } = state;
  switch (exit.subtype) {
    case "SkillCeiling":
      return upgrade(state, ports, exit.diagnosis);
    case "InfiniteLoop":
      // A fresh mind knows what failed, not what was thought about it.
      if (state.resets > 0) return upgrade(state, ports, exit.diagnosis);
      return {
        update: { asked, session: null, history: [], critiques: [], resets: state.resets + 1 },
        goto: "impl",
      };
    case "SpecImpossible":
      return planAgain(state, ports, [`no code can satisfy it: ${exit.diagnosis}. ${exit.recommendation}`]);
    case "ResourceExhausted":
      return halted(state, resourcesExhausted(ports.node.spec.id, exit.diagnosis, exit.recommendation), {
        asked,
      });
  }
}

function isAgain({ failures, findings, critiques }: FractalState): boolean {
  return failures.length + findings.length + critiques.length > 0;
}

function situationOf(state: FractalState, { node }: NodePorts): Situation {
  return {
    protocol: "fractal",
    rhythm: node.rhythm,
    ...(isAgain(state) ? { phase: "revise" as const } : {}),
  };
}
