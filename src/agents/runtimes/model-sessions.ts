// Conversations that can be gone on from while the process lives; the oldest go first when there are too many.
import { randomUUID } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";

/** Nobody changes it afterwards: whoever goes on from it adds to a copy. */
export interface ModelSession {
  system: string;
  messages: readonly BaseMessage[];
  /** What was too large for the conversation, by its path. */
  scratch: ReadonlyMap<string, string>;
}

const MOST = 500;

export class ModelSessions {
  readonly #sessions = new Map<string, ModelSession>();

  keep({ system, messages, scratch }: ModelSession): string {
    const id = `model:${randomUUID()}`;
    this.#sessions.set(id, { system, messages: [...messages], scratch: new Map(scratch) });
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MOST) break;
      this.#sessions.delete(oldest);
    }
    return id;
  }

  get(id: string): ModelSession | undefined {
    return this.#sessions.get(id);
  }

  clear(): void {
    this.#sessions.clear();
  }
}
