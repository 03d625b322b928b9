import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestRetry } from "../agent/exit.ts";
import { parse } from "../parse.ts";
import { afterRequest, afterSilence, attemptAt, forgetAttempts, MOST_ATTEMPTS, Retries } from "./retry.ts";

const request = (strategy: string): RequestRetry => ({
  kind: "request_retry",
  why: "two tests fail",
  strategy,
});

describe("attempts", () => {
  it("are counted up to the limit, the last one announced, and then it is stuck", () => {
    let retries: Retries = {};
    const seen: [number, boolean, number][] = [];
    for (;;) {
      const { attempt, last, before } = attemptAt(retries, "impl");
      seen.push([attempt, last, before.length]);
      const next = afterRequest(retries, "impl", request(`plan ${attempt}`));
      if (next.kind === "stuck") {
        expect(next).toEqual({ kind: "stuck", attempts: MOST_ATTEMPTS });
        break;
      }
      retries = next.retries;
    }
    expect(seen).toEqual([
      [1, false, 0],
      [2, false, 1],
      [3, false, 2],
      [4, false, 3],
      [5, true, 4],
    ]);
    expect(attemptAt(retries, "impl").before.map(({ strategy }) => strategy)).toEqual([
      "plan 1",
      "plan 2",
      "plan 3",
      "plan 4",
    ]);
  });

  it("are counted for each thing by itself, and anew when it was settled", () => {
    const once = afterRequest({}, "impl", request("x"));
    const retries = once.kind === "again" ? once.retries : {};
    expect(attemptAt(retries, "tests").attempt).toBe(1);
    expect(attemptAt(retries, "impl").attempt).toBe(2);
    expect(attemptAt(forgetAttempts(retries, "impl"), "impl").attempt).toBe(1);
    expect(attemptAt(retries, "constructor").attempt).toBe(1);
  });

  it("come to exactly the limit, whatever it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (attempts) => {
        let retries: Retries = {};
        for (let made = 1; ; made++) {
          expect(attemptAt(retries, "impl", attempts)).toMatchObject({
            attempt: made,
            last: made === attempts,
          });
          const next = afterRequest(retries, "impl", request("x"), attempts);
          if (next.kind === "stuck") break;
          retries = next.retries;
        }
      }),
    );
  });

  it("beyond the limit are refused", () => {
    const four = { impl: Array.from({ length: 5 }, () => request("x")) };
    expect(() => attemptAt(four, "impl")).toThrow("there is no attempt 6 of 5 at impl");
    expect(() => afterRequest(four, "impl", request("x"))).toThrow("there is no attempt 6 of 5");
  });
});

describe("what is kept of them", () => {
  it.each([
    [{ impl: [request("x")], "tests:MM-slug": [] }, "ok"],
    [{ Impl: [] }, "invalid"],
    [{ impl: 3 }, "invalid"],
    [{ impl: [{ ...request("x"), attempt: 1 }] }, "invalid"],
  ])("%j is %s", (value, kind) => {
    expect(parse(Retries, value).kind).toBe(kind);
  });
});

it("reminds the silent once", () => {
  expect([afterSilence(false), afterSilence(true)]).toEqual(["nudge", "timed-out"]);
});
