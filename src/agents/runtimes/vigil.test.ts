import { describe, expect, test } from "vitest";
import { keepVigil, type Vigil } from "./vigil.ts";

const wait = (ms: number): Promise<"still"> =>
  new Promise((resolve) => {
    setTimeout(() => resolve("still"), ms);
  });

describe("a vigil", () => {
  test.each<[string, string, (vigil: Vigil) => unknown]>([
    ["an agent that was heard and then is not", "silent", (vigil) => vigil.heard()],
    ["an agent that has not come up yet", "still", () => undefined],
    [
      "an agent that is heard again and again",
      "still",
      (vigil) => setInterval(() => vigil.heard(), 10).unref(),
    ],
    ["an agent that said it waits", "still", (vigil) => vigil.excuse(10_000)],
    [
      "an agent that waits for a tool of ours",
      "still",
      (vigil) => (vigil.heard(), vigil.during(() => wait(9000))),
    ],
    [
      "an agent that is silent after a tool of ours",
      "silent",
      (vigil) => vigil.during(() => Promise.reject(new Error("x"))).catch(() => undefined),
    ],
    [
      "an agent with two tools at once, of which one is done",
      "still",
      (vigil) => Promise.all([vigil.during(() => wait(9000)), vigil.during(() => wait(1))]),
    ],
  ])("for %s ends %s", async (_, expected, act) => {
    expect(await within(200, act)).toBe(expected);
  });

  test("ends when it is told to, also before it began, and not once it is closed", async () => {
    const controller = new AbortController();
    const vigil = keepVigil(1000, controller.signal);
    const closed = keepVigil(1000, controller.signal);
    closed.close();
    controller.abort();
    expect(await vigil.over).toBe("aborted");
    expect(await keepVigil(1000, controller.signal).over).toBe("aborted");
    expect(await Promise.race([closed.over, wait(30)])).toBe("still");
  });
});

async function within(ms: number, act: (vigil: Vigil) => unknown): Promise<string> {
  const vigil = keepVigil(60, new AbortController().signal);
  void act(vigil);
  const ending = await Promise.race([vigil.over, wait(ms)]);
  vigil.close();
  return ending;
}
