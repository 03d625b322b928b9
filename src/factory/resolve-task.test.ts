// What a person says while nobody works, while somebody does, and after somebody died.
import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { deskIn, projectOf, statusesOf, work } from "../../test/project-samples.ts";
import { id } from "../../test/project-specs.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { Project } from "../project/project.ts";
import { releaseDeadLeases } from "./dead-leases.ts";
import { projectStatus } from "./project-status.ts";
import { decideChange, resolveTask, whatHalted } from "./resolve-task.ts";

const ICE = "ICE-0a1b2c3d";

/** Task 1 halted because it needs another contract. */
async function raised(directory: string) {
  const desk = await deskIn(directory);
  await desk.store.project.takeRun(desk.fence, "r-1");
  const project = await projectOf([[], [1]], desk);
  await work(project, () => "halt");
  const [question] = await desk.store.inbox.open();
  if (question === undefined) throw new Error("nobody asks");
  const body = { ...Object(question.body), interface_change_ref: ICE };
  await desk.store.project.commit(desk.fence, {
    at: project.time(),
    events: [],
    withdrawn: [question.id],
    asked: [
      { ...question, id: "change", kind: "interface_change", answerSchema: "InterfaceChangeDecision", body },
    ],
  });
  await desk.store.leases.release(desk.fence);
  return desk;
}

test("a task that asks for another contract can be resolved like any other, and the question about it is closed", async () => {
  const directory = temporaryDirectory();
  const desk = await raised(directory);
  expect((await projectStatus(directory)).next).toBe(`cupel ice ${ICE}`);
  expect(await whatHalted(directory, id(1))).toMatchObject({ interface_change_ref: ICE });
  const resolution = { action: "ABANDON_TASK", rationale: "we do without" };
  const resolved = await resolveTask(directory, { task: id(1), resolution, by: "ada" });
  expect(resolved).toEqual({ task: id(1), status: "ABANDONED", carriedOut: true });
  expect((await desk.store.inbox.open()).map(({ id: open }) => open)).toEqual([`blocked:${id(2)}:${id(1)}`]);
  const late = decideChange(directory, { decision: "APPROVE_CHANGE", exception_id: ICE }, "bob");
  await expect(late).rejects.toMatchObject({ code: "not_found" });
  expect((await projectStatus(directory)).next).toBe(`cupel resolve ${id(2)}`);
});

test("a decision about a contract waits for the next run, and is taken once", async () => {
  const directory = temporaryDirectory();
  const desk = await raised(directory);
  const decision = { decision: "APPROVE_CHANGE", exception_id: ICE };
  expect(await decideChange(directory, decision, "ada")).toEqual({ task: id(1) });
  expect(await desk.store.inbox.unapplied()).toMatchObject([{ answer: { answer: decision } }]);
  await expect(decideChange(directory, decision, "bob")).rejects.toMatchObject({ code: "not_found" });
  const other = { action: "ABANDON_TASK", rationale: "no" };
  await expect(resolveTask(directory, { task: id(1), resolution: other, by: "bob" })).rejects.toMatchObject({
    code: "already_exists",
    message: expect.stringContaining("ada answered"),
  });
  expect((await projectStatus(directory)).next).toBe("cupel run --resume");
  expect(statusesOf(await Project.open(desk))).toBe("HALTED BLOCKED");
});

test("what a dead process of this machine held is free, and what others hold is not", async () => {
  const { store } = await deskIn();
  const gone = spawnSync(process.execPath, ["-e", ""]).pid;
  const holders = {
    "run:gone": `process ${gone} on ${hostname()} (0a1b2c)`,
    "run:alive": `process ${process.pid} on ${hostname()} (0a1b2c)`,
    "run:elsewhere": `process ${gone} on ${hostname()}-2 (0a1b2c)`,
  };
  for (const [name, holder] of Object.entries(holders)) await store.leases.acquire(name, holder, 60_000);
  expect(await releaseDeadLeases(store.leases)).toBe(1);
  const held = (await store.leases.list()).map(({ name }) => name);
  expect(held).toEqual(["run:alive", "run:elsewhere", "run:r-1"]);
});
