// Why a caller does not get the thread that it asks for.
import { CupelError } from "../domain/error.ts";
import { preview } from "../domain/parse.ts";
import type { Graph } from "./port.ts";

export function entryOf(graph: Pick<Graph, "name" | "entries">, at: string): string {
  const node = graph.entries.get(at);
  if (node !== undefined) return node;
  throw new CupelError("usage", `the graph ${graph.name} has no entry ${preview(at)}`, {
    expected: `one of ${[...graph.entries.keys()].join(", ")}`,
  });
}

export function exists(thread: string): CupelError {
  return new CupelError("already_exists", `there is a thread ${preview(thread)} already`, {
    expected: "a new name, or to resume it",
  });
}

export function busy(thread: string, by: string): CupelError {
  return new CupelError("store_busy", `the thread ${preview(thread)} is run by ${by}`, {
    hint: "wait until it ends",
  });
}
