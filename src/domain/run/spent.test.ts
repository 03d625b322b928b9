import { expect, test } from "vitest";
import type { Usage } from "./run-event.ts";
import { addSpent, NOTHING_SPENT } from "./spent.ts";

const read = (inputTokens: number, cachedInputTokens?: number): Usage => ({
  inputTokens,
  outputTokens: 1,
  ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
});

test.each<[string, Usage, Usage, Usage]>([
  ["both known", read(5), read(7), { inputTokens: 12, outputTokens: 2 }],
  ["one unknown", read(5), "unknown", "unknown"],
  ["both cached", read(5, 2), read(7, 3), { inputTokens: 12, outputTokens: 2, cachedInputTokens: 5 }],
  ["one of which did not tell", read(5, 2), read(7), { inputTokens: 12, outputTokens: 2 }],
  [
    "one of which read nothing",
    read(5, 2),
    read(0),
    { inputTokens: 5, outputTokens: 2, cachedInputTokens: 2 },
  ],
])("%s", (_, a, b, usage) => {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    expect(addSpent({ usage: one, costUsd: 1 }, { usage: other, costUsd: 2 })).toEqual({ usage, costUsd: 3 });
});

test("nothing is added to nothing, and an unknown price stays unknown", () => {
  expect(addSpent(NOTHING_SPENT, NOTHING_SPENT)).toEqual(NOTHING_SPENT);
  expect(addSpent(NOTHING_SPENT, { ...NOTHING_SPENT, costUsd: "unknown" }).costUsd).toBe("unknown");
});
