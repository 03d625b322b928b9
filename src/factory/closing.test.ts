import { expect, test } from "vitest";
import { closing } from "./closing.ts";

test("everything is closed in the opposite order, also when a part of it fails, and only once", async () => {
  const closed: string[] = [];
  const open = closing();
  open.add(() => void closed.push("store"));
  open.add(async () => {
    closed.push("lease");
    throw new Error("lease");
  });
  open.add(() => {
    closed.push("graphs");
    throw new Error("graphs");
  });
  const [first, second] = [open.close(), open.close()];
  await expect(first).rejects.toThrow("graphs");
  await expect(second).rejects.toThrow("graphs");
  expect(closed).toEqual(["graphs", "lease", "store"]);
});
