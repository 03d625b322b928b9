// The supervisor of a project: carries out answers, gives tasks to engineering, writes down what came of them. Plain code
// over durable state: whatever happened before, it goes on from what the database says.
import { setTimeout as sleep } from "node:timers/promises";
import { dispatch } from "../domain/task/dispatch.ts";
import type { TaskOrder, TaskOutcome } from "../engineering/port.ts";
import { consumerTasks } from "./consumer-tasks.ts";
import type { Project } from "./project.ts";
import { carryOut, waitingAnswers } from "./resolutions/answers.ts";
import { carryOutDecision, type Decide } from "./resolutions/interface-decision.ts";
import { asDispatched, type OrderSettings, orderOf } from "./task-order.ts";

export interface SupervisorPorts extends OrderSettings {
  /** The same order again goes on where it stopped. */
  engineer: (order: TaskOrder) => Promise<TaskOutcome>;
  decide: Decide;
  /** How many tasks at the same time. */
  concurrency: number;
  /** Asks work that is under way to stop at the next place where it can go on from. */
  drain: () => Promise<void>;
  /** Aborted: nothing new begins, and what is under way is drained. */
  signal: AbortSignal;
  /** How often to look for answers while others work. */
  pollMs?: number;
}

export type Supervised =
  /** Every task has shipped or was abandoned. */
  | { kind: "finished" }
  /** A person must decide before anything new begins. */
  | { kind: "halted" }
  /** Nothing halts, but all that is left waits for tasks that were abandoned. */
  | { kind: "blocked" }
  /** Asked to stop, or kept from working by something outside; goes on from there. */
  | { kind: "stopped"; why: string };

export async function supervise(project: Project, ports: SupervisorPorts): Promise<Supervised> {
  const supervisor = new Supervisor(project, ports);
  return supervisor.run();
}

class Supervisor {
  readonly #project: Project;
  readonly #ports: SupervisorPorts;
  /** What is under way, by task; a decision counts as work on the task that it is about. */
  readonly #working = new Map<string, Promise<void>>();
  #stop: { why: string } | undefined;
  #failure: { error: unknown } | undefined;
  #draining: Promise<void> | undefined;
  /** Tasks in progress that nobody works on: of a process that ended, or sent back to work by a person. */
  #unattended: string[] = [];

  constructor(project: Project, ports: SupervisorPorts) {
    this.#project = project;
    this.#ports = ports;
  }

