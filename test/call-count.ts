// Holds the calls of a run against its trail: each call of a role has exactly one contribution.
import { expect } from "vitest";
import type { StateStore } from "../src/store/state-store.ts";

/** By role, what was asked; a call that was interrupted and went on is one. Empty is no answer. */
export async function expectOneContributionEach({
  journal,
  artifacts,
}: StateStore): Promise<Record<string, number>> {
  const keys = new Map<string, string>();
  for (const event of await journal.read(0, 100_000))
    if (event.kind === "role_call_started")
      keys.set(JSON.stringify([event.task, event.module, event.role, event.node, event.attempt]), event.role);
  const contributed = (await artifacts.contributions()).filter(
    ({ context_pack_ref }) => context_pack_ref !== null,
  );
  const calls = countOf([...keys.values()]);
  expect(keys.size).toBeGreaterThan(0);
  expect(countOf(contributed.map(({ produced_by }) => produced_by.role))).toEqual(calls);
  expect(new Set(contributed.map(({ context_pack_ref }) => context_pack_ref)).size).toBe(keys.size);
  for (const { artifact_ref } of contributed)
    expect(await artifacts.has(artifact_ref.split("@")[0] ?? "")).toBe(true);
  return countOf(contributed.map(({ type }) => type));
}

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
