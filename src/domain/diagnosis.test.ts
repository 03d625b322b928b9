// What doctor concludes from its checks.
import { expect, test } from "vitest";
import { diagnose, Diagnosis } from "./diagnosis.ts";
import type { Check } from "./diagnosis.ts";

const doors = [{ attack: "reads another workspace", door: "every file of the machine can be read" }];
function check(name: string, status: Check["status"], required = false): Check {
  return { name, status, required, found: "something" };
}

test("a sandbox that works is the barrier and leaves no door open", () => {
  const diagnosis = diagnose("1.0.0", [check("sandbox", "ok")], doors);
  expect(Diagnosis.parse(diagnosis)).toMatchObject({ barrier: "sandbox", open: [], ready: true });
});

test.each([["absent"], ["unfit"]] as const)("a sandbox that is %s leaves every door open", (status) => {
  const diagnosis = diagnose("1.0.0", [check("sandbox", status)], doors);
  expect(Diagnosis.parse(diagnosis)).toMatchObject({ barrier: "repository", open: doors, ready: true });
});

test("a sandbox that nobody looked for counts as absent", () => {
  expect(diagnose("1.0.0", [check("git", "ok")], doors)).toMatchObject({
    barrier: "repository",
    open: doors,
  });
});

test("only what is required decides whether Cupel is ready", () => {
  expect(diagnose("1.0.0", [check("git", "unfit", true)], doors).ready).toBe(false);
  expect(diagnose("1.0.0", [check("python", "absent")], doors).ready).toBe(true);
});