  async run(): Promise<Supervised> {
    const { tasks } = this.#project.machine.toState();
    this.#unattended = Object.keys(tasks).filter((id) => tasks[id]?.status === "IN_PROGRESS");
    for (;;) {
      if (this.#ports.signal.aborted) this.#stopFor("it was asked to stop");
      if (this.#stop === undefined) await this.#guarded(() => this.#begin());
      if (this.#working.size === 0 && (this.#stop !== undefined || !(await this.#anyLeft()))) break;
      await this.#untilSomethingHappens();
    }
    await this.#draining;
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#outcome();
  }

  /** Answers first, then what was begun, then what is new, in declaration order. */
  async #begin(): Promise<void> {
    await this.#carryOutAnswers();
    const free = () => this.#ports.concurrency - this.#working.size;
    while (free() > 0 && this.#unattended.length > 0) {
      const id = this.#unattended.shift() ?? "";
      if (!this.#working.has(id)) this.#work(id, () => this.#engineer(id));
    }
    for (const id of free() > 0 ? dispatch(this.#project.machine, free()) : []) await this.#start(id);
  }

  async #carryOutAnswers(): Promise<void> {
    for (const answered of await waitingAnswers(this.#project.desk.store)) {
      const { taskId, question, answer } = answered;
      if (this.#working.has(taskId)) continue;
      if (question.answerSchema === "InterfaceChangeDecision") {
        if (this.#project.machine.status(taskId) !== "HALTED") continue;
        this.#work(taskId, () => this.#decide(answered));
        // Decisions and splits give out ids: one after the other, so that a crash changes none of them.
        return;
      }
      const resumed = await carryOut(this.#project, { question, answer, taskId });
      if (resumed && this.#project.machine.status(taskId) === "IN_PROGRESS") this.#unattended.push(taskId);
    }
  }

  async #start(id: string): Promise<void> {
    const project = this.#project;
    const task = await asDispatched(project, await project.task(id), this.#ports);
    // Somebody else may have halted, or been asked to stop, while the contracts were read.
    if (this.#stop !== undefined || project.machine.haltedCount > 0) return;
    await project.apply({
      why: task.attempt === 1 ? "it was dispatched" : `it was dispatched for attempt ${task.attempt}`,
      operations: [{ kind: "start", at: project.time(), task: id }],
      revised: [task],
    });
    this.#work(id, () => this.#engineer(id));
  }

  async #engineer(id: string): Promise<void> {
    const project = this.#project;
    const task = await project.task(id);
    const outcome = await this.#ports.engineer(orderOf(project, task, this.#ports));
    const at = project.time();
    switch (outcome.kind) {
      case "shipped": {
        const joined = (await consumerTasks(project, task, outcome.consumers ?? []))();
        const ship = { kind: "ship", at, task: id, moduleRefs: outcome.modules } as const;
        const why = `${outcome.modules.join(", ")} shipped`;
        await project.apply({ ...joined, why, operations: [ship, ...joined.operations] });
        return;
      }
      case "halted": {
        const { escalation_id: escalationRef, minimal_decision_required: reason } = outcome.escalation;
        const operations = [{ kind: "halt", at, task: id, reason, escalationRef } as const];
        await project.apply({ why: reason, operations });
        return;
      }
      case "stopped":
        this.#stopFor(outcome.why);
    }
  }

  async #decide(answered: Parameters<typeof carryOutDecision>[1]): Promise<void> {
    const decided = await carryOutDecision(this.#project, answered, this.#ports, this.#ports.decide);
    if (decided.kind === "stopped") this.#stopFor(decided.why);
  }

  #work(id: string, work: () => Promise<void>): void {
    this.#working.set(
      id,
      this.#guarded(work).finally(() => this.#working.delete(id)),
    );
  }

  /** What fails here would fail for the next task as well: nothing new begins, and the first failure is told at the end. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= { error };
      this.#stopFor("something failed");
    }
  }

  #stopFor(why: string): void {
    this.#stop ??= { why };
    this.#draining ??= this.#ports.drain();
  }

  async #untilSomethingHappens(): Promise<void> {
    const { signal, pollMs = 250 } = this.#ports;
    const over = new AbortController();
    const looked = sleep(pollMs, undefined, { signal: over.signal }).catch(() => undefined);
    const aborted = new Promise<void>((resolve) => {
      if (this.#stop !== undefined) return;
      signal.addEventListener("abort", () => resolve(), { once: true, signal: over.signal });
    });
    await Promise.race([...this.#working.values(), looked, aborted]);
    over.abort();
  }

  /** Whether another turn would begin something. */
  async #anyLeft(): Promise<boolean> {
    const { machine, desk } = this.#project;
    if (this.#unattended.length > 0 || dispatch(machine, 1).length > 0) return true;
    const waiting = await waitingAnswers(desk.store);
    return waiting.some(({ taskId, question }) =>
      question.answerSchema === "InterfaceChangeDecision"
        ? machine.status(taskId) === "HALTED"
        : machine.status(taskId) !== "IN_PROGRESS",
    );
  }

  #outcome(): Supervised {
    const { machine } = this.#project;
    if (machine.finished) return { kind: "finished" };
    if (this.#stop !== undefined) return { kind: "stopped", why: this.#stop.why };
    return machine.haltedCount > 0 ? { kind: "halted" } : { kind: "blocked" };
  }
}
