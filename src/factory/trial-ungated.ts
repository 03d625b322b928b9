// The baseline of a trial: one worker writes code and tests, runs them, mends while they fail, and ships what it has. No gate
// and no reviewer stands in the way; what gates would have measured is measured all the same.
import { packagedPrompts } from "../agents/prompting/prompt-source.ts";
import { renderPrompt } from "../agents/prompting/render-prompt.ts";
import { builder } from "../agents/roles/builder.ts";
import type { CallKey } from "../domain/agent/call-key.ts";
import { sha256Hex } from "../domain/canonical.ts";
import { contractFrom } from "../domain/contract/contract-draft.ts";
import type { MicroModuleContract } from "../domain/contract/contract.ts";
import type { GateName } from "../domain/evidence/gate.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import { PlannedModule } from "../domain/plan/micro-plan.ts";
import { renderTaskFile } from "../domain/task/task-file.ts";
import { noCache } from "../evidence/liveness.ts";
import { verify } from "../evidence/verify.ts";
import { honest } from "../simulator/honest.ts";
import type { SimulatedCall, SimulatedCase } from "../simulator/port.ts";
import { caseOf } from "../trial/corpus/builtin-case.ts";
import { type Desk, mendOwn, nextCode, nextTests, sourcesOn, testsOn } from "../trial/workers/desk.ts";
import { usageAt } from "../trial/workers/workers.ts";
import { linesIn, type Made, staticOf, tokensOf } from "./trial-seen.ts";

export async function playUngated(desk: Desk, rigor: Rigor): Promise<Made> {
  const { task } = desk.draw;
  const about = caseOf(task);
  const contract = contractOf(about);
  const call = callFor(about, contract);
  nextTests(desk);
  await nextCode(desk);
  await mendOwn(desk, call.key);
  const work = { ...about, sources: sourcesOn(desk), tests: testsOn(desk) };
  const performance = honest({ ...call, case: work }, [work]);
  if (performance === undefined) throw new Error("nobody plays the builder");
  return {
    ended: "shipped",
    why: "",
    ...(await measured(desk, contract, rigor)),
    caughtBy: desk.caughtIn === undefined ? null : "own-tests",
    calls: [...desk.turns.values()][0] ?? 1,
    tokens: tokensOf(usageAt(desk)(call, performance)),
    shipped: sourcesOn(desk),
  };
}

function contractOf({ name, contract, planned }: SimulatedCase): MicroModuleContract {
  const known = Object.fromEntries(Object.entries(planned).filter(([, value]) => value !== null));
  const drafted = contractFrom(contract, PlannedModule.parse(known), "1.0.0");
  if (drafted.kind === "invalid")
    throw new Error(`the contract of ${name} cannot be kept: ${JSON.stringify(drafted.problems)}`);
  return drafted.contract;
}

const nothing = () => 0;

/** As the builder of the solo protocol would be asked. */
function callFor(about: SimulatedCase, contract: MicroModuleContract): SimulatedCall {
  const key: CallKey = {
    role: "builder",
    task: about.task.task_id,
    module: contract.module_id,
    node: "build",
    attempt: 1,
  };
  const input = {
    phase: "build",
    task_file: renderTaskFile(about.task),
    contract,
    dependencies: [],
    findings: [],
  };
  const prompt = renderPrompt(builder, input, { attempt: 1, attempts: 1 }, packagedPrompts);
  return {
    key,
    role: "builder",
    ...prompt,
    workspace: "/",
    tools: builder.tools,
    case: about,
    random: nothing,
  };
}

const MEASURING: readonly GateName[] = ["coverage", "static"];
const TIMEOUT_MS = 60_000;

async function measured(
  desk: Desk,
  contract: MicroModuleContract,
  rigor: Rigor,
): Promise<Pick<Made, "coverage" | "staticPass">> {
  const { bench } = desk;
  const { toolchain } = bench;
  return bench.inSite({ ...sourcesOn(desk), ...testsOn(desk) }, async (site) => {
    const kept = new Map<string, unknown>();
    const reported = await verify({
      module: { site, toolchain, rigor, contract, timeoutMs: TIMEOUT_MS },
      place: "verify",
      only: MEASURING,
      all: true,
      cache: noCache(),
      keep: async (evidence) => {
        const ref = `sha256:${sha256Hex(JSON.stringify(evidence))}`;
        kept.set(ref, evidence);
        return ref;
      },
    });
    const verdictOf = (gate: GateName) =>
      reported.map(({ verdict }) => verdict).find((verdict) => verdict.gate === gate);
    return {
      coverage: linesIn(kept.get(verdictOf("coverage")?.evidence[0] ?? "")),
      staticPass: staticOf(verdictOf("static")),
    };
  });
}
