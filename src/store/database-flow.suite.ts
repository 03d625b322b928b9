// The contract of the journal and the inbox: one order for all, and one answer for each question.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../domain/run/run-event.ts";
import { eventSample, HOSTILE, questionSample } from "./database-samples.suite.ts";
import { acquire } from "./database-bench.suite.ts";
import type { Bench } from "./database-bench.suite.ts";
import { tail } from "./local/journal.ts";

export function inboxAndJournalSuite(bench: () => Bench): void {
  journalSuite(bench);
  tailSuite(bench);
  askingSuite(bench);
  answeringSuite(bench);
}

const places = (events: RunEvent[]) => events.map(({ seq }) => seq);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

function journalSuite(bench: () => Bench): void {
  describe("the journal", () => {
    it("starts empty, counts from 1 and gives back what it took", async () => {
      const { one, two, fence } = bench();
      expect(await one.journal.latest()).toBe(0);
      expect(await one.journal.read(0, 10)).toEqual([]);
      const taken = await one.journal.append(fence, [eventSample("a"), eventSample("b")]);
      expect(taken).toEqual([
        { ...eventSample("a"), seq: 1 },
        { ...eventSample("b"), seq: 2 },
      ]);
      expect(await two.journal.read(0, 10)).toEqual(taken);
      expect(await two.journal.latest()).toBe(2);
    });

    it("takes nothing, and still looks at the fence", async () => {
      const { one, fence } = bench();
      expect(await one.journal.append(fence, [])).toEqual([]);
      await expect(one.journal.append({ ...fence, token: 0 }, [])).rejects.toMatchObject({
        code: "stale_fence",
      });
    });

    it("has no gap and keeps each batch together when many write at once", async () => {
      const { one, two, fence } = bench();
      const other = await acquire(two, "run:r-2", "worker-b");
      const batches = await Promise.all(
        Array.from({ length: 40 }, (_, n) => {
          const events = Array.from({ length: n % 4 }, (_, k) => eventSample(`${n}.${k}`, `r-${n % 2}`));
          return n % 2 === 0 ? one.journal.append(fence, events) : two.journal.append(other, events);
        }),
      );
      const all = await one.journal.read(0, 1000);
      expect(places(all)).toEqual(upTo(60));
      for (const batch of batches) {
        const start = batch[0]?.seq ?? 0;
        expect(all.slice(start - 1, start - 1 + batch.length)).toEqual(batch);
      }
    });

    it("reads pages of one run or of all like a filter over a list", async () => {
      const { one, fence } = bench();
      const runs = ["r-1", "r-2", "' OR 1=1 --", "r-1"];
      const written = await one.journal.append(
        fence,
        Array.from({ length: 30 }, (_, n) => eventSample(String(n), runs[(n * 7) % 4] ?? "")),
      );
      const anyRun = fc.constantFrom(undefined, ...runs, "r-3", "");
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 33 }), fc.nat({ max: 33 }), anyRun, async (after, limit, run) => {
          const naive = written.filter(
            ({ seq, runId }) => seq > after && (run === undefined || runId === run),
          );
          expect(await one.journal.read(after, limit, run)).toEqual(naive.slice(0, limit));
        }),
      );
    });

    it.each([
      [-1, 1],
      [0, -1],
      [0.5, 1],
      [0, 1.5],
      [Number.NaN, 1],
      [0, Number.POSITIVE_INFINITY],
    ])("reads nothing after %d with the limit %d", async (after, limit) => {
      await expect(bench().one.journal.read(after, limit)).rejects.toMatchObject({ code: "invalid_input" });
    });

    it.each([
      ["unicode", "Straße 東京 🦊 e\u0301 \u2028."],
      ["NUL", "a\0b"],
      ["half a character", "\ud83e"],
      ["quotes", `'"\`; DROP TABLE journal; --`],
      ["a megabyte", "ü🦊".repeat(175_000)],
    ])("keeps %s as it is", async (_what, reason) => {
      const { one, two, fence } = bench();
      await one.journal.append(fence, [eventSample(reason)]);
      expect(await two.journal.read(0, 1)).toEqual([{ ...eventSample(reason), seq: 1 }]);
    });

    it("takes a thousand events in one piece", async () => {
      const { one, fence } = bench();
      await one.journal.append(
        fence,
        upTo(1000).map((n) => eventSample(String(n))),
      );
      expect(places(await one.journal.read(0, 2000))).toEqual(upTo(1000));
    });
  });
}

