// Projects for tests: specifications of any size, a store with a lease, and engineering that ends as a test says.
import { onTestFinished } from "vitest";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import type { EscalationArtifact } from "../src/domain/people/escalation.ts";
import type { TaskOrder, TaskOutcome } from "../src/engineering/port.ts";
import { initProject } from "../src/project/init-project.ts";
import { Project, type ProjectDesk } from "../src/project/project.ts";
import { supervise, type Supervised, type SupervisorPorts } from "../src/project/supervise.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { specOf } from "./project-specs.ts";
import { temporaryDirectory } from "./temporary.ts";

export async function deskIn(project = temporaryDirectory(), holder = "test"): Promise<ProjectDesk> {
  const store = openStateStore(project, { durability: "normal", missing: "create" });
  onTestFinished(() => store.close());
  const lease = await store.leases.acquire("run:r-1", holder, 600_000);
  if (lease.kind !== "acquired") throw new Error(`held by ${lease.by}`);
  return { store, fence: lease.fence, runId: "r-1", now: () => new Date() };
}

export async function projectOf(waits: readonly (readonly number[])[], desk?: ProjectDesk): Promise<Project> {
  const at = desk ?? (await deskIn());
  await initProject(at, specOf(waits));
  return Project.open(at);
}

/** How one task ends; `undefined`: it ships. */
export type End = "halt" | "plan" | "stop" | undefined;
export type Play = (order: TaskOrder) => End | Promise<End>;

export function engineering({ desk }: Project, play: Play = () => undefined) {
  const orders: TaskOrder[] = [];
  const engineer = async (order: TaskOrder): Promise<TaskOutcome> => {
    orders.push(order);
    const task = order.task.task_id;
    const end = await play(order);
    if (end === "stop") return { kind: "stopped", task, why: "the provider is away" };
    if (end !== undefined) return { kind: "halted", task, escalation: await escalate(desk, order, end) };
    return { kind: "shipped", task, modules: [refOf(task)] };
  };
  return { engineer, orders };
}

export function refOf(task: string): string {
  return `MM-part${Number(task.slice(-3))}@1.0.0`;
}

async function escalate(
  { store, fence, runId }: ProjectDesk,
  order: TaskOrder,
  end: "halt" | "plan",
): Promise<EscalationArtifact> {
  const { task, path, attempt, resolution } = order;
  const hex = Buffer.from(`${task.task_id.slice(-2)}${attempt}${resolution?.kind ?? ""}`).toString("hex");
  const escalation: EscalationArtifact = {
    escalation_id: `ESC-${hex.padEnd(8, "0").slice(0, 8)}`,
    task_id: task.task_id,
    task_ref: path,
    created_at: "2026-01-02T03:04:05Z",
    debate_trail: { proposals: [], challenges: [], adjudications: [] },
    failed_invariants: [{ invariant: "green", evidence: "2 tests fail" }],
    state_machine_snapshot: order.snapshot(),
    minimal_decision_required: "Say what an empty title means.",
    recommended_resolution: "AMEND_SPEC",
    resolution_context: "The tests contradict each other.",
    ...(end === "plan" ? {} : { failed_module: "MM-part", shipped_modules: [] }),
    resolution: null,
  };
  await store.artifacts.create(fence, {
    id: escalation.escalation_id,
    type: "ESCALATION",
    pillar: "core",
    createdBy: { role: "harness", run_id: runId },
    contextPackRef: null,
    body: { "escalation.json": JSON.stringify(escalation, null, 2) },
  });
  await store.inbox.ask(fence, {
    id: escalation.escalation_id,
    kind: "escalation",
    runId,
    title: `${task.task_id} halted`,
    body: escalation,
    answerSchema: "HumanResolution",
    askedAt: escalation.created_at,
  });
  return escalation;
}

export function portsFor(
  engineer: SupervisorPorts["engineer"],
  change: Partial<SupervisorPorts> = {},
): SupervisorPorts {
  return {
    engineer,
    decide: () => Promise.reject(new Error("nobody decides here")),
    contracts: async (refs) => refs.map((module_ref) => ({ module_ref, summary: "A part.", examples: [] })),
    rigor: resolveRigor("standard"),
    protocol: "debate",
    concurrency: 1,
    drain: async () => undefined,
    signal: new AbortController().signal,
    pollMs: 10,
    ...change,
  };
}

/** Until nothing goes on without a person. */
export async function work(
  project: Project,
  play: Play = () => undefined,
  change: Partial<SupervisorPorts> = {},
): Promise<{ outcome: Supervised; orders: TaskOrder[] }> {
  const { engineer, orders } = engineering(project, play);
  return { outcome: await supervise(project, portsFor(engineer, change)), orders };
}

export function statusesOf({ machine }: Project): string {
  return Object.values(machine.toState().tasks)
    .map(({ status }) => status)
    .join(" ");
}
