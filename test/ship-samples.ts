// Two small modules that every gate accepts, one of which imports the other, with what a debate leaves of them.
import { MicroModuleContract } from "../src/domain/contract/contract.ts";
import type { Decision, Proposal } from "../src/domain/debate/debate-records.ts";
import type { GateName } from "../src/domain/evidence/gate.ts";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import type { TaskFile } from "../src/domain/task/task-file.ts";
import type { ShipOrder } from "../src/engineering/ship/port.ts";
import type { Candidate } from "../src/protocols/outcome.ts";
import type { NewArtifact } from "../src/store/artifacts.ts";
import type { Fence } from "../src/store/port.ts";
import type { StateStore } from "../src/store/state-store.ts";
import { toBytePath } from "../src/workshop/git/byte-path.ts";
import { importCommit } from "../src/workshop/git/fast-import.ts";
import { tipOf } from "../src/workshop/git/refs.ts";
import type { Hub } from "../src/workshop/hub/hub.ts";
import { CLAMP, CLAMP_CONTRACT } from "./module-samples.ts";

export const TASK: TaskFile = {
  task_name: "Clamp",
  task_id: "T-math-basics-ranges-001",
  context: {
    pillar: { name: "Math", description: "Numbers." },
    epic: { name: "Basics", description: "The first of them." },
    story: { name: "Ranges", description: "Where they end." },
  },
  description: "Keep numbers within ranges.",
  subtasks: ["Write it."],
  acceptance_criteria: ["clamp(5, 0, 3) is 3"],
  micro_module_contract: {
    inputs: "numbers",
    outputs: "a number",
    error_surfaces: "a range that is none",
    effects: "none",
    modes: "sync",
  },
  dependency_contracts: [],
  error_cases: ["the range is none"],
};

export interface Sample {
  contract: MicroModuleContract;
  folder: string;
  files: Readonly<Record<string, string>>;
  /** Versions that it is built with. */
  dependencies: string[];
}

export const CLAMP_SAMPLE: Sample = {
  contract: CLAMP_CONTRACT,
  folder: "clamp",
  files: {
    ...CLAMP,
    "examples.md": "# clamp\n\n```ts\nclamp(5, 0, 3)\n```\n\n```ts\n3\n```\n",
  },
  dependencies: [],
};

