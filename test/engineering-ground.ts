// A factory around one run for tests of engineering: real store, graphs, hub, sandbox and toolchain, scripted agents, and an
// index that lives in memory. Whoever opens it on the same project again goes on with it.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBudget } from "../src/agents/budget.ts";
import { budgetKeeper } from "../src/agents/budget-keeper.ts";
import { callRole } from "../src/agents/call-role.ts";
import type { Runtime } from "../src/agents/port.ts";
import { packagedPrompts } from "../src/agents/prompting/prompt-source.ts";
import { scriptedRuntime } from "../src/agents/runtimes/scripted.ts";
import { ScriptLine } from "../src/domain/agent/script-line.ts";
import type { DraftedModule } from "../src/domain/agent/plan-roles.ts";
import { PlannedModule } from "../src/domain/plan/micro-plan.ts";
import type { CodeIndexEntry, CodeIndexHit } from "../src/domain/plan/reuse.ts";
import type { TaskFile } from "../src/domain/task/task-file.ts";
import type { AskRole, CodeIndex, OpenDoor, TaskOrder, TaskPorts } from "../src/engineering/port.ts";
import { LocalAdvisories } from "../src/graph/advisory.ts";
import { openGraphs } from "../src/graph/graphs.ts";
import { LocalMailbox } from "../src/graph/mailbox.ts";
import { blindAdvice } from "../src/protocols/blind/advice.ts";
import type { Protocol } from "../src/protocols/port.ts";
import { Sql } from "../src/store/sql.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { typescriptToolchain } from "../src/toolchains/typescript/toolchain.ts";
import type { Hub } from "../src/workshop/hub/hub.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import type { Sandbox } from "../src/workshop/sandbox/port.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { workshopOf } from "../src/workshop/workspace/places.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import { sampleWorkshop } from "./workshop-samples.ts";

export const TASK: TaskFile = {
  task_name: "Slugs",
  task_id: "T-text-slugs-001",
  context: {
    pillar: { name: "Text", description: "Everything about text." },
    epic: { name: "Slugs", description: "Names for pages." },
    story: { name: "Make slugs", description: "A writer gets a slug." },
  },
  description: "Turn titles into slugs.",
  subtasks: ["Cut words", "Join words"],
  acceptance_criteria: ["every title gives a slug", "a blank title is refused"],
  micro_module_contract: {
    inputs: "title: string",
    outputs: "slug: string",
    error_surfaces: "BlankTitle",
    effects: "none",
    modes: "sync",
  },
  dependency_contracts: [],
  error_cases: ["a blank title"],
};

export function plannedModule(id: string, change: Partial<DraftedModule> = {}): DraftedModule {
  return {
    module_id: `MM-${id}`,
    module_version: null,
    name: id,
    purpose: `Does what ${id} is for.`,
    io_contract: {
      inputs: ["title: string"],
      outputs: ["slug: string"],
      error_surfaces: ["none"],
      effects: ["none"],
      modes: ["sync"],
    },
    error_cases: [],
    depends_on: [],
    reuse_candidate_refs: [],
    reuse_decision: "CREATE_NEW",
    reuse_justification: "Nothing of the kind is there.",
    ...change,
  };
}

/** The same as a person would give it. */
export function personsModule(id: string): PlannedModule {
  const plan = { ...plannedModule(id), module_version: undefined };
  return PlannedModule.parse(plan);
}

/** Calls of agents by key, as a script has them. */
export function line(change: { role: string; node: string } & Record<string, unknown>) {
  const { role, node, module = null, attempt = 1, task = TASK.task_id, output, ...rest } = change;
  return ScriptLine.parse({
    key: { role, task, module, node, attempt },
    inputHash: null,
    files: {},
    toolCalls: [],
    output: { answer: output },
    usage: { inputTokens: 100, outputTokens: 10 },
    latencyMs: 0,
    ending: "ok",
    ...rest,
  });
}

export class MemoryIndex implements CodeIndex {
  readonly entries = new Map<string, CodeIndexEntry>();
  /** How alike each module is to whatever is asked; 0 unless told. */
  readonly alike = new Map<string, number>();
  readonly asked: string[] = [];

  async append(_: unknown, entry: CodeIndexEntry): Promise<void> {
    this.entries.set(`${entry.module_id}@${entry.version}`, entry);
  }

  async setStatus(): Promise<void> {}

  async get(ref: string): Promise<CodeIndexEntry | undefined> {
    return this.entries.get(ref);
  }

  async search({ query }: { query: string }): Promise<CodeIndexHit[]> {
    this.asked.push(query);
    return [...this.entries.entries()].map(([ref, entry]) => ({
      ...entry,
      similarity_score: this.alike.get(ref) ?? 0,
    }));
  }
}

export interface Ground {
  ports: TaskPorts;
  index: MemoryIndex;
  /** How often a runtime was really asked. */
  calls: () => number;
  /** What tools told agents, by tool, in order. */
  told: { tool: string; text: string }[];
  close(): Promise<void>;
}

