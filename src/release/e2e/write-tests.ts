// Asks the architect for end-to-end tests, once for each attempt: in a workspace where only e2e/ is its own, and modules are
// types and documents. What it wrote comes back as a commit that the harness made.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { e2eArchitect } from "../../agents/roles/architect-e2e.ts";
import { E2eArchitectOutput, type E2eArchitectInput } from "../../domain/agent/e2e-roles.ts";
import { RoleCallOutcome } from "../../domain/agent/role-call-outcome.ts";
import { artifactId } from "../../domain/artifact/artifact-type.ts";
import type { Situation } from "../../domain/artifact/material.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { GitId } from "../../domain/run/workspace-record.ts";
import {
  callWorkspace,
  closeWorkspace,
  openWorkspace,
  takeWork,
} from "../../engineering/calls/call-workspace.ts";
import type { TakenWork, WorkspacePlan } from "../../engineering/calls/call-workspace.ts";
import { sealedProvision } from "../../engineering/provisions.ts";
import { grantedTools } from "../../engineering/calls/granted-tools.ts";
import { endedByItself } from "../../engineering/calls/interrupted.ts";
import { keepProductPack } from "../../engineering/calls/product-pack.ts";
import { stopOf } from "../../engineering/calls/stop.ts";
import { dependencyView } from "../../engineering/dependency-view.ts";
import type { NodeContext } from "../../graph/port.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { architectTools } from "./architect-tools.ts";
import type { E2eWork } from "./port.ts";
import { Author, type E2eState, type Going } from "./state.ts";
import { HOME } from "./suite-files.ts";

const Taken = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("taken"), commit: GitId, left: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("nothing"), left: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("refused"), problems: z.array(z.string()) }),
]) satisfies z.ZodType<TakenWork>;

export async function writeTests(
  state: E2eState,
  work: E2eWork,
  context: NodeContext,
): Going<"examine" | "halt"> {
  const { ports } = work;
  const attempts = state.attempts + 1;
  const author = await context.once("author", Author, async () => newAuthor(work));
  const plan = workspacePlan(work);
  const call = callWorkspace(e2eArchitect.name, author.pack, state.work ?? state.base ?? "");
  const outcome = await context.once("outcome", RoleCallOutcome, () => asked(state, work, context, author));
  ports.onStep?.("asked");
  if (outcome.kind === "aborted") throw new Error("the call of the architect was kept without an end");
  const message = renderCommitMessage({
    phase: "e2e",
    description: e2eArchitect.purpose,
    body: "",
    session: context.thread,
    node: context.node,
    costUsd: outcome.costUsd,
  });
  // Also what an agent wrote that then gave up is kept: somebody paid for it, and a person may want to look.
  const taken = await context.once("work", Taken, () => takeWork(plan, call, message));
  ports.onStep?.("written");
  await closeWorkspace(plan, call);
  const written = { attempts, author, work: taken.kind === "taken" ? taken.commit : state.work };
  if (outcome.kind !== "done") {
    const stopped = `the architect gave no tests: ${stopOf(e2eArchitect.name, outcome, null).why}`;
    return { update: { ...written, stopped, findings: [] }, goto: "halt" };
  }
  const output = parseOrThrow(E2eArchitectOutput, outcome.output, "the kept output of the architect");
  const update = { ...written, outside: outsideOf(taken), notShown: output.not_shown };
  return { update, goto: "examine" };
}

function newAuthor({ ports: { runId, now } }: E2eWork): Author {
  const pack = artifactId("CONTEXT_PACK", randomUUID());
  return { pack, runId: `${runId}/${pack}`, at: now().toISOString() };
}

/** Nothing that an agent did elsewhere is taken, and it is told so. */
function outsideOf(taken: TakenWork): string[] {
  const paths = taken.kind === "refused" ? taken.problems : taken.left;
  return paths.map((path) => `outside-e2e: ${path}; only files below ${HOME} may be changed`);
}

async function asked(
  state: E2eState,
  work: E2eWork,
  context: NodeContext,
  author: Author,
): Promise<RoleCallOutcome> {
  const { ports, product } = work;
  const situation: Situation = {
    scope: "product",
    ...(state.findings.length > 0 ? { phase: "revise" } : {}),
  };
  const input = await inputOf(state, work);
  await keepProductPack(ports, author, {
    role: e2eArchitect.name,
    situation,
    input,
    besides: ["workspace"],
    modules: product.placed.map(({ record }) => record.module),
  });
  const call = callWorkspace(e2eArchitect.name, author.pack, state.work ?? state.base ?? "");
  const { tree } = (await openWorkspace(workspacePlan(work), call)).places;
  const outcome = await ports.ask(e2eArchitect, {
    input,
    // Scripts and recordings tell calls apart by it.
    key: {
      task: null,
      module: null,
      node: state.round === 1 ? context.node : `${context.node}@${state.round}`,
      attempt: state.attempts + 1,
    },
    tools: grantedTools(e2eArchitect, situation, architectTools(work, tree, author.pack)),
    workspace: tree,
    signal: context.signal,
  });
  context.spent({ usage: outcome.usage, costUsd: outcome.costUsd });
  return endedByItself(context, e2eArchitect.name, outcome);
}

async function inputOf(
  { findings, guidance }: E2eState,
  { ports: { store }, product }: E2eWork,
): Promise<E2eArchitectInput> {
  const modules = await Promise.all(
    product.placed.map(async ({ name, record }) => ({
      ...(await dependencyView(store, record.module)),
      import_name: `#modules/${name}`,
    })),
  );
  return {
    phase: findings.length > 0 ? "revise" : "propose",
    criteria: product.criteria,
    modules,
    person_feedback: guidance,
    findings,
    write_in: [HOME],
  };
}

function workspacePlan({ ports, product }: E2eWork): WorkspacePlan {
  return {
    engineering: ports,
    home: HOME,
    readOnly: [],
    dependencies: async () => product.placed.map((each) => sealedProvision(ports.store, each)),
  };
}