export const PERCENT_SAMPLE: Sample = {
  folder: "percent",
  dependencies: ["MM-clamp@1.0.0"],
  contract: MicroModuleContract.parse({
    ...CLAMP_CONTRACT,
    module_id: "MM-percent",
    name: "percent",
    purpose: "Keeps a number within nothing and a hundred.",
    inputs: [{ name: "value", type: "number", constraints: [] }],
    outputs: [{ name: "result", type: "number", invariants: ["lies within 0 and 100"] }],
    error_surfaces: [],
    entry_points: [
      {
        name: "percent",
        signature: "(value: number) => number",
        inputs: ["value"],
        outputs: ["result"],
        errors: [],
        effects: [],
      },
    ],
    predicates: [
      {
        id: "P1",
        of: "outputs.0.invariants.0",
        entry: "percent",
        kind: "ensures",
        expr: "result >= 0 && result <= 100",
      },
    ],
    dependencies: [{ ref: "MM-clamp@^1.0.0", why: "it keeps numbers in a range" }],
  }),
  files: {
    "src/index.ts": `import { clamp } from "#modules/clamp";

/** The value nearest to \`value\` that is a share of a hundred. */
export function percent(value: number): number {
  return clamp(value, 0, 100);
}
`,
    "test/percent.integration.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { percent } from "../src/index.ts";

test.each([
  [50, 50],
  [-1, 0],
  [101, 100],
])("%d becomes %d", (value, expected) => {
  expect(percent(value)).toBe(expected);
});

test("leaves what is within", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (value) => {
      expect(percent(value)).toBe(value);
    }),
  );
});
`,
    "examples.md": "# percent\n\n```ts\npercent(120)\n```\n\n```ts\n100\n```\n",
  },
};

/** What the harness can see in the work of a debate. */
export const GATES: readonly GateName[] = [
  "build",
  "red-on-skeleton",
  "green",
  "coverage",
  "contract-coverage",
  "mutation",
  "static",
  "surface",
  "effects",
  "tidy",
  "budget",
  "integration",
  "e2e",
];

export function orderFor(sample: Sample, change: Partial<ShipOrder> = {}): ShipOrder {
  const { contract, folder, dependencies } = sample;
  return {
    assignment: {
      task: TASK,
      version: contract.module_version,
      folder,
      dependencies: dependencies.map((ref) => ({ ref, contract: CLAMP_CONTRACT, examples: "" })),
      rigor: resolveRigor("standard"),
    },
    protocol: { debated: true, gates: GATES },
    signal: new AbortController().signal,
    ...change,
  };
}

/** As if the roles of a debate had made it: the work in the hub, the records in the store. */
export async function proposed(
  { store, fence, hub }: { store: StateStore; fence: Fence; hub: Hub },
  { contract, folder, files }: Sample,
  decision: Decision | null = "APPROVE",
): Promise<Candidate> {
  const commit = await committed(hub, `modules/${folder}`, files);
  const adjudicate = async (id: string): Promise<void> => {
    await store.artifacts.transition(fence, id, "CHALLENGED");
    if (decision !== null) await store.artifacts.transition(fence, id, "ADJUDICATED");
  };
  const locked = await store.artifacts.create(fence, made("CONTRACT", contract));
  await adjudicate(locked.artifact_id);
  const work = await store.artifacts.create(fence, made("IMPLEMENTATION", { commit }));
  await adjudicate(work.artifact_id);
  const proposal: Proposal = {
    proposal_id: "PROP-0a1b2c3d",
    target_artifact_id: work.artifact_id,
    claim: "It keeps the contract.",
    deliverable_ref: `${work.artifact_id}@1.0.0`,
    acceptance_checks: ["its tests"],
  };
  if (decision !== null) {
    const word = {
      adjudication_id: "ADJ-0a1b2c3d",
      target_artifact_id: work.artifact_id,
      decision,
      amendments: [],
      rationale: "It does what it says.",
      ship_directive: decision === "REJECT" ? "NO_SHIP" : "SHIP",
    };
    await store.artifacts.create(fence, made("ADJUDICATION", word));
  }
  const contractRef = `${locked.artifact_id}@${locked.version}`;
  return { contract, contractRef, commit, proposal, override: null };
}

function made(type: NewArtifact["type"], body: unknown): NewArtifact {
  return {
    type,
    pillar: "math",
    createdBy: { role: "harness", run_id: "r-ship" },
    contextPackRef: null,
    body: { "record.json": JSON.stringify(body) },
  };
}

/** A commit on top of the hub's branch that no branch holds. */
export async function committed(
  { gitDir, branch }: Hub,
  home: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const changes = Object.entries(files).map(([path, text]) => ({
    kind: "write" as const,
    path: toBytePath(`${home}/${path}`),
    mode: "100644",
    content: Buffer.from(text),
  }));
  const parent = await tipOf(gitDir, branch);
  const ref = `refs/cupel/samples/${home}`;
  return importCommit({ gitDir, ref, parent, message: "work\n", at: 0, changes });
}

/** The next version of a sample, with another contract or other files. */
export function next(
  sample: Sample,
  version: string,
  change: {
    contract?: Partial<MicroModuleContract>;
    files?: Record<string, string>;
    dependencies?: string[];
  } = {},
): Sample {
  return {
    ...sample,
    contract: MicroModuleContract.parse({
      ...sample.contract,
      ...change.contract,
      module_version: version,
    }),
    files: { ...sample.files, ...change.files },
    dependencies: change.dependencies ?? sample.dependencies,
  };
}

/** A module that has nothing to do with the others. */
export const CLIP_SAMPLE: Sample = {
  ...CLAMP_SAMPLE,
  folder: "clip",
  contract: MicroModuleContract.parse({ ...CLAMP_CONTRACT, module_id: "MM-clip", name: "clip" }),
};
