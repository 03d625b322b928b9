// Work goes on in the workspace of a process that died, and never in one that is held.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { sampleWorkshop, sampleWorkspace } from "../../../test/workshop-samples.ts";
import { adoptWorkspace } from "./adopt.ts";
import { stateOf, thisProcess } from "./holder.ts";
import { readRecord, writeRecord } from "./record-file.ts";
import { takeBack } from "./take-back.ts";

test("a workspace of a dead process is taken over with its work", async () => {
  const workshop = await sampleWorkshop(temporaryDirectory());
  const { places, record } = await sampleWorkspace(workshop);
  writeFileSync(join(places.tree, "src/push.ts"), "half done\n");
  writeRecord(places.record, { ...record, holder: { ...record.holder, startedAt: "another life" } });
  const adopted = await adoptWorkspace(workshop, record.id);
  expect(adopted?.record).toEqual(record);
  if (adopted === undefined) return;
  expect(await takeBack(workshop, adopted, { branch: "b", message: "m\n" })).toMatchObject({ kind: "taken" });
});

test("a workspace of a living process is not", async () => {
  const workshop = await sampleWorkshop(temporaryDirectory());
  const { places, record } = await sampleWorkspace(workshop);
  const other = spawn("sleep", ["30"], { stdio: "ignore" });
  await once(other, "spawn");
  const pid = other.pid ?? 0;
  writeRecord(places.record, { ...record, holder: { ...record.holder, pid, startedAt: startOf(pid) } });
  expect(stateOf(readRecord(places.record).holder)).toBe("alive");
  await expect(adoptWorkspace(workshop, record.id)).rejects.toThrow(
    `the workspace impl-abc123 is held by process ${pid}`,
  );
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(await adoptWorkspace(workshop, record.id)).toBeDefined();
});

test("one that is not there, or never was complete, is not taken over", async () => {
  const workshop = await sampleWorkshop(temporaryDirectory());
  expect(await adoptWorkspace(workshop, "nothing")).toBeUndefined();
  const { places, record } = await sampleWorkspace(workshop);
  writeRecord(places.record, { ...record, state: "creating", root: null });
  expect(await adoptWorkspace(workshop, record.id)).toBeUndefined();
});

test("a process of another container is neither alive nor gone from here, one of an earlier start of the machine is gone", () => {
  const mine = thisProcess();
  expect(stateOf({ ...mine, namespace: "pid:[1]" })).toBe("elsewhere");
  expect(stateOf({ ...mine, namespace: "pid:[1]", startedAt: "another-boot 1" })).toBe("gone");
  expect(stateOf({ ...mine, startedAt: `${mine.startedAt}1` })).toBe("gone");
  expect(stateOf(mine)).toBe("alive");
});

function startOf(pid: number): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21] ?? "";
  return `${boot} ${ticks}`;
}
