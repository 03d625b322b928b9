// A project comes to be as a whole or not at all, and the same specification again is the same project.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sampleGit, sampleProject } from "../../test/git-samples.ts";
import { deskIn, engineering, portsFor, projectOf, work } from "../../test/project-samples.ts";
import { id, specOf } from "../../test/project-specs.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { parseTaskFile } from "../domain/task/task-file-parse.ts";
import { checkStateStore, openStateStore } from "../store/state-store.ts";
import { openHub } from "../workshop/hub/hub.ts";
import { initProject } from "./init-project.ts";
import { Project } from "./project.ts";
import { publishTaskFiles } from "./publish-task-files.ts";
import { runProject } from "./run-project.ts";

describe("a project", () => {
  test("has a task for each of the specification, in its order, with everything in its file", async () => {
    const project = await projectOf([[], [1]]);
    expect(Object.keys(project.machine.toState().tasks)).toEqual([id(1), id(2)]);
    expect(await project.task(id(2))).toMatchObject({
      path: `project/core/work/story-1/task-2/${id(2)}.md`,
      attempt: 1,
      entry: { status: "PENDING", depends_on: [id(1)], declaration_order: 1 },
      file: { task_name: "Task 2", dependency_contracts: [], error_cases: ["BlankTitle"] },
    });
  });

  test("is the same again with the same specification, and refuses another one", async () => {
    const desk = await deskIn();
    expect(await initProject(desk, specOf([[], []]))).toEqual({ kind: "begun", tasks: 2 });
    expect(await initProject(desk, specOf([[], []]))).toEqual({ kind: "there", tasks: 2 });
    await expect(initProject(desk, specOf([[]]))).rejects.toMatchObject({
      code: "already_exists",
      hint: expect.stringContaining("cupel run --resume"),
    });
    await expect(initProject({ ...desk, runId: "r-2" }, specOf([[], []]))).resolves.toMatchObject({
      kind: "there",
    });
  });

  test("of two runs that begin at once belongs to the first", async () => {
    const desk = await deskIn();
    await desk.store.project.takeRun(desk.fence, "r-0");
    await expect(initProject(desk, specOf([[]]))).rejects.toMatchObject({
      code: "run_held",
      message: expect.stringContaining("r-0"),
    });
    expect(await desk.store.project.head()).toBeUndefined();
  });

  const long = specOf([[]]);
  for (const pillar of long.pillars) pillar.name = "a name that goes on ".repeat(9);
  for (const epic of long.pillars.flatMap(({ epics }) => epics)) epic.name = "and on ".repeat(20);
  test.each([
    ["a circle", specOf([[3], [1], [2]]), "invalid_input", /TSK-001.*TSK-00[23].*TSK-00[23]/s],
    ["a dependency that leads nowhere", specOf([[9]]), "invalid_input", /TSK-009/],
    ["a name that is too long for an id", long, "id_too_long", /"Task 1"/],
    ["something else in its place", { title: 7 }, "invalid_input", /title/],
  ])("with %s leaves nothing behind", async (_, spec, code, why) => {
    const desk = await deskIn();
    const failed = initProject(desk, spec);
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(why) });
    expect([await desk.store.project.head(), await desk.store.project.entries()]).toEqual([undefined, []]);
    expect(await desk.store.journal.latest()).toBe(0);
  });
});

function path(n: number): string {
  return `project/core/work/story-1/task-${n}/${id(n)}.md`;
}

describe("task files", () => {
  test("are in the product after the beginning and whenever nobody works, and read back as they were", async () => {
    const directory = sampleProject({ "README.md": "# A product\n" });
    const desk = await deskIn(directory);
    const hub = await openHub(directory);
    const at = (place: string) => sampleGit(hub.gitDir, "show", `${hub.branch}:${place}`);
    let before = "";
    const outcome = await runProject(desk, specOf([[], [1]]), {
      ...portsFor(async (order) => {
        before ||= at(path(2));
        const { engineer } = engineering(await Project.open(desk));
        return engineer(order);
      }),
      publish: () => publishTaskFiles(desk, hub),
    });
    expect(outcome).toEqual({ kind: "finished" });
    expect(before).toContain("none so far");
    const parsed = parseTaskFile(at(path(2)));
    expect(parsed).toMatchObject({
      kind: "ok",
      value: { dependency_contracts: [{ module_ref: "MM-part1@1.0.0" }] },
    });
    expect(await publishTaskFiles(desk, hub)).toBe(0);
    const state = readFileSync(join(desk.store.root, "project/state_machine.json"), "utf8");
    expect(JSON.parse(state)).toEqual((await Project.open(desk)).machine.toState());
    expect(sampleGit(hub.gitDir, "for-each-ref", "refs/cupel/task-drafts/")).toBe("");
  });
});

function here(file: string): string {
  return JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
}

test("a disk without room ends it with a word about it; nothing is half done, and with room it goes on", async () => {
  const script = join(temporaryDirectory(), "full.mts");
  writeFileSync(
    script,
    `import { initProject } from ${here("init-project.ts")};
     import { openStateStore } from ${here("../store/state-store.ts")};
     import { specOf } from ${here("../../test/project-specs.ts")};
     const store = openStateStore(process.argv[2], { durability: "normal", missing: "create" });
     const { fence } = await store.leases.acquire("run:r-1", "x", 60_000);
     const desk = { store, fence, runId: "r-1", now: () => new Date() };
     const spec = specOf(Array.from({ length: 800 }, () => []));
     await initProject(desk, spec).catch((error) => process.stdout.write(error.code + " " + error.hint));`,
  );
  const full = temporaryDirectory();
  const limited = 'ulimit -f 1200; exec "$@"';
  const { stdout } = spawnSync(
    "sh",
    ["-c", limited, "sh", process.execPath, "--import", "tsx", script, full],
    { encoding: "utf8" },
  );
  expect(stdout).toMatch(/^store_full .*run the same command again/);
  const store = openStateStore(full, { durability: "normal", missing: "refuse" });
  expect([await store.project.head(), await store.project.entries()]).toEqual([undefined, []]);
  const lease = await store.leases.acquire("run:r-1", "x", 60_000);
  if (lease.kind !== "acquired") throw new Error("held");
  const desk = { store, fence: lease.fence, runId: "r-1", now: () => new Date() };
  expect(await initProject(desk, specOf([[], []]))).toEqual({ kind: "begun", tasks: 2 });
  await store.close();
});

test("a check of the store looks at the tasks, and brings the file of the state machine back", async () => {
  const directory = temporaryDirectory();
  const desk = await deskIn(directory);
  const project = await projectOf([[], [1]], desk);
  await work(project);
  await desk.store.leases.release(desk.fence);
  const lagging = await checkStateStore(directory, { repair: false });
  expect(lagging).toMatchObject({ clean: true, looked: { tasks: 2 } });
  expect(lagging.leftovers).toMatchObject([{ where: "project/state_machine.json" }]);
  const repaired = await checkStateStore(directory, { repair: true });
  expect(repaired).toMatchObject({ clean: true, leftovers: [] });
});
