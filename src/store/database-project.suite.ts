// The contract of the project: it comes to be as a whole, and whatever happens to its tasks happens in one moment.
import { describe, expect, it } from "vitest";
import type { TaskEntry } from "../domain/task/project-state.ts";
import type { Bench } from "./database-bench.suite.ts";
import { everythingIn } from "./database-bench.suite.ts";
import { AT, eventSample, headSample, questionSample, taskSample } from "./database-samples.suite.ts";

const THREE = [taskSample(1), taskSample(2), taskSample(3)];
const FIRST = taskSample(1);

function shipped(entry: TaskEntry): TaskEntry {
  return { ...entry, status: "SHIPPED", module_refs: ["MM-slug@1.0.0"], shipped_at: AT };
}

export function projectSuite(bench: () => Bench): void {
  describe("the project", () => {
    it("comes to be with all of its tasks, once", async () => {
      const { one, two, fence } = bench();
      expect(await two.project.head()).toBeUndefined();
      await one.project.begin(fence, headSample(), THREE, "approved");
      expect(await two.project.head()).toEqual(headSample());
      expect(await two.project.entries()).toEqual(THREE.map(({ taskId, entry }) => [taskId, entry]));
      expect(await two.project.task(FIRST.taskId)).toEqual(FIRST);
      const told = await two.journal.read(0, 10);
      expect(told).toMatchObject(
        THREE.map(({ taskId: task }) => ({ kind: "task_transitioned", task, from: null, to: "PENDING" })),
      );
      await expect(one.project.begin(fence, headSample(), [], "again")).rejects.toMatchObject({
        code: "already_exists",
      });
    });

    it("comes to be not at all when one of its tasks is wrong", async () => {
      const { one, fence } = bench();
      const before = await everythingIn(one);
      const wrong = { ...taskSample(2), path: "project/../../etc/passwd" };
      const twice = { ...taskSample(2), path: FIRST.path };
      for (const task of [wrong, twice]) {
        const begun = one.project.begin(fence, headSample(), [FIRST, task], "approved");
        await expect(begun).rejects.toThrow(/path/);
        expect(await everythingIn(one)).toBe(before);
      }
    });

    it("is worked on under the run that came first", async () => {
      const { one, two, fence } = bench();
      expect(await one.project.currentRun()).toBeUndefined();
      expect(await one.project.takeRun(fence, "r-1")).toBe("r-1");
      expect(await two.project.takeRun(fence, "r-2")).toBe("r-1");
      expect(await two.project.currentRun()).toBe("r-1");
    });

    it("changes states, files, tasks, journal and inbox in one moment", async () => {
      const { one, two, fence } = bench();
      await one.project.begin(fence, headSample(), THREE, "approved");
      await one.inbox.ask(fence, questionSample("q-1"));
      await one.inbox.ask(fence, questionSample("q-2"));
      await two.inbox.answer("q-1", { usd: 5 }, "Ada");
      expect(await one.inbox.unapplied()).toMatchObject([{ question: { id: "q-1" }, answer: { by: "Ada" } }]);
      const revised = { ...taskSample(2), attempt: 2, file: { ...taskSample(2).file, description: "New." } };
      const change = {
        at: AT,
        entries: [[FIRST.taskId, shipped(FIRST.entry)]] as [string, TaskEntry][],
        revised: [revised],
        added: [taskSample(4)],
        events: [eventSample("told")],
        asked: [questionSample("q-3")],
        withdrawn: ["q-2"],
        applies: "q-1",
      };
      expect(await one.project.commit(fence, change)).toBe(true);
      expect((await two.project.task(FIRST.taskId)).entry.status).toBe("SHIPPED");
      expect(await two.project.task(revised.taskId)).toEqual(revised);
      expect((await two.project.entries()).map(([id]) => id)).toHaveLength(4);
      expect((await two.inbox.open()).map(({ id }) => id)).toEqual(["q-3"]);
      expect(await two.inbox.unapplied()).toEqual([]);
      const before = await everythingIn(one);
      expect(await two.project.commit(fence, { ...change, added: [] })).toBe(false);
      expect(await everythingIn(one)).toBe(before);
    });

    it.each([
      [
        "a task that does not exist",
        /no task T-x-001/,
        { entries: [["T-x-001", FIRST.entry]] as [string, TaskEntry][] },
      ],
      ["a new task with a place that is taken", /UNIQUE/, { added: [FIRST] }],
      [
        "a question that nobody could answer",
        /schema/,
        { asked: [questionSample("q-9", { answerSchema: "Nothing" })] },
      ],
    ])("leaves no trace of a change with %s", async (_, why, wrong) => {
      const { one, fence } = bench();
      await one.project.begin(fence, headSample(), [FIRST], "approved");
      const before = await everythingIn(one);
      const change = { at: AT, events: [eventSample("told")], ...wrong };
      await expect(one.project.commit(fence, change)).rejects.toThrow(why);
      expect(await everythingIn(one)).toBe(before);
    });

    it("knows which files the product does not have yet", async () => {
      const { one, fence } = bench();
      await one.project.begin(fence, headSample(), THREE, "approved");
      const first = await one.project.unpublished(2);
      expect(first.map(({ path }) => path)).toEqual(THREE.slice(0, 2).map(({ path }) => path));
      const file = { ...FIRST.file, description: "Changed meanwhile." };
      await one.project.commit(fence, { at: AT, events: [], revised: [{ ...FIRST, file }, taskSample(2)] });
      await one.project.published(fence, first);
      const left = await one.project.unpublished(9);
      expect(left.map(({ taskId, revision }) => [taskId, revision])).toEqual([
        [FIRST.taskId, 2],
        [taskSample(3).taskId, 1],
      ]);
    });

    it("takes a word that nobody asked for in place of an open question, and only while that is open", async () => {
      const { one, two, fence } = bench();
      await one.inbox.ask(fence, questionSample("q-1"));
      const own = questionSample("own-1");
      expect(await one.inbox.volunteer(own, { usd: "x" }, "Ada", "q-1")).toMatchObject({ kind: "invalid" });
      expect(await one.inbox.find("own-1")).toBeUndefined();
      expect(await one.inbox.volunteer(own, { usd: 5 }, "Ada", "q-1")).toMatchObject({ kind: "accepted" });
      expect(await two.inbox.open()).toEqual([]);
      expect(await two.inbox.volunteer(questionSample("own-2"), { usd: 6 }, "Bob", "q-1")).toMatchObject({
        kind: "already-answered",
      });
      expect(await two.inbox.answer("q-1", { usd: 7 }, "Bob")).toMatchObject({ kind: "already-answered" });
      expect(await two.inbox.volunteer(own, { usd: 7 }, "Bob", "q-7")).toEqual({ kind: "unknown-question" });
      expect((await two.inbox.unapplied()).map(({ question }) => question.id)).toEqual(["own-1"]);
    });

    it("names the task that was meant", async () => {
      const { one, fence } = bench();
      await one.project.begin(fence, headSample(), [FIRST], "approved");
      await expect(one.project.task("T-text-slug-basic-001")).rejects.toMatchObject({
        code: "unknown_task",
        hint: `did you mean ${FIRST.taskId}?`,
      });
    });
  });
}
