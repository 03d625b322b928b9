// One at a time by name, in the order of asking, whatever becomes of those before.
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("turns of one name follow each other, also after one that failed; other names do not wait", async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const doors: (() => void)[] = [];
  const gate = new Promise<void>((resolve) => void doors.push(resolve));
  const first = turns.take("a", async () => {
    await gate;
    seen.push("first");
    throw new Error("no");
  });
  const second = turns.take("a", async () => seen.push("second"));
  await turns.take("b", async () => seen.push("other"));
  for (const open of doors) open();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(seen).toEqual(["other", "first", "second"]);
});
