// The product as end-to-end tests see it: the criteria of its tasks, and the modules that each task is done with.
import { canonicalHash } from "../../domain/canonical.ts";
import { type TaskCriterion, criteriaOf } from "../../domain/evidence/e2e-criteria.ts";
import { needsE2eTests, type TestLayer } from "../../domain/evidence/test-layer.ts";
import { type Placed, shelfOf } from "../../engineering/ship/shelf.ts";
import type { StateStore } from "../../store/state-store.ts";
import { lineOf } from "../scope.ts";

export interface WholeProduct {
  criteria: TaskCriterion[];
  placed: Placed[];
  /** The names of the modules that each task is done with. */
  modulesOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same for the same criteria and modules. */
  key: string;
}

/** Undefined where no end-to-end tests are due. */
export async function wholeProduct(
  store: StateStore,
  rigor: { layers: readonly TestLayer[] },
): Promise<WholeProduct | undefined> {
  if ((await store.project.head()) === undefined) return undefined;
  const entries = await store.project.entries();
  const shipped = entries.filter(([, { status }]) => status === "SHIPPED");
  const allVerified =
    shipped.length > 0 && entries.every(([, { status }]) => status === "SHIPPED" || status === "ABANDONED");
  const placed = (await shelfOf({ store })).product();
  if (!needsE2eTests(rigor, { allVerified, modules: placed.map(({ record }) => record) })) return undefined;
  const records = await Promise.all(shipped.map(([task]) => store.project.task(task)));
  // The task of an approved change asks for what the one before it has asked for.
  const asked = records.filter(({ change }) => change === null);
  const criteria = criteriaOf(asked.map(({ file }) => file));
  const modulesOf = new Map(asked.map(({ taskId, entry }) => [taskId, namesOf(placed, entry.module_refs)]));
  const modules = placed.map(({ name, record }) => `${name} ${record.module}`).toSorted();
  return { criteria, placed, modulesOf, key: canonicalHash({ criteria, modules }) };
}

/** A task is done with the newest version of the line that it made. */
function namesOf(placed: readonly Placed[], refs: readonly string[]): Set<string> {
  const lines = new Set(refs.map(lineOf));
  return new Set(placed.filter(({ record }) => lines.has(lineOf(record.module))).map(({ name }) => name));
}
