// The contract of leases: one holder at a time, tokens that only grow, and a clock that decides.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acquire, everythingIn, HOLDER } from "./database-bench.suite.ts";
import type { Bench } from "./database-bench.suite.ts";
import { HOSTILE } from "./database-samples.suite.ts";

export function leasesSuite(bench: () => Bench): void {
  describe("a lease", () => {
    it("is refused to others while it is alive, and says who has it until when", async () => {
      const { two, clock } = bench();
      clock.now += 999;
      expect(await two.leases.acquire("run:r-1", "worker-b", 1000)).toEqual({
        kind: "held",
        by: HOLDER,
        expiresAt: "2026-11-15T12:00:01.000Z",
      });
    });

    it("goes to the next one the moment it expires, with a greater token", async () => {
      const { one, two, clock, fence } = bench();
      clock.now += 1000;
      const next = await acquire(two, "run:r-1", "worker-b");
      expect(next.token).toBeGreaterThan(fence.token);
      await expect(one.leases.heartbeat(fence, 1000)).rejects.toMatchObject({ code: "stale_fence" });
    });

    it("is kept by heartbeats, also by one that comes late but before anybody else", async () => {
      const { one, two, clock, fence } = bench();
      clock.now += 5000;
      await one.leases.heartbeat(fence, 1000);
      clock.now += 999;
      expect(await two.leases.acquire("run:r-1", "worker-b", 1000)).toMatchObject({ kind: "held" });
    });

    it("gives its own holder a new token, and the old one is stale", async () => {
      const { one, fence } = bench();
      const again = await acquire(one, "run:r-1", HOLDER);
      expect(again.token).toBeGreaterThan(fence.token);
      await expect(one.leases.release(fence)).rejects.toMatchObject({ code: "stale_fence" });
    });

    it("is free after its release, and its tokens go on growing", async () => {
      const { one, two, fence } = bench();
      await one.leases.release(fence);
      expect(await one.leases.list()).toEqual([]);
      const next = await acquire(two, "run:r-1", "worker-b");
      expect(next.token).toBeGreaterThan(fence.token);
    });

    it("is listed by name, also when it has expired and nobody took it", async () => {
      const { one, clock, fence } = bench();
      const other = await acquire(one, "a'; DROP TABLE leases; --", "Zoë 🦊", 5);
      clock.now += 10_000;
      expect(await one.leases.list()).toEqual([
        { ...other, holder: "Zoë 🦊", expiresAt: "2026-11-15T12:00:00.005Z" },
        { ...fence, holder: HOLDER, expiresAt: "2026-11-15T12:00:01.000Z" },
      ]);
    });

    it("has one winner among many who ask at once", async () => {
      const { one, two } = bench();
      const asked = Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : two).leases.acquire("run:r-2", `worker-${n}`, 1000),
      );
      const results = await Promise.all(asked);
      expect(results.filter(({ kind }) => kind === "acquired")).toHaveLength(1);
    });

    it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 86_400_001])(
      "never lasts %d ms",
      async (ttlMs) => {
        const { one, fence } = bench();
        const before = await everythingIn(one);
        await expect(one.leases.acquire("run:r-2", "worker-b", ttlMs)).rejects.toMatchObject({
          code: "invalid_input",
        });
        await expect(one.leases.heartbeat(fence, ttlMs)).rejects.toMatchObject({ code: "invalid_input" });
        expect(await everythingIn(one)).toBe(before);
      },
    );

    it.each(HOSTILE)("has neither $what for a name nor for a holder", async ({ text }) => {
      const { one } = bench();
      await expect(one.leases.acquire(text, "worker-b", 1000)).rejects.toMatchObject({
        code: "invalid_input",
      });
      await expect(one.leases.acquire("run:r-2", text, 1000)).rejects.toMatchObject({
        code: "invalid_input",
      });
    });

    it("takes names of 500 characters and tells names apart that look alike", async () => {
      const { one } = bench();
      const names = ["x".repeat(500), `${"x".repeat(499)}y`, "é", "e\u0301", "E", "e", "__proto__", "\ufffd"];
      for (const name of names) expect((await acquire(one, name, HOLDER)).token).toBe(1);
      await expect(one.leases.release({ name: "\ud800", token: 1 })).rejects.toMatchObject({
        code: "stale_fence",
      });
      expect(await one.leases.list()).toHaveLength(names.length + 1);
    });

    it("behaves like a plain list of owners, whatever happens in which order", async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          expect(await observe(bench(), `model:${round++}`, steps)).toEqual(predict(steps));
        }),
        { numRuns: 40 },
      );
    });
  });
}

const step = fc.oneof(
  fc.record({ act: fc.constant("acquire" as const), who: fc.constantFrom("a", "b", "c") }),
  fc.record({ act: fc.constantFrom("heartbeat" as const, "release" as const), token: fc.nat({ max: 6 }) }),
  fc.record({ act: fc.constant("wait" as const), ms: fc.constantFrom(1, 50, 99, 100, 101) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What really happens, on one connection and the other in turn. */
async function observe({ one, two, clock }: Bench, name: string, steps: Step[]): Promise<string[]> {
  const seen: string[] = [];
  for (const [index, taken] of steps.entries()) {
    const { leases } = index % 2 === 0 ? one : two;
    if (taken.act === "wait") clock.now += taken.ms;
    else if (taken.act === "acquire") {
      const result = await leases.acquire(name, taken.who, 100);
      seen.push(result.kind === "acquired" ? `token ${result.fence.token}` : `held by ${result.by}`);
    } else {
      const fence = { name, token: taken.token };
      const call = taken.act === "release" ? leases.release(fence) : leases.heartbeat(fence, 100);
      seen.push(await call.then(() => "done", String));
    }
  }
  return seen.map((outcome) => (outcome.startsWith("CupelError") ? "refused" : outcome));
}

/** The oracle remembers one owner, and how many there have been. */
function predict(steps: Step[]): string[] {
  let now = 0;
  let owner: { who: string; until: number } | undefined;
  let owners = 0;
  return steps.flatMap((taken) => {
    if (taken.act === "wait") {
      now += taken.ms;
      return [];
    }
    if (taken.act === "acquire") {
      if (owner !== undefined && owner.who !== taken.who && owner.until > now)
        return [`held by ${owner.who}`];
      owner = { who: taken.who, until: now + 100 };
      owners += 1;
      return [`token ${owners}`];
    }
    if (owner === undefined || taken.token !== owners) return ["refused"];
    owner = taken.act === "release" ? undefined : { ...owner, until: now + 100 };
    return ["done"];
  });
}
