// The contract of refusals: a stale fence stops every method that writes, and what is refused leaves no trace.
import { describe, expect, it } from "vitest";
import { acquire, everythingIn, furnish, HOLDER } from "./database-bench.suite.ts";
import type { Bench } from "./database-bench.suite.ts";
import {
  accessSample,
  AT,
  artifactSample,
  budgetSample,
  contributionSample,
  eventSample,
  headSample,
  moduleSample,
  questionSample,
  shipSample,
  TASK,
  taskSample,
  rootSample,
} from "./database-samples.suite.ts";
import type { FullDatabase } from "./local/database.ts";
import type { Fence } from "./port.ts";

type Call = (database: FullDatabase, fence: Fence) => Promise<unknown>;

/** Every method that changes something in somebody's name; a test below finds out when one is missing. */
const MUTATING: Record<string, Call> = {
  "leases.heartbeat": ({ leases }, fence) => leases.heartbeat(fence, 5000),
  "leases.release": ({ leases }, fence) => leases.release(fence),
  "journal.append": ({ journal }, fence) => journal.append(fence, [eventSample("new")]),
  "inbox.ask": ({ inbox }, fence) => inbox.ask(fence, questionSample("q-2")),
  "inbox.markApplied": ({ inbox }, fence) => inbox.markApplied(fence, "q-1"),
  "budgets.keep": ({ budgets }, fence) => budgets.keep(fence, "r-1", budgetSample(2)),
  "artifacts.insert": ({ artifacts }, fence) => artifacts.insert(fence, artifactSample(2)),
  "artifacts.setStatus": ({ artifacts }, fence) =>
    artifacts.setStatus(fence, "IMPL-00000001", "DRAFT", "CHALLENGED"),
  "artifacts.appendContribution": ({ artifacts }, fence) =>
    artifacts.appendContribution(fence, contributionSample(2)),
  "packAudit.append": ({ packAudit }, fence) => packAudit.append(fence, [accessSample("/new")]),
  "modules.record": ({ modules }, fence) => modules.record(fence, moduleSample("2.0.0")),
  "modules.seal": ({ modules }, fence) => modules.seal(fence, "MM-slug", "1.0.0"),
  "ships.commit": ({ ships }, fence) => ships.commit(fence, fence, shipSample("2.0.0", 12)),
  "project.takeRun": ({ project }, fence) => project.takeRun(fence, "r-1"),
  "project.begin": ({ project }, fence) => project.begin(fence, headSample(), [], "approved"),
  "project.commit": ({ project }, fence) => project.commit(fence, { at: AT, events: [eventSample("new")] }),
  "project.published": ({ project }, fence) => project.published(fence, [{ taskId: TASK, revision: 1 }]),
  "trees.begin": ({ trees }, fence) => trees.begin(fence, "t-2", rootSample()),
  "trees.append": ({ trees }, fence) =>
    trees.append(fence, "t-1", "e-1", { kind: "unfolded", node: "root", children: [] }),
  "ships.finish": ({ ships }, fence) => ships.finish(fence, "MM-shipped@1.0.0", "c".repeat(40)),
};
/** People answer without a lease, and a lease cannot be asked for before it is given. */
const FREE = ["leases.acquire", "inbox.answer", "inbox.volunteer"];
const READING = [
  "leases.assert",
  "leases.list",
  "journal.read",
  "journal.latest",
  "inbox.open",
  "inbox.find",
  "inbox.unapplied",
  "project.currentRun",
  "project.head",
  "project.entries",
  "project.task",
  "project.paths",
  "project.unpublished",
  "budgets.find",
  "artifacts.get",
  "artifacts.query",
  "artifacts.contributions",
  "packAudit.list",
  "modules.isSealed",
  "modules.get",
  "modules.list",
  "ships.get",
  "ships.list",
  "trees.read",
  "trees.isTold",
  "trees.names",
];

const STALE: Record<string, (bench: Bench) => Promise<Fence>> = {
  "a lease that was taken over": async ({ two, clock, fence }) => {
    clock.now += 1000;
    await acquire(two, fence.name, "worker-b");
    return fence;
  },
  "a lease that its own holder took again": async ({ one, fence }) => {
    await acquire(one, fence.name, HOLDER);
    return fence;
  },
  "a lease that was released": async ({ one, fence }) => {
    await one.leases.release(fence);
    return fence;
  },
  "a lease that never was": async () => ({ name: "run:r-9", token: 1 }),
  "a token from the future": async ({ fence }) => ({ ...fence, token: fence.token + 1 }),
  "a token that is no number": async ({ fence }) => ({ ...fence, token: Number.NaN }),
};

