// The supervisor dies before or after anything that leaves a trace: the same order comes to the same end.
import { expect, onTestFinished, test } from "vitest";
import { type Ground, line, openGround, orderOf, plannedModule } from "../../test/engineering-ground.ts";
import { factory, failing, needs } from "../../test/task-factory.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { engineerTask } from "./engineer-task.ts";
import type { TaskPorts } from "./port.ts";

/** Everything that leaves a trace, each time a place to die at; once dead, nothing happens any more. */
function mortal(
  ports: TaskPorts,
  dieAt: number,
): {
  ports: TaskPorts;
  reached(): number;
  paid(): boolean;
} {
  let points = 0;
  let paid = false;
  const point = (): void => {
    points += 1;
    if (points >= dieAt) throw new Error("killed");
  };
  const dying = <T extends object>(part: T, names: readonly string[]): T =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (!names.includes(String(name))) return value.bind(target);
        return async (...given: unknown[]) => {
          point();
          const result: unknown = await Reflect.apply(value, target, given);
          point();
          return result;
        };
      },
    });
  const { store } = ports;
  const ask: TaskPorts["ask"] = async (role, call) => {
    point();
    const outcome = await ports.ask(role, call);
    point();
    paid = true;
    return outcome;
  };
  const mortalStore = {
    ...store,
    artifacts: dying(store.artifacts, ["create", "contribute", "transition"]),
    documents: dying(store.documents, ["write"]),
    journal: dying(store.journal, ["append"]),
    inbox: dying(store.inbox, ["ask"]),
  };
  return { ports: { ...ports, store: mortalStore, ask }, reached: () => points, paid: () => paid };
}

test(
  "killed at any moment, the same order comes to the same end, and nothing finished is done again",
  { timeout: 120_000 },
  async () => {
    const plan = [plannedModule("a"), plannedModule("b", needs("a")), plannedModule("c")];
    let ends = 0;
    for (let dieAt = 1; ; dieAt += 1) {
      const ground = await factory(plan, failing("MM-a"));
      const dying = mortal(ground.ports, dieAt);
      const first = await engineerTask(dying.ports, orderOf());
      const survived = dying.reached() < dieAt;
      expect(first.kind).toBe(survived ? "halted" : "stopped");
      // A script plays each line once: a second call for a plan that was kept would end badly.
      const again = await revived(ground);
      const outcome = await engineerTask(again.ports, orderOf());
      expect(again.calls()).toBe(dying.paid() ? 0 : 1);
      expect(outcome).toMatchObject({
        kind: "halted",
        escalation: { failed_module: "MM-a", abandoned_modules: ["MM-b"], shipped_modules: ["MM-c@1.0.0"] },
      });
      const { store } = ground.ports;
      const types = (await store.artifacts.query({}))
        .map(({ envelope }) => envelope.artifact_type)
        .toSorted();
      expect(types).toEqual([
        "CONTEXT_PACK",
        "ESCALATION",
        "MICRO_PLAN",
        "REUSE_SEARCH_REPORT",
        "REUSE_SEARCH_REPORT",
        "REUSE_SEARCH_REPORT",
      ]);
      const events = (await store.journal.read(0, 1000)).map(({ kind }) => kind);
      expect(events.filter((kind) => kind === "module_planned")).toHaveLength(3);
      expect(events.filter((kind) => kind === "escalation_raised")).toHaveLength(1);
      expect(await store.inbox.open()).toHaveLength(1);
      expect(await store.artifacts.contributions()).toHaveLength(1);
      expect(ground.made.toSorted()).toEqual(["MM-a make halted", "MM-c make shipped"]);
      if (survived) break;
      ends += 1;
    }
    expect(ends).toBeGreaterThan(15);
  },
);

/** The call that was under way when the process died is done again: then the script's line must be there again. */
async function revived({ ports }: Ground): Promise<{ ports: TaskPorts; calls: () => number }> {
  const modules = [plannedModule("a"), plannedModule("b", needs("a")), plannedModule("c")];
  const script = [line({ role: "micro_planner", node: "micro_plan", output: { modules } })];
  const again = await openGround(temporaryDirectory(), { script });
  onTestFinished(() => again.close());
  return { ports: { ...ports, ask: again.ports.ask }, calls: again.calls };
}
