// Runs inside a site: what later calls show of a module, which no single one does: who has changed a result or what it handed
// in asks again, somebody asks thousands of times, and somebody is told of an error what others have asked.
import type { AloneOrder, RecordedCall } from "../alone/alone-order.ts";
import { received } from "../differ/episode.ts";
import { callOften } from "./call-often.ts";
import { shown } from "./call-record.ts";
import type { Outcome } from "./call-watch.ts";
import { refilled } from "./handed-in.ts";
import { spoil } from "./spoil.ts";
import { resultOf, steadyResult } from "./steady-result.ts";
import { tellingErrors } from "./telling-errors.ts";

/** Taken before the module is loaded, which could put others in their place. */
const { apply, isExtensible } = Reflect;
const isList = Array.isArray;
const now = performance.now.bind(performance);

const MOST_SPOILED = 5;
const MOST_REUSED = 5;
const MOST_WORN = 3;
const WORN_MS = 1000;
/** So many times the time of one call there is for some thousands. */
const SLOWEST = 4;

type OneCall = Pick<RecordedCall, "entry" | "args">;

/** How a module is loaded and called, and who looks at the time. */
interface World {
  load(): Promise<unknown>;
  call(loaded: unknown, call: { entry: string; args: readonly unknown[] }): Promise<Outcome | undefined>;
  find(loaded: unknown, entry: string): unknown;
  lateness(): () => boolean;
  /** Ends the process after that time, or rests. */
  watch(limitMs?: number): void;
  unlessTooLong(result: unknown, limitMs: number): Promise<void>;
}

export class LaterCalls {
  readonly #order: AloneOrder;
  readonly #world: World;
  readonly #notes = new Set<string>();

  constructor(order: AloneOrder, world: World) {
    this.#order = order;
    this.#world = world;
  }

  /** What is another than it should be. */
  async changes(): Promise<ReadonlySet<string>> {
    await this.#allSpoiled();
    await this.#allReused();
    await this.#allWorn();
    await this.#allRefused();
    return this.#notes;
  }

  /** Whoever got a result to keep may change it, and nobody else must notice. */
  async #allSpoiled(): Promise<void> {
    const loaded = await this.#world.load();
    const isLate = this.#world.lateness();
    for (const entry of this.#order.mutable) {
      for (const call of this.#order.fresh.filter((each) => each.entry === entry).slice(0, MOST_SPOILED)) {
        if (isLate()) return;
        const given = await steadyResult(this.#asking(loaded, call));
        if (given === undefined) continue;
        // The compiler keeps a list that cannot be changed apart from one that can, but for who goes behind its back.
        if (isList(given.value) && !isExtensible(given.value))
          this.#notes.add(`what callers can do with what ${entry} gives: by its type it is theirs to change`);
        spoil(given.value);
        const next = await resultOf(this.#asking(loaded, call));
        if (next !== undefined && next.text !== given.text)
          this.#notes.add(
            `a result that ${entry} gives next: it is another where a caller has changed the last one`,
          );
      }
    }
  }

  /** Whoever has changed a list since asks about what is in it now. */
  async #allReused(): Promise<void> {
    const loaded = await this.#world.load();
    const isLate = this.#world.lateness();
    for (const entry of this.#order.steady) {
      const own = this.#order.fresh.filter((each) => each.entry === entry && each.args.some(isThing));
      for (const [at, call] of own.slice(0, MOST_REUSED).entries()) {
        const next = own[at + 1];
        if (next === undefined || isLate()) break;
        const args = call.args.map(received);
        await this.#world.call(loaded, { entry, args });
        const changed = next.args.map((sent, index) => refilled(args[index], received(sent)));
        const outcome = await this.#world.call(loaded, { entry, args: changed });
        const given = await steadyResult(this.#asking(loaded, next));
        if (outcome === undefined || given === undefined || shown(outcome) === given.text) continue;
        this.#notes.add(
          `what ${entry} gives: it is another for what a caller has changed since it asked before`,
        );
      }
    }
  }

  /** Who does the same with the same, call after call, must not have counted them. */
  async #allWorn(): Promise<void> {
    const begun = now();
    const calls = await this.#world.load();
    for (const entry of this.#order.steady) {
      const own = this.#order.fresh.filter((each) => each.entry === entry);
      for (const call of own.slice(0, MOST_WORN)) {
        if (now() - begun > WORN_MS) return;
        if (await this.wearsOut(calls, call))
          this.#notes.add(`what ${entry} gives: after many of the same calls it is another`);
      }
    }
  }

  /** What one caller is told of an error must not tell of the others. */
  async #allRefused(): Promise<void> {
    const loaded = await this.#world.load();
    for (const entry of await tellingErrors(
      this.#order,
      (call) => this.#asking(loaded, call)(),
      this.#world.lateness(),
    ))
      this.#notes.add(`what an error of ${entry} says: the same call again is told another`);
  }

  async wearsOut(loaded: unknown, call: OneCall): Promise<boolean> {
    const given = await steadyResult(this.#asking(loaded, call));
    const callee = this.#world.find(loaded, call.entry);
    if (given === undefined || typeof callee !== "function") return false;
    this.#world.watch(SLOWEST * this.#order.limitMs);
    const ask = () => {
      const result: unknown = apply(callee, undefined, call.args.map(received));
      return result instanceof Promise ? this.#withinTime(result, given.value) : result;
    };
    const often = await callOften(ask, given.value);
    this.#world.watch();
    if (often === "another") return true;
    const outcome = await this.#asking(loaded, call)();
    return outcome !== undefined && shown(outcome) !== given.text;
  }

  /** What takes too long says nothing, as if it had come to the same. */
  async #withinTime(result: Promise<unknown>, otherwise: unknown): Promise<unknown> {
    let settled = otherwise;
    const settling = async () => {
      settled = await result;
    };
    await this.#world.unlessTooLong(settling(), this.#order.limitMs);
    return settled;
  }

  #asking(loaded: unknown, { entry, args }: OneCall): () => Promise<Outcome | undefined> {
    return () => this.#world.call(loaded, { entry, args: args.map(received) });
  }
}

function isThing(sent: unknown): boolean {
  return typeof sent === "object" && sent !== null;
}
