import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurn } from "./in-turn.ts";

test("one piece at a time, and what a command waits for comes first", async () => {
  const seen: string[] = [];
  const piece = (name: string, urgency?: "first") =>
    inTurn(async () => {
      seen.push(`${name} begins`);
      await sleep(1);
      seen.push(`${name} ends`);
    }, urgency);
  const one = piece("one");
  await sleep(0);
  await Promise.all([one, piece("two"), piece("three"), piece("urgent", "first")]);
  const order = ["one", "urgent", "two", "three"];
  expect(seen).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("what fails is told to whoever asked, and holds up nothing", async () => {
  const failing = inTurn(() => {
    throw new Error("broken");
  });
  const next = inTurn(() => "done");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
});

test("other work goes on between two pieces", async () => {
  const seen: string[] = [];
  setTimeout(() => seen.push("timer"), 0);
  const block = (name: string) =>
    inTurn(() => {
      const end = performance.now() + 5;
      while (performance.now() < end);
      seen.push(name);
    });
  await Promise.all([block("one"), block("two"), block("three")]);
  expect(seen.indexOf("timer")).toBeLessThan(2);
});
