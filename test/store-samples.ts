// A store with something in it, for tests of the whole.
import type { NewArtifact } from "../src/store/artifacts.ts";
import type { Fence } from "../src/store/port.ts";
import { openStateStore } from "../src/store/state-store.ts";
import type { StateStore } from "../src/store/state-store.ts";

export const HARNESS = { role: "harness", run_id: "r-test" } as const;

export function newContract(text: string): NewArtifact {
  return {
    type: "CONTRACT",
    pillar: "text",
    createdBy: HARNESS,
    contextPackRef: null,
    body: { "contract.json": text, "notes/why.md": `because ${text}` },
  };
}

export async function leased(project: string): Promise<{ store: StateStore; fence: Fence }> {
  const store = openStateStore(project, { durability: "normal", missing: "create" });
  const lease = await store.leases.acquire("run:r-test", `process ${process.pid}`, 60_000);
  if (lease.kind !== "acquired") throw new Error(`the lease is held by ${lease.by}`);
  return { store, fence: lease.fence };
}

/** One artifact shipped, one in debate, a module sealed, three events. */
export async function filledStore(
  project: string,
): Promise<{ store: StateStore; fence: Fence; ids: string[] }> {
  const { store, fence } = await leased(project);
  const shipped = await store.artifacts.create(fence, newContract("one"));
  for (const status of ["CHALLENGED", "ADJUDICATED", "SHIPPED"] as const) {
    await store.artifacts.transition(fence, shipped.artifact_id, status);
  }
  const debated = await store.artifacts.create(fence, {
    ...newContract("two"),
    inputs: [{ ref: `${shipped.artifact_id}@1.0.0`, purpose: "the contract it builds on" }],
  });
  await store.artifacts.transition(fence, debated.artifact_id, "CHALLENGED");
  await store.modules.record(fence, "MM-slug@1.0.0", {
    "contract.json": "{}",
    "examples.md": "# Examples",
    "ship.json": "{}",
    "implementation/index.ts": "export {};",
    "tests/index.test.ts": "// tests",
  });
  await store.modules.seal(fence, "MM-slug@1.0.0");
  for (const why of ["a", "b", "c"]) await store.journal.append(fence, [taskStarted(why)]);
  return { store, fence, ids: [shipped.artifact_id, debated.artifact_id] };
}

export function taskStarted(why: string) {
  const at = "2026-01-02T03:04:05Z";
  return {
    kind: "task_transitioned",
    at,
    runId: "r-test",
    task: "T-a-b-c-001",
    from: "PENDING",
    to: "IN_PROGRESS",
    why,
  } as const;
}
