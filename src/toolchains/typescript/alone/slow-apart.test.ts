import { expect, test } from "vitest";
import { send } from "../differ/episode.ts";
import { slowApart } from "./slow-apart.ts";

const small = Array.from({ length: 30 }, (_, at) => [send(at), send("9".repeat(20))]);
const large = [[send(100_001)], [send([{ up: { to: -2e9 } }])], [send(9_999_999n)], [send(new Set([1e6]))]];

test("calls with a large number anywhere in them come last", () => {
  expect(slowApart([...large, ...small])).toEqual({ near: small, slow: large });
});

test("unless there are hardly any others, as where numbers are moments", () => {
  const calls = [...large, ...small.slice(1)];
  expect(slowApart(calls)).toEqual({ near: calls, slow: [] });
});