export interface GroundOptions {
  script?: readonly ScriptLine[];
  runtime?: Runtime;
  protocol?: Protocol;
  door?: OpenDoor;
  packages?: string;
  sandbox?: Sandbox;
  /** Keeps transcripts, and tells the journal of every call. */
  journal?: boolean;
  /** Who works; the same again takes over from a process that was killed. */
  holder?: string;
}

export async function openGround(project: string, options: GroundOptions = {}): Promise<Ground> {
  if (!existsSync(workshopOf(project).hub)) await sampleWorkshop(project, { "README.md": "A product\n" });
  const store = openStateStore(project, { durability: "normal", missing: "create" });
  const { holder = `process ${process.pid}` } = options;
  const lease = await store.leases.acquire("run:r-1", holder, 600_000);
  if (lease.kind !== "acquired") throw new Error(`the lease is held by ${lease.by}`);
  const sql = Sql.open(join(project, ".cupel", "cupel.db"), { durability: "normal" });
  const { sandbox = bubblewrapWorks ? bubblewrap() : none() } = options;
  const index = new MemoryIndex();
  let calls = 0;
  const told: Ground["told"] = [];
  const runtime = options.runtime ?? scriptedRuntime(options.script ?? []);
  const counted: Runtime = { ...runtime, run: (request) => ((calls += 1), runtime.run(request)) };
  const workplace = join(project, ".cupel", "workplace");
  mkdirSync(workplace, { recursive: true, mode: 0o755 });
  const mailbox = new LocalMailbox(sql, holder);
  const advisories = new LocalAdvisories({ sql, holder, ttlMs: 1000, jobs: blindAdvice });
  const ports: TaskPorts = {
    runId: "r-1",
    fence: lease.fence,
    store,
    graphs: openGraphs({ sql, holder, backOffMs: 1, ttlMs: 1000, mailbox, advisories }),
    mailbox,
    hub: hubOf(project),
    sandbox,
    toolchain: typescriptToolchain({
      sandbox,
      ...(options.packages === undefined ? {} : { packages: options.packages }),
    }),
    index,
    ask: askWith(counted, told, options.journal === true ? { store, fence: lease.fence } : undefined),
    protocols: new Map(options.protocol === undefined ? [] : [[options.protocol.name, options.protocol]]),
    workplace,
    now: () => new Date(),
    openDoor: options.door ?? (() => NO_DOOR),
  };
  const close = async (): Promise<void> => {
    await advisories.close();
    await runtime.close();
    await store.close();
    sql.close();
  };
  return { ports, index, calls: () => calls, told, close };
}

/** Without the checkout of a person, whom nothing here delivers to. */
function hubOf(project: string): Hub {
  const gitDir = workshopOf(project).hub;
  const facts = {
    top: project,
    gitDir,
    branch: "main",
    commit: "",
    objectFormat: "sha1" as const,
    shallow: false,
    linkedWorktree: false,
    submodules: [],
    lfs: [],
    caseCollisions: [],
    uncommitted: [],
    inProgress: undefined,
    notes: [],
  };
  return { project, gitDir, branch: "main", facts };
}

function askWith(
  runtime: Runtime,
  told: Ground["told"],
  kept: Pick<TaskPorts, "store" | "fence"> | undefined,
): AskRole {
  const budget = budgetKeeper(
    openBudget({ run: {}, task: {}, roles: {}, unknownPrices: "refuse" }),
    async () => undefined,
  );
  return (role, call) =>
    callRole(
      {
        role,
        ...call,
        runtime,
        model: "scripted:none",
        limits: {
          silenceMs: 60_000,
          timeoutMs: 120_000,
          maxInputTokens: 1_000_000,
          maxOutputTokens: 100_000,
          maxTurns: 9,
        },
      },
      {
        budget,
        prompts: packagedPrompts,
        emit: async (event) => {
          const at = new Date().toISOString();
          await kept?.store.journal.append(kept.fence, [{ ...event, at, runId: "r-1" }]);
        },
        keep: async (transcript) => {
          for (const entry of transcript) if (entry.kind === "tool-result") told.push(entry);
          const text = transcript.map((entry) => `${JSON.stringify(entry)}\n`).join("");
          return kept === undefined ? null : kept.store.payloads.put(text);
        },
        redact: (value) => value,
      },
    );
}

const NO_DOOR = {
  test: () => Promise.reject(new Error("nobody tests here")),
  symbols: () => Promise.reject(new Error("nobody reads here")),
  differ: () => Promise.reject(new Error("nobody compares here")),
  certify: () => Promise.reject(new Error("nobody certifies here")),
  examine: () => Promise.reject(new Error("nobody examines here")),
  contents: () => Promise.reject(new Error("nobody looks here")),
  ship: () => Promise.reject(new Error("nobody ships here")),
};

export function orderOf(change: Partial<TaskOrder> = {}): TaskOrder {
  return orderFor(TASK, change);
}