export function fencesSuite(bench: () => Bench): void {
  describe("a fence", () => {
    it("is asked for by every method that is not known to read", () => {
      const { leases, journal, inbox, budgets, artifacts, packAudit, modules, ships, trees, project } =
        bench().one;
      const parts = { leases, journal, inbox, budgets, artifacts, packAudit, modules, ships, trees, project };
      expect(Object.keys(bench().one).toSorted()).toEqual([...Object.keys(parts), "close"].toSorted());
      const methods = Object.entries(parts).flatMap(([part, object]) =>
        Object.getOwnPropertyNames(Object.getPrototypeOf(object)).map((method) => `${part}.${method}`),
      );
      const known = [...Object.keys(MUTATING), ...FREE, ...READING];
      expect(methods.filter((method) => !method.endsWith(".constructor")).toSorted()).toEqual(
        known.toSorted(),
      );
    });

    describe.each(Object.keys(MUTATING))("of %s", (method) => {
      it.each(Object.keys(STALE))("is refused for %s, and nothing changes", async (staleness) => {
        await furnish(bench().one, bench().fence);
        const fence = await STALE[staleness]?.(bench());
        const { one } = bench();
        const before = await everythingIn(one);
        if (fence === undefined) throw new Error("no fence to try");
        await expect(MUTATING[method]?.(one, fence)).rejects.toMatchObject({
          code: "stale_fence",
          message: expect.stringContaining(fence.name),
          hint: expect.stringContaining("run the same command again"),
        });
        expect(await everythingIn(one)).toBe(before);
      });

      it("holds after its time is up, as long as nobody took over", async () => {
        await furnish(bench().one, bench().fence);
        const { one, two, clock, fence } = bench();
        if (method === "project.published")
          await one.project.begin(fence, headSample(), [taskSample(1)], "approved");
        clock.now += 10_000;
        const before = await everythingIn(two);
        await MUTATING[method]?.(one, fence);
        expect(await everythingIn(two)).not.toBe(before);
      });
    });

    it("names the one who holds the lease now", async () => {
      const { one, two, clock, fence } = bench();
      clock.now += 1000;
      await acquire(two, fence.name, "worker-b");
      await expect(one.journal.append(fence, [])).rejects.toThrow(/"run:r-1" is held by "worker-b" now/);
    });
  });
}

export function refusalsSuite(bench: () => Bench): void {
  const twice = { ...artifactSample(2), lineage: "IMPL-00000001" };
  const cases: [string, string, Call][] = [
    [
      "an event that does not fit its schema",
      "invalid_input",
      ({ journal }, fence) => journal.append(fence, [eventSample("fine"), eventSample(" ")]),
    ],
    [
      "an event for a run without a usable name",
      "invalid_input",
      ({ journal }, fence) => journal.append(fence, [eventSample("fine"), eventSample("fine", "r\0")]),
    ],
    [
      "an event that has its place already",
      "invalid_input",
      ({ journal }, fence) =>
        journal.append(fence, [eventSample("fine"), Object.assign(eventSample("again"), { seq: 1 })]),
    ],
    [
      "an access that does not fit its schema",
      "invalid_input",
      ({ packAudit }, fence) => packAudit.append(fence, [accessSample("/fine"), accessSample("/x", "")]),
    ],
    [
      "an artifact whose id is taken",
      "already_exists",
      ({ artifacts }, fence) => artifacts.insert(fence, { ...artifactSample(1), lineage: "other" }),
    ],
    [
      "an artifact whose version is taken",
      "already_exists",
      ({ artifacts }, fence) => artifacts.insert(fence, twice),
    ],
    [
      "an artifact whose file leads out",
      "invalid_input",
      ({ artifacts }, fence) =>
        artifacts.insert(fence, { ...artifactSample(2), body: { "../x": `sha256:${"0".repeat(64)}` } }),
    ],
    [
      "a status that does not exist",
      "invalid_input",
      ({ artifacts }, fence) => artifacts.setStatus(fence, "IMPL-00000001", "DRAFT", "DONE"),
    ],
    [
      "the status of nothing",
      "not_found",
      ({ artifacts }, fence) => artifacts.setStatus(fence, "IMPL-00000009", "DRAFT", "CHALLENGED"),
    ],
    [
      "another contribution under an id that is taken",
      "already_exists",
      ({ artifacts }, fence) =>
        artifacts.appendContribution(fence, { ...contributionSample(1), context_pack_ref: "CP-ffffffff" }),
    ],
    [
      "a question whose id is taken",
      "already_exists",
      ({ inbox }, fence) => inbox.ask(fence, questionSample("q-1", { title: "Another one" })),
    ],
    [
      "a question nobody can answer",
      "usage",
      ({ inbox }, fence) => inbox.ask(fence, questionSample("q-2", { answerSchema: "Budgets" })),
    ],
    [
      "a question that JSON cannot hold",
      "not_canonical",
      ({ inbox }, fence) => inbox.ask(fence, questionSample("q-2", { body: { when: new Date(0) } })),
    ],
    [
      "other files for what is sealed",
      "already_exists",
      ({ modules }, fence) => modules.record(fence, moduleSample("1.0.0", "MM-slug", 2)),
    ],
    [
      "a module without files",
      "invalid_input",
      ({ modules }, fence) => modules.record(fence, { ...moduleSample("2.0.0"), files: {} }),
    ],
    ["a seal on nothing", "not_found", ({ modules }, fence) => modules.seal(fence, "MM-slug", "9.0.0")],
  ];

  it.each(cases)("%s is refused (%s) and leaves no trace", async (_what, code, call) => {
    await furnish(bench().one, bench().fence);
    const { one, two, fence } = bench();
    await one.modules.seal(fence, "MM-slug", "1.0.0");
    const before = await everythingIn(two);
    await expect(call(one, fence)).rejects.toMatchObject({ name: "CupelError", code });
    expect(await everythingIn(two)).toBe(before);
  });
}
