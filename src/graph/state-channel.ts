// One value of the state as the engine sees it. LangGraph's own channels would take data that has a certain key for a
// command to themselves; this one takes data as data.
import { BaseChannel, EmptyChannelError, InvalidUpdateError } from "@langchain/langgraph";
import type { StateKey } from "./port.ts";
import { freeze, merged } from "./state.ts";

/** Replaces a value whatever its key's `merge` would do. Only a run that begins writes these. */
export class Whole {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export class StateChannel extends BaseChannel {
  override lc_graph_name = "StateChannel";
  readonly #key: Pick<StateKey, "merge">;
  #value: { is: unknown } | undefined;

  constructor(key: Pick<StateKey, "merge">) {
    super();
    this.#key = key;
  }

  override fromCheckpoint(checkpoint?: unknown): this {
    const channel = new StateChannel(this.#key);
    if (checkpoint !== undefined) channel.#value = { is: freeze(checkpoint) };
    if (isLike(this, channel)) return channel;
    throw new Error("a channel became another");
  }

  override update(writes: unknown[]): boolean {
    if (writes.length === 0) return false;
    if (this.#key.merge === undefined && writes.length > 1)
      throw new InvalidUpdateError("several nodes of one step wrote it");
    for (const write of writes) {
      if (write instanceof Whole) this.#value = { is: freeze(write.value) };
      else this.#value = { is: freeze(merged(this.#key, this.#value?.is, write)) };
    }
    return true;
  }

  override get(): unknown {
    if (this.#value === undefined) throw new EmptyChannelError();
    return this.#value.is;
  }

  override checkpoint(): unknown {
    return this.get();
  }

  override isAvailable(): boolean {
    return this.#value !== undefined;
  }
}

function isLike<Channel extends object>(one: Channel, other: object): other is Channel {
  return Object.getPrototypeOf(one) === Object.getPrototypeOf(other);
}
