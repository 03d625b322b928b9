// What the main process tells the runner in a worker: taken, and taken away, before any foreign code could read it.
import { createHmac, Hmac } from "node:crypto";

export interface WorkerOrder {
  /** Signs what this worker has to say. */
  key: string;
  /** Paths of programs to start. */
  tools: string[];
}

/** Under this name among what vitest provides to workers. */
export const WORKER_ORDER = "cupel";

const make = createHmac;
const { apply } = Reflect;
const update: (this: Hmac, text: string) => Hmac = Reflect.get(Hmac.prototype, "update");
const digest: (this: Hmac, encoding: "hex") => string = Reflect.get(Hmac.prototype, "digest");

export function takeOrder(): { sign: (text: string) => string; tools: WorkerOrder["tools"] } {
  const { key, tools } = taken();
  return { tools, sign: (text) => apply(digest, apply(update, make("sha256", key), [text]), ["hex"]) };
}

function taken(): WorkerOrder {
  const worker: unknown = Reflect.get(globalThis, "__vitest_worker__");
  const provided = fieldOf(worker, "providedContext");
  const order = fieldOf(provided, WORKER_ORDER);
  if (typeof provided === "object" && provided !== null) Reflect.deleteProperty(provided, WORKER_ORDER);
  const tools = fieldOf(order, "tools");
  return { key: String(fieldOf(order, "key")), tools: Array.isArray(tools) ? tools.map(String) : [] };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
