// What the suites of the database contract share: a store with two connections, and ways to fill it and to look at it.
import { canonicalJson } from "../domain/canonical.ts";
import {
  accessSample,
  artifactSample,
  budgetSample,
  contributionSample,
  eventSample,
  moduleSample,
  questionSample,
  shipSample,
  rootSample,
} from "./database-samples.suite.ts";
import type { FullDatabase } from "./local/database.ts";
import type { Fence } from "./port.ts";

/** One empty store that several connections can share, as several processes would. */
export interface SuiteStore {
  connect(now: () => number): Promise<FullDatabase>;
  destroy(): Promise<void>;
}

/** What each test gets: two connections, a clock that stands still, and a lease that is held. */
export interface Bench {
  store: SuiteStore;
  one: FullDatabase;
  two: FullDatabase;
  clock: { now: number };
  fence: Fence;
}

/** Who holds the bench's lease. */
export const HOLDER = "worker-a";

export async function acquire(
  database: FullDatabase,
  name: string,
  holder: string,
  ttlMs = 1000,
): Promise<Fence> {
  const result = await database.leases.acquire(name, holder, ttlMs);
  if (result.kind === "held") throw new Error(`${name} is held by ${result.by}`);
  return result.fence;
}

/** Everything a caller can see, so that a refused call can be shown to have left no trace. */
export async function everythingIn(database: FullDatabase): Promise<string> {
  const questions = ["q-1", "q-2"].map((id) => database.inbox.find(id));
  return canonicalJson([
    await database.leases.list(),
    await database.journal.read(0, 1000),
    (await Promise.all(questions)).map((found) => found ?? null),
    await database.inbox.open(),
    (await database.budgets.find("r-1")) ?? null,
    await database.artifacts.query({}),
    await database.artifacts.contributions(),
    await database.packAudit.list(),
    await database.modules.list(),
    await database.ships.list(),
    await database.trees.names(),
    (await database.trees.read("t-1")) ?? null,
    (await database.project.currentRun()) ?? null,
    (await database.project.head()) ?? null,
    await database.project.entries(),
    await database.project.unpublished(100),
  ]);
}

/** One of everything, so that there is something to overwrite. */
export async function furnish(one: FullDatabase, fence: Fence): Promise<void> {
  await one.journal.append(fence, [eventSample("old")]);
  await one.inbox.ask(fence, questionSample("q-1"));
  await one.inbox.answer("q-1", { usd: 5 }, "Ada");
  await one.budgets.keep(fence, "r-1", budgetSample(1));
  await one.artifacts.insert(fence, artifactSample(1));
  await one.artifacts.appendContribution(fence, contributionSample(1));
  await one.packAudit.append(fence, [accessSample("/old")]);
  await one.modules.record(fence, moduleSample());
  await one.ships.commit(fence, fence, shipSample("1.0.0", 11));
  await one.trees.begin(fence, "t-1", rootSample());
}