function tailSuite(bench: () => Bench): void {
  describe("the tail", () => {
    it("gives what is there, then what others write, soon after they did", async () => {
      const { one, two, fence } = bench();
      await one.journal.append(fence, [eventSample("a"), eventSample("b")]);
      const stop = new AbortController();
      const follower = tail(two.journal, 1, { signal: stop.signal, pollMs: 20 });
      expect(await follower.next()).toMatchObject({ value: { seq: 2 } });
      const next = follower.next();
      await one.journal.append(fence, [eventSample("c")]);
      const written = performance.now();
      expect(await next).toMatchObject({ value: { seq: 3, reason: "c" } });
      // A poll and a very slow machine; the point is that it does not wait for ever.
      expect(performance.now() - written).toBeLessThan(5000);
      stop.abort();
      expect(await follower.next()).toEqual({ done: true, value: undefined });
    });

    it("misses and repeats nothing while others write", async () => {
      const { one, two, fence } = bench();
      const stop = new AbortController();
      const seen: number[] = [];
      const following = (async () => {
        for await (const { seq } of tail(two.journal, 0, { signal: stop.signal, pollMs: 1 })) {
          seen.push(seq);
          if (seq === 700) stop.abort();
        }
      })();
      for (let n = 0; n < 100; n++) {
        await one.journal.append(
          fence,
          upTo(7).map((k) => eventSample(`${n}.${k}`)),
        );
        if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await following;
      expect(seen).toEqual(upTo(700));
    });

    it("ends at once when it is stopped while it waits, or before it starts", async () => {
      const { one, fence } = bench();
      const stop = new AbortController();
      const waiting = tail(one.journal, 0, { signal: stop.signal, pollMs: 60_000 }).next();
      setTimeout(() => stop.abort(), 5);
      expect(await waiting).toEqual({ done: true, value: undefined });
      await one.journal.append(fence, [eventSample("a")]);
      expect(await tail(one.journal, 0, { signal: stop.signal }).next()).toMatchObject({ done: true });
    });
  });
}

function askingSuite(bench: () => Bench): void {
  describe("asking", () => {
    it("puts questions in the inbox, the oldest first, until they are answered", async () => {
      const { one, two, fence } = bench();
      const questions = ["q-2", "q-1", `q"'\`; --`, "__proto__", "x".repeat(500)].map((id) =>
        questionSample(id),
      );
      for (const question of questions) await one.inbox.ask(fence, question);
      expect(await two.inbox.open()).toEqual(questions);
      expect(await two.inbox.find("q-1")).toEqual({ question: questionSample("q-1"), answer: null });
      await two.inbox.answer("q-1", {}, "Ada");
      expect(await one.inbox.open()).toEqual(questions.filter(({ id }) => id !== "q-1"));
      expect(await one.inbox.find("q-9")).toBeUndefined();
    });

    it("again changes nothing, at whatever time and in whatever order of keys", async () => {
      const { one, two, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1"));
      const later = "2026-11-16T12:00:00Z";
      await two.inbox.ask(fence, questionSample("q-1", { body: { cap: 5, spent: 5 }, askedAt: later }));
      expect(await one.inbox.open()).toEqual([questionSample("q-1")]);
    });

    it("again after the answer keeps the answer", async () => {
      const { one, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1"));
      await one.inbox.answer("q-1", { usd: 1 }, "Ada");
      await one.inbox.ask(fence, questionSample("q-1"));
      expect(await one.inbox.open()).toEqual([]);
      expect(await one.inbox.find("q-1")).toMatchObject({ answer: { answer: { usd: 1 } } });
    });

    it.each([
      { kind: "clarification" } as const,
      { runId: "r-2" },
      { title: "Another" },
      { body: { spent: 5, cap: 6 } },
      { body: null },
      { answerSchema: "TaskId" },
    ])("the same id with %j is another question", async (change) => {
      const { one, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1"));
      await expect(one.inbox.ask(fence, questionSample("q-1", change))).rejects.toMatchObject({
        code: "already_exists",
      });
      expect(await one.inbox.open()).toEqual([questionSample("q-1")]);
    });

    it("for an answer of an unknown schema names the likely one", async () => {
      const { one, fence } = bench();
      const question = questionSample("q-1", { answerSchema: "Budgett" });
      await expect(one.inbox.ask(fence, question)).rejects.toMatchObject({
        code: "usage",
        expected: "perhaps Budget",
        hint: "cupel schema",
      });
    });

    it.each(HOSTILE)("with $what for an id is refused", async ({ text: id }) => {
      const { one, fence } = bench();
      await expect(one.inbox.ask(fence, questionSample(id))).rejects.toMatchObject({ code: "invalid_input" });
      expect(await one.inbox.find(id)).toBeUndefined();
    });

    it.each([
      null,
      "",
      "a\0🦊",
      [],
      { deep: [{ er: 1e21 }] },
      JSON.parse('{"__proto__":{"a":1}}') as unknown,
    ])("keeps the body %j as it is", async (body) => {
      const { one, two, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1", { body }));
      expect(JSON.stringify((await two.inbox.find("q-1"))?.question.body)).toBe(JSON.stringify(body));
    });
  });
}

function answeringSuite(bench: () => Bench): void {
  describe("answering", () => {
    const first = {
      questionId: "q-1",
      answer: { usd: 5 },
      by: "Zoë 🦊",
      answeredAt: "2026-11-15T12:00:00.000Z",
    };

    it("keeps the first valid answer; who comes later hears it, whatever they say", async () => {
      const { one, two, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1"));
      expect(await one.inbox.answer("q-1", { usd: -1, eur: 3 }, "Ada")).toEqual({
        kind: "invalid",
        problems: [
          "$.usd: expected more than 0, found -1",
          '$.eur: expected one of the keys minutes, tokens, usd, found the unknown key "eur"',
        ],
      });
      const answer = { ...first, appliedAt: null };
      expect(await two.inbox.answer("q-1", { usd: 5 }, "Zoë 🦊")).toEqual({ kind: "accepted", answer });
      expect(await one.inbox.answer("q-1", { usd: 6 }, "Ada")).toEqual({
        kind: "already-answered",
        first: answer,
      });
      expect(await one.inbox.answer("q-1", "nonsense", "Ada")).toMatchObject({ kind: "already-answered" });
      expect(await one.inbox.find("q-1")).toEqual({ question: questionSample("q-1"), answer });
    });

    it("needs a question and a name", async () => {
      const { one, fence } = bench();
      expect(await one.inbox.answer("q-1", {}, "Ada")).toEqual({ kind: "unknown-question" });
      await one.inbox.ask(fence, questionSample("q-1"));
      for (const by of ["", " ", "A\0"]) {
        await expect(one.inbox.answer("q-1", {}, by)).rejects.toMatchObject({ code: "invalid_input" });
      }
      expect(await one.inbox.open()).toHaveLength(1);
    });

    it("has one winner among many, and everybody hears the same", async () => {
      const { one, two, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1"));
      const given = upTo(20).map((usd) =>
        (usd % 2 === 0 ? one : two).inbox.answer("q-1", { usd }, `p-${usd}`),
      );
      const results = await Promise.all(given);
      const accepted = results.flatMap((result) => (result.kind === "accepted" ? [result.answer] : []));
      const late = results.flatMap((result) => (result.kind === "already-answered" ? [result.first] : []));
      expect(accepted).toHaveLength(1);
      expect(late).toEqual(Array.from({ length: 19 }, () => accepted[0]));
    });

    it("is applied exactly once, and not before there is an answer", async () => {
      const { one, two, clock, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1"));
      expect(await one.inbox.markApplied(fence, "q-1")).toBe(false);
      expect(await one.inbox.markApplied(fence, "q-9")).toBe(false);
      await one.inbox.answer("q-1", { usd: 5 }, "Zoë 🦊");
      clock.now += 500;
      const marks = upTo(10).map((n) => (n % 2 === 0 ? one : two).inbox.markApplied(fence, "q-1"));
      expect((await Promise.all(marks)).filter(Boolean)).toHaveLength(1);
      clock.now += 500;
      expect(await one.inbox.markApplied(fence, "q-1")).toBe(false);
      const appliedAt = "2026-11-15T12:00:00.500Z";
      expect((await two.inbox.find("q-1"))?.answer).toEqual({ ...first, appliedAt });
    });
  });
}
