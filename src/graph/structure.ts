// What of a graph must not change under a thread that is on its way: its nodes, edges, entries and the keys of its state.
import { z } from "zod";
import { canonicalHash } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import type { Graph } from "./port.ts";

export const Structure = z.strictObject({
  version: z.int().positive(),
  /** Node → where it leads and whom it waits for. */
  nodes: z.record(z.string(), z.string()),
  entries: z.record(z.string(), z.string()),
  state: z.array(z.string()),
});
export type Structure = z.infer<typeof Structure>;

type AnyGraph = Pick<Graph, "name" | "version" | "entries"> & {
  state: object;
  nodes: ReadonlyMap<string, Edges>;
};

interface Edges {
  to?: readonly string[];
  routes?: readonly string[];
  after?: readonly string[];
}

export function structureOf(graph: AnyGraph): Structure {
  return {
    version: graph.version,
    nodes: Object.fromEntries([...graph.nodes].map(([name, edges]) => [name, describe(edges)])),
    entries: Object.fromEntries(graph.entries),
    state: Object.keys(graph.state).toSorted(),
  };
}

/** Refuses to go on with a thread that another graph began: it would end at once and look like a success. */
export function assertSameStructure(thread: string, graph: AnyGraph, stored: Structure): void {
  const now = structureOf(graph);
  if (canonicalHash(now) === canonicalHash(stored)) return;
  const changes = [
    ...(now.version === stored.version ? [] : [`version ${stored.version} became ${now.version}`]),
    ...differences("node", stored.nodes, now.nodes),
    ...differences("entry", stored.entries, now.entries),
    ...differences("state key", keyed(stored.state), keyed(now.state)),
  ];
  throw new CupelError(
    "graph_changed",
    `the thread ${thread} was begun with another ${graph.name} graph: ${changes.join("; ")}`,
    {
      expected: `the graph as it was, version ${stored.version}`,
      hint: "resume it with the Cupel that began it (cupel --version tells which), or start the work anew",
    },
  );
}

function differences(what: string, before: Record<string, string>, now: Record<string, string>): string[] {
  const lines: string[] = [];
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(now, name)) lines.push(`the ${what} ${name} is gone`);
    else if (before[name] !== now[name])
      lines.push(`the ${what} ${name} ${before[name]} before, now ${now[name]}`);
  }
  for (const name of Object.keys(now))
    if (!Object.hasOwn(before, name)) lines.push(`the ${what} ${name} is new`);
  return lines;
}

function describe({ to, routes, after }: Edges): string {
  const way = to === undefined ? `chooses ${routes?.join(", ")}` : `leads to ${to.join(", ")}`;
  return after === undefined ? way : `${way} after ${after.join(", ")}`;
}

function keyed(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, ""]));
}
