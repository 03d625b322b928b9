// One module on the way, with a dependency that has shipped, for tests of what a protocol is given to work with.
import { type Ground, orderOf, personsModule } from "./engineering-ground.ts";
import { shipSample } from "./shipped-sample.ts";
import { CLAMP, CLAMP_CONTRACT } from "./module-samples.ts";
import { tinyProtocol, haltOf, type Turn } from "./tiny-protocol.ts";
import { proposerInput } from "./agent-samples.ts";
import { renderTaskFile } from "../src/domain/task/task-file.ts";
import { type MicroModuleContract } from "../src/domain/contract/contract.ts";
import type { ProposerInput } from "../src/domain/agent/debate-roles.ts";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { assignmentOf } from "../src/engineering/assignment.ts";
import { modulePorts } from "../src/engineering/module-ports/module-ports.ts";

export const OWN = "MM-percent";
export const THREAD = "r-1/t/1/percent";

export const PERCENT_CONTRACT: MicroModuleContract = {
  ...CLAMP_CONTRACT,
  module_id: OWN,
  name: "percent",
  purpose: "Turns a share into whole percents.",
  inputs: [{ name: "share", type: "number", constraints: [] }],
  outputs: [{ name: "percent", type: "number", invariants: [] }],
  error_surfaces: [],
  entry_points: [
    {
      name: "percent",
      signature: "(share: number) => number",
      inputs: ["share"],
      outputs: ["percent"],
      errors: [],
      effects: [],
    },
  ],
  predicates: [],
  dependencies: [{ ref: "MM-clamp@^1.0.0", why: "keeps it within 0 and 100" }],
};

export const PERCENT_FILES = {
  "src/index.ts": `import { clamp } from "#modules/clamp";

/** The share as whole percents. */
export function percent(share: number): number {
  return clamp(Math.round(share * 100), 0, 100);
}
`,
  "test/percent.test.ts": `import { expect, test } from "vitest";
import { percent } from "../src/index.ts";

test("half is fifty", () => expect(percent(0.5)).toBe(50));
test("never more than all", () => expect(percent(7)).toBe(100));
`,
};

export function inModule(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`modules/percent/${path}`, text]));
}

export function shipClamp(ground: Ground): Promise<string> {
  return shipSample(ground, CLAMP_CONTRACT, CLAMP);
}

/** Runs `work` as the node `make` of the module's thread, as often as it is called, and gives what it gave. */
export async function inNode<T>(
  ground: Ground,
  work: (turn: Turn) => Promise<T>,
  thread = THREAD,
  gates: readonly GateName[] = [],
): Promise<T> {
  const { ports } = ground;
  const gave: { value?: T } = {};
  const failed: { error?: unknown } = {};
  const played = tinyProtocol(async (turn) => {
    try {
      gave.value = await work(turn);
    } catch (error) {
      failed.error = error;
      throw error;
    }
    return haltOf(OWN);
  });
  const protocol = { ...played, gates };
  const order = orderOf();
  const module = { ...personsModule("percent"), depends_on: ["MM-clamp@1.0.0"] };
  const plan = { micro_plan_id: "MP-1", parent_task_ref: "T-a-001@1.0.0", modules: [module] };
  const assignment = await assignmentOf(ports, order, plan, module);
  const making = { assignment, protocol, thread, pillar: "text" };
  const ended = await protocol.go(ports.graphs, {
    thread,
    runId: "r-1",
    ports: modulePorts(ports, order, making),
  });
  if (failed.error !== undefined) throw failed.error;
  if (gave.value === undefined) throw new Error(`the node did not run: ${JSON.stringify(ended)}`);
  return gave.value;
}

export function percentInput({ ports }: Turn, change: Partial<ProposerInput> = {}): ProposerInput {
  return proposerInput({
    task_file: renderTaskFile(ports.assignment.task),
    contract: PERCENT_CONTRACT,
    dependencies: [...ports.assignment.dependencies],
    ...change,
  });
}
